"""Search by name in one statement: the database counts, sorts and cuts, so only the requested page is loaded."""

from __future__ import annotations

import string
from collections.abc import Collection, Sequence
from typing import Any

import msgspec
from sqlalchemy import (
    BigInteger,
    ColumnElement,
    CompoundSelect,
    FromClause,
    Select,
    Text,
    and_,
    case,
    cast,
    exists,
    func,
    literal,
    null,
    or_,
    select,
    true,
    union_all,
)

from penstock.foundation.database import Timestamp, Transaction
from penstock.services.storage.models.search import BUCKET, CONFIGURATION, ROW, TABLE, WORKSPACE, Hit
from penstock.services.storage.models.workspaces import SCHEMA_PREFIX
from penstock.services.storage.store.branches import branches
from penstock.services.storage.store.buckets import buckets, is_in_organization_of
from penstock.services.storage.store.configuration_rows import rows
from penstock.services.storage.store.configurations import configurations
from penstock.services.storage.store.tables import tables
from penstock.services.storage.store.workspaces import workspaces

_LOWER = str.maketrans(string.ascii_uppercase, string.ascii_lowercase)
_EXACT, _PREFIX, _INSIDE = 0, 1, 2
_OPTIONAL = ("component_id", "config_id", "bucket_id", "bucket_name")


class Scope(msgspec.Struct, frozen=True, kw_only=True):
    """What is searched: the branches, and within them what the caller may read. None means everything there."""

    project_id: int
    words: Sequence[str]
    types: Collection[str]
    branch_ids: Collection[int]
    storage_branch_ids: Collection[int]
    """Those with buckets and tables."""
    bucket_ids: Collection[str] | None
    component_ids: Collection[str] | None
    workspaces_of: int | None
    """The token whose workspaces are searched."""
    types_of_components: dict[str, list[str]]
    """The components whose configurations have another type than `configuration`."""


def count_hits(tx: Transaction, scope: Scope) -> dict[str, int]:
    """How many were found, by type."""
    found = _hits(scope).subquery()
    counted = select(found.c.type, func.count()).group_by(found.c.type).order_by(found.c.type)
    return {str(row[0]): int(row[1]) for row in tx.connection.execute(counted)}


def list_hits(tx: Transaction, scope: Scope, limit: int, offset: int) -> list[Hit]:
    """Names that are equal to the words first, then those that begin with them, then all others."""
    found = _hits(scope).subquery()
    order = [found.c.rank, func.lower(found.c.name), found.c.type, found.c.branch_id]
    keys = [found.c.component_id, found.c.config_id, found.c.bucket_id, found.c.id]
    page = select(found).order_by(*order, *keys).limit(limit).offset(offset).subquery()
    return tx.all(_with_details(scope.project_id, page), into=Hit)


def _with_details(project_id: int, page: FromClause) -> Select[Any]:
    """Read the rest of each object for the page only: it is stored behind documents, which may be large."""
    of_config = _is_configuration(project_id, page.c.branch_id, page.c.component_id, page.c.config_id)
    of_row = and_(
        *(rows.c[name] == page.c[name] for name in ("branch_id", "component_id", "config_id", "id")),
        rows.c.project_id == project_id,
        page.c.type == ROW,
    )
    created = func.coalesce(page.c.created, rows.c.created, configurations.c.created, type_=Timestamp)
    names = ("type", "id", "name", "branch_id", *_OPTIONAL)
    details = select(
        *(page.c[name] for name in names), created.label("created"), configurations.c.name.label("config_name")
    )
    joined = details.select_from(page.outerjoin(configurations, of_config).outerjoin(rows, of_row))
    order = (page.c.rank, func.lower(page.c.name), page.c.type, page.c.branch_id)
    return joined.order_by(*order, page.c.component_id, page.c.config_id, page.c.bucket_id, page.c.id)


def _is_configuration(
    project_id: int, branch_id: ColumnElement[Any], component_id: ColumnElement[Any], config_id: ColumnElement[Any]
) -> ColumnElement[bool]:
    return and_(
        configurations.c.project_id == project_id,
        configurations.c.branch_id == branch_id,
        configurations.c.component_id == component_id,
        configurations.c.id == config_id,
    )


def _hits(scope: Scope) -> CompoundSelect[Any]:
    makers = {BUCKET: [_buckets], TABLE: [_tables, _linked_tables], ROW: [_rows], WORKSPACE: [_workspaces]}
    chosen = [make(scope) for kind, found in makers.items() if kind in scope.types for make in found]
    configuration_types = [kind for kind in scope.types if kind not in makers]
    return union_all(*chosen, *([_configurations(scope, configuration_types)] if configuration_types else []))


def _buckets(scope: Scope) -> Select[Any]:
    hit = _hit(scope, BUCKET, buckets.c.id, buckets.c.display_name, buckets.c.branch_id, created=buckets.c.created)
    matches = _contains(scope.words, buckets.c.display_name, buckets.c.id)
    mine = (buckets.c.project_id == scope.project_id, buckets.c.branch_id.in_(scope.storage_branch_ids))
    return hit.where(*mine, _is_one_of(buckets.c.id, scope.bucket_ids), matches)


def _tables(scope: Scope) -> Select[Any]:
    hit = _table_hit(scope, buckets).join_from(tables, buckets, and_(*_same_place()))
    mine = (tables.c.project_id == scope.project_id, tables.c.branch_id.in_(scope.storage_branch_ids))
    return hit.where(*mine, _is_one_of(tables.c.bucket_id, scope.bucket_ids), _table_matches(scope))


def _linked_tables(scope: Scope) -> Select[Any]:
    """Tables of other projects' Main branch, in buckets that are linked here."""
    link = buckets.alias("link")
    is_source = and_(tables.c.project_id == link.c.source_project_id, tables.c.bucket_id == link.c.source_bucket_id)
    in_main = exists().where(branches.c.id == tables.c.branch_id, branches.c.is_default)
    hit = _table_hit(scope, link).join_from(tables, link, is_source)
    mine = (link.c.project_id == scope.project_id, link.c.branch_id.in_(scope.storage_branch_ids))
    shared = is_in_organization_of(scope.project_id, tables.c.project_id)
    return hit.where(*mine, in_main, shared, _is_one_of(link.c.id, scope.bucket_ids), _table_matches(scope))


def _table_hit(scope: Scope, bucket: FromClause) -> Select[Any]:
    table_id = bucket.c.id.concat(".").concat(tables.c.name)
    of_bucket = {"bucket_id": bucket.c.id, "bucket_name": bucket.c.display_name}
    return _hit(
        scope, TABLE, table_id, tables.c.display_name, bucket.c.branch_id, created=tables.c.created, **of_bucket
    )


def _table_matches(scope: Scope) -> ColumnElement[bool]:
    return _contains(scope.words, tables.c.display_name, tables.c.name)


def _same_place() -> list[ColumnElement[bool]]:
    places = (("project_id", "project_id"), ("branch_id", "branch_id"), ("bucket_id", "id"))
    return [tables.c[ours] == buckets.c[name] for ours, name in places]


def _configurations(scope: Scope, types: Sequence[str]) -> Select[Any]:
    others = {component: kind for kind, found in scope.types_of_components.items() for component in found}
    kind = case(others, value=configurations.c.component_id, else_=CONFIGURATION) if others else literal(CONFIGURATION)
    hit = _hit(
        scope,
        kind,
        configurations.c.id,
        configurations.c.name,
        configurations.c.branch_id,
        component_id=configurations.c.component_id,
        config_id=configurations.c.id,
    )
    mine = _is_own(scope, configurations), configurations.c.is_deleted.is_(False)
    matches = or_(_contains(scope.words, configurations.c.name), configurations.c.id == " ".join(scope.words))
    return hit.where(*mine, _has_type(scope, types), matches)


def _has_type(scope: Scope, types: Sequence[str]) -> ColumnElement[bool]:
    """A condition on the component, which the database evaluates before it reads a name."""
    known = scope.types_of_components
    others = [component for kind in known if kind not in types for component in known[kind]]
    if CONFIGURATION in types:
        return configurations.c.component_id.not_in(others)
    return configurations.c.component_id.in_([component for kind in types for component in known.get(kind, [])])


def _rows(scope: Scope) -> Select[Any]:
    of_config = {"component_id": rows.c.component_id, "config_id": rows.c.config_id}
    hit = _hit(scope, ROW, rows.c.id, rows.c.name, rows.c.branch_id, **of_config)
    is_kept = exists().where(
        _is_configuration(scope.project_id, rows.c.branch_id, rows.c.component_id, rows.c.config_id),
        configurations.c.is_deleted.is_(False),
    )
    matches = or_(_contains(scope.words, rows.c.name), rows.c.id == " ".join(scope.words))
    return hit.where(_is_own(scope, rows), matches, is_kept)


def _workspaces(scope: Scope) -> Select[Any]:
    name = literal(SCHEMA_PREFIX).concat(cast(workspaces.c.id, Text))
    of_config = {"component_id": workspaces.c.component, "config_id": workspaces.c.configuration_id}
    hit = _hit(
        scope,
        WORKSPACE,
        cast(workspaces.c.id, Text),
        name,
        workspaces.c.branch_id,
        created=workspaces.c.created,
        **of_config,
    )
    mine = (workspaces.c.project_id == scope.project_id, workspaces.c.branch_id.in_(scope.branch_ids))
    creator = () if scope.workspaces_of is None else (workspaces.c.creator_id == scope.workspaces_of,)
    return hit.where(*mine, *creator, _contains(scope.words, name))


def _is_own(scope: Scope, table: FromClause) -> ColumnElement[bool]:
    mine = (table.c.project_id == scope.project_id, table.c.branch_id.in_(scope.branch_ids))
    return and_(*mine, _is_one_of(table.c.component_id, scope.component_ids))


def _hit(
    scope: Scope,
    kind: str | ColumnElement[str],
    object_id: ColumnElement[str],
    name: ColumnElement[str],
    branch_id: ColumnElement[int],
    **others: ColumnElement[Any],
) -> Select[Any]:
    """The columns that all parts of the search have in common."""
    texts = {key: others.get(key, cast(null(), Text)).label(key) for key in _OPTIONAL}
    return select(
        (literal(kind, Text) if isinstance(kind, str) else cast(kind, Text)).label("type"),
        object_id.label("id"),
        name.label("name"),
        cast(branch_id, BigInteger).label("branch_id"),
        others.get("created", cast(null(), Timestamp)).label("created"),
        *texts.values(),
        _rank(scope.words, name).label("rank"),
    )


def _rank(words: Sequence[str], name: ColumnElement[str]) -> ColumnElement[int]:
    text, folded = " ".join(words), func.lower(name)
    is_prefix = or_(*(folded.startswith(each, autoescape=True) for each in _spellings(text)))
    return case((folded.in_(_spellings(text)), _EXACT), (is_prefix, _PREFIX), else_=_INSIDE)


def _contains(words: Sequence[str], *columns: ColumnElement[str]) -> ColumnElement[bool]:
    """Each word occurs in one of the columns."""
    return and_(*(or_(*(_has(word, column) for column in columns)) for word in words))


def _has(word: str, column: ColumnElement[str]) -> ColumnElement[bool]:
    return or_(*(func.lower(column).contains(each, autoescape=True) for each in _spellings(word)))


def _spellings(text: str) -> list[str]:
    """A text as lower() of either database returns it: SQLite's changes only the letters of ASCII."""
    every = (text, text.lower(), text.upper(), text.capitalize())
    return sorted({each.translate(_LOWER) for each in every})


def _is_one_of(column: ColumnElement[str], names: Collection[str] | None) -> ColumnElement[bool]:
    return true() if names is None else column.in_(names)
