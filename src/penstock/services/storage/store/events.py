"""Events."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import datetime

import msgspec
from sqlalchemy import (
    JSON,
    BigInteger,
    Column,
    ColumnElement,
    Index,
    Table,
    Text,
    and_,
    delete,
    func,
    literal,
    or_,
    select,
)

from penstock.foundation import ids
from penstock.foundation.database import Timestamp, Transaction, metadata
from penstock.services.storage.models.event_search import Clause, parse_search
from penstock.services.storage.models.events import EventQuery, EventRow

events = Table(
    "storage_events",
    metadata,
    Column("id", BigInteger, primary_key=True),
    Column("uuid", Text, nullable=False),
    Column("project_id", BigInteger, nullable=False),
    Column("branch_id", BigInteger, nullable=False),
    Column("run_id", Text),
    Column("event", Text, nullable=False),
    Column("type", Text, nullable=False),
    Column("message", Text, nullable=False),
    Column("description", Text, nullable=False),
    Column("component", Text, nullable=False),
    Column("configuration_id", Text),
    Column("object_id", Text),
    Column("object_type", Text),
    Column("params", JSON, nullable=False),
    Column("results", JSON, nullable=False),
    Column("context", JSON, nullable=False, server_default="{}"),
    Column("duration", BigInteger),
    Column("token_id", BigInteger, nullable=False),
    Column("token_description", Text, nullable=False),
    Column("created", Timestamp, nullable=False),
    Index("storage_events_by_project", "project_id", "id"),
    Index("storage_events_by_run", "project_id", "run_id", "id"),
    Index("storage_events_by_object", "project_id", "object_id", "id"),
    Index("storage_events_by_uuid", "uuid"),
)


class About(msgspec.Struct, frozen=True):
    """Selects events: those a token caused, those of an object, or all of a project."""

    token_id: int | None = None
    object_id: str = ""
    with_content: bool = False
    """Whether events of a bucket's tables are included."""
    branch_id: int | None = None
    """In one branch only: objects of different branches may have the same id."""


def add_events(tx: Transaction, rows: list[EventRow]) -> None:
    tx.insert_all(events, [msgspec.structs.asdict(row) for row in rows])


def find_event(tx: Transaction, project_id: int, event_id: str) -> EventRow | None:
    """Find an event by id, or by uuid."""
    number = ids.read_id(event_id)
    named = events.c.uuid == event_id if number is None else events.c.id == number
    return tx.one(select(events).where(events.c.project_id == project_id, named), into=EventRow)


def list_events(
    tx: Transaction, project_id: int, about: About, query: EventQuery, runs: Sequence[str] = ()
) -> list[EventRow]:
    """Newest first unless asked otherwise."""
    since, until = (_number_of(project_id, given) for given in (query.since_id, query.max_id))
    conditions = [events.c.project_id == project_id, *_about(about), *_filters(query, runs)]
    if query.since_id:
        conditions.append(events.c.id > since)
    if query.max_id:
        conditions.append(events.c.id < until)
    order = events.c.id.asc() if query.sort_order == "asc" else events.c.id.desc()
    statement = select(events).where(*conditions).order_by(order)
    return tx.all(statement.limit(query.limit).offset(query.offset), into=EventRow)


def count_by_object(tx: Transaction, project_id: int, about: About, run_id: str, event: str) -> list[tuple[str, int]]:
    """How often each object had this event in a run and its children."""
    of_run = (events.c.project_id == project_id, _at_or_below(events.c.run_id, run_id), events.c.event == event)
    query = select(events.c.object_id, func.count()).where(*of_run, *_about(about)).group_by(events.c.object_id)
    found = tx.connection.execute(query.order_by(events.c.object_id))
    return [(str(row[0]), int(row[1])) for row in found]


def remove_oldest(tx: Transaction, before: datetime, most: int) -> int:
    """Remove the oldest events; returns how many. Ids grow with time, so these have the lowest ids."""
    oldest = select(events.c.id).order_by(events.c.id).limit(most).scalar_subquery()
    return tx.change(delete(events).where(events.c.id.in_(oldest), events.c.created < before))


def _about(about: About) -> list[ColumnElement[bool]]:
    conditions: list[ColumnElement[bool]] = []
    if about.token_id is not None:
        conditions.append(events.c.token_id == about.token_id)
    if about.object_id and about.with_content:
        conditions.append(_at_or_below(events.c.object_id, about.object_id))
    elif about.object_id:
        conditions.append(events.c.object_id == about.object_id)
    if about.branch_id is not None:
        conditions.append(events.c.branch_id == about.branch_id)
    return conditions


def _filters(query: EventQuery, runs: Sequence[str]) -> list[ColumnElement[bool]]:
    conditions = [_to_condition(clause) for clause in parse_search(query.q)]
    if query.run_id:
        # A child's run id is its parent's, a dot and its own: the parent's log includes its children's.
        of_run = _at_or_below(events.c.run_id, query.run_id)
        conditions.append(or_(of_run, events.c.run_id.in_(runs)) if runs else of_run)
    if query.component:
        conditions.append(events.c.component == query.component)
    if query.configuration_id:
        conditions.append(events.c.configuration_id == query.configuration_id)
    return conditions


def _at_or_below(column: ColumnElement[str], name: str) -> ColumnElement[bool]:
    """The name itself, or the name, a dot and more. A range and not LIKE, which would scan all events."""
    return or_(column == name, and_(column > f"{name}.", column < f"{name}/"))


def _to_condition(clause: Clause) -> ColumnElement[bool]:
    column: ColumnElement[str] = events.c[clause.column]
    if len(clause.pieces) == 1 and not clause.is_prose:
        return column == clause.pieces[0]
    pattern = "%".join(re.sub(r"([%_\\])", r"\\\1", piece) for piece in clause.pieces)
    # Regardless of case on every database: SQLite's LIKE already is.
    return column.ilike(f"%{pattern}%" if clause.is_prose else pattern, escape="\\")


def _number_of(project_id: int, reference: str) -> ColumnElement[int]:
    """The numeric id of an id or uuid; null if it does not exist, and then the list is empty."""
    number = ids.read_id(reference)
    if number is not None:
        return literal(number)
    return select(events.c.id).where(events.c.project_id == project_id, events.c.uuid == reference).scalar_subquery()
