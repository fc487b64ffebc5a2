"""Search for files by the parameters of a list and by its search text."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import ColumnElement, and_, false, not_, or_, select

from penstock.foundation import ids
from penstock.foundation.database import Transaction
from penstock.services.storage.models.file_search import AllOf, AnyOf, Node, Not, Term
from penstock.services.storage.models.files import FileQuery, FileRow
from penstock.services.storage.store.files import files, tags

Condition = ColumnElement[bool]


def list_files(
    tx: Transaction,
    project_id: int,
    token_id: int | None,
    query: FileQuery,
    *,
    branch_id: int | None,
    search: Node | None,
    limit: int,
    alive_at: datetime | None,
) -> list[FileRow]:
    """Newest first; given a branch, only its files; given a token, only those it created; given a time, only those not
    yet expired then."""
    conditions = [files.c.project_id == project_id, *_asked(project_id, query)]
    if branch_id is not None:
        conditions.append(files.c.branch_id == branch_id)
    if token_id is not None:
        conditions.append(files.c.token_id == token_id)
    if alive_at is not None:
        conditions.append(or_(files.c.expires.is_(None), files.c.expires > alive_at))
    if search is not None:
        conditions.append(_to_condition(project_id, search))
    statement = select(files).where(*conditions).order_by(files.c.id.desc())
    return tx.all(statement.limit(limit).offset(query.offset), into=FileRow)


def _asked(project_id: int, query: FileQuery) -> list[Condition]:
    conditions: list[Condition] = []
    if wanted := [query.tags] if isinstance(query.tags, str) else query.tags:
        conditions.append(_has_tag(project_id, tags.c.tag.in_(wanted)))
    if query.run_id:
        # A child's run id is its parent's, a dot and its own.
        within = and_(files.c.run_id > f"{query.run_id}.", files.c.run_id < f"{query.run_id}/")
        conditions.append(or_(files.c.run_id == query.run_id, within))
    if query.since_id is not None:
        conditions.append(files.c.id > query.since_id)
    if query.max_id is not None:
        conditions.append(files.c.id < query.max_id)
    return conditions


def _to_condition(project_id: int, node: Node) -> Condition:
    match node:
        case AllOf(of):
            return and_(*(_to_condition(project_id, part) for part in of))
        case AnyOf(of):
            return or_(*(_to_condition(project_id, part) for part in of))
        case Not(of):
            return not_(_to_condition(project_id, of))
        case Term():
            return _holds(project_id, node)


def _holds(project_id: int, term: Term) -> Condition:
    if term.field == "id":
        number = ids.read_id(term.text)
        return files.c.id == number if number is not None else false()
    in_tags, in_name = _has_tag(project_id, _is_tag(term)), _is_in_name(term)
    return {"tags": in_tags, "name": in_name}.get(term.field, or_(in_name, in_tags))


def _has_tag(project_id: int, condition: Condition) -> Condition:
    # A list and not a correlated subquery: the database computes it once, from the index.
    return files.c.id.in_(select(tags.c.file_id).where(tags.c.project_id == project_id, condition))


def _is_tag(term: Term) -> Condition:
    """A tag matches as a whole, unless it has a wildcard."""
    is_open = term.is_open_left or term.is_open_right
    return tags.c.tag.ilike(_pattern(term), escape="\\") if is_open else tags.c.tag == term.text


def _is_in_name(term: Term) -> Condition:
    """A word matches a part of the name, unless it has a wildcard."""
    is_open = term.is_open_left or term.is_open_right
    return files.c.name.ilike(_pattern(term) if is_open else f"%{_escaped(term)}%", escape="\\")


def _pattern(term: Term) -> str:
    return f"{'%' if term.is_open_left else ''}{_escaped(term)}{'%' if term.is_open_right else ''}"


def _escaped(term: Term) -> str:
    return term.text.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_")
