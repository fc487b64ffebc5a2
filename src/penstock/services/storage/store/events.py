"""Events."""

from __future__ import annotations

import msgspec
from sqlalchemy import JSON, BigInteger, Column, Index, Table, Text, and_, insert, or_, select

from penstock.foundation import ids
from penstock.foundation.database import Moment, Transaction, metadata
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
    Column("params", JSON, nullable=False),
    Column("results", JSON, nullable=False),
    Column("token_id", BigInteger, nullable=False),
    Column("token_description", Text, nullable=False),
    Column("created", Moment, nullable=False),
    Index("storage_events_by_project", "project_id", "id"),
    Index("storage_events_by_run", "project_id", "run_id", "id"),
)


def add_events(tx: Transaction, rows: list[EventRow]) -> None:
    tx.change(insert(events), [msgspec.structs.asdict(row) for row in rows])


def find_event(tx: Transaction, project_id: int, event_id: str) -> EventRow | None:
    """By id, or by uuid."""
    number = ids.read_id(event_id)
    named = events.c.uuid == event_id if number is None else events.c.id == number
    return tx.one(select(events).where(events.c.project_id == project_id, named), into=EventRow)


def list_events(tx: Transaction, project_id: int, token_id: int | None, query: EventQuery) -> list[EventRow]:
    """Newest first unless asked otherwise; given a token, only what that token did."""
    question = select(events).where(events.c.project_id == project_id)
    if token_id is not None:
        question = question.where(events.c.token_id == token_id)
    if query.run_id:
        # A child's run id is its parent's, a dot and its own: the parent's log holds its children's.
        # A range and not LIKE, which would read every event of the project.
        within = and_(events.c.run_id > f"{query.run_id}.", events.c.run_id < f"{query.run_id}/")
        question = question.where(or_(events.c.run_id == query.run_id, within))
    for column, wanted in ((events.c.component, query.component), (events.c.configuration_id, query.configuration_id)):
        question = question.where(column == wanted) if wanted else question
    if query.q:
        question = question.where(events.c.message.contains(query.q, autoescape=True))
    if query.since_id is not None:
        question = question.where(events.c.id > query.since_id)
    if query.max_id is not None:
        question = question.where(events.c.id < query.max_id)
    order = events.c.id.asc() if query.sort_order == "asc" else events.c.id.desc()
    return tx.all(question.order_by(order).limit(query.limit).offset(query.offset), into=EventRow)
