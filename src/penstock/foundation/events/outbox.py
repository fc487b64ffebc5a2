"""The outbox: published events and their deliveries, stored as a table of jobs.

A published event is one row without a reaction. The worker that claims it adds one row per reaction: then each reaction
is delivered, retried and recorded separately.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

import msgspec
from sqlalchemy import (
    BigInteger,
    Column,
    ColumnElement,
    Index,
    LargeBinary,
    Table,
    Text,
    delete,
    exists,
    insert,
    text,
)

from penstock.foundation import clock, ids
from penstock.foundation.database import Timestamp, Transaction, metadata
from penstock.foundation.events.event import Event
from penstock.foundation.jobs import claims
from penstock.foundation.stack import Stack

DELIVERED, FAILED = claims.SUCCESS, claims.ERROR
KEPT = {DELIVERED: timedelta(days=1), FAILED: timedelta(days=30)}
NOBODY = ""
"""The reaction of an event whose deliveries are not created yet."""
_UNFINISHED, _RUNNING = text("NOT is_finished"), text("NOT is_finished AND worker IS NOT NULL")
_NOT_FINISHED: dict[str, Any] = {"sqlite_where": _UNFINISHED, "postgresql_where": _UNFINISHED}

outbox = Table(
    "foundation_outbox",
    metadata,
    Column("id", BigInteger, primary_key=True),
    Column("project_id", BigInteger, nullable=False),
    Column("event", Text, nullable=False),
    Column("content", LargeBinary, nullable=False),
    Column("reaction", Text, nullable=False),
    Column("delayed_until", Timestamp),
    Column("error", Text),
    *claims.columns(),
    Index("foundation_outbox_unfinished", "project_id", "id", **_NOT_FINISHED),
    Index("foundation_outbox_unfinished_by_reaction", "project_id", "reaction", "id", **_NOT_FINISHED),
    Index("foundation_outbox_running", "project_id", sqlite_where=_RUNNING, postgresql_where=_RUNNING),
    Index("foundation_outbox_by_end", "status", "end_time"),
)

_ADD = insert(outbox)


class Delivery(msgspec.Struct, frozen=True, kw_only=True):
    """An event to be delivered to one reaction, or one whose deliveries are not created yet."""

    id: int
    project_id: int
    event: str
    content: bytes
    reaction: str
    attempt: int
    worker: str | None


def publish(tx: Transaction, event: Event) -> None:
    """Deliver it after the transaction commits; if it is rolled back, the event is dropped."""
    _add(tx, event.project_id, event.name, msgspec.json.encode(event), [NOBODY])


def hand_out(tx: Transaction, delivery: Delivery, reactions: list[str]) -> None:
    """Create one delivery for each reaction, after those of earlier events."""
    _add(tx, delivery.project_id, delivery.event, delivery.content, reactions)


def claim(tx: Transaction, worker: str, now: datetime) -> Delivery | None:
    row = CLAIMS.claim(tx, worker, now)
    return msgspec.convert(row, Delivery) if row else None


def finish(tx: Transaction, delivery: Delivery, error: str | None = None) -> None:
    """Raises LeaseLost if another worker has claimed it."""
    claims.finish(tx, outbox, delivery, error)


def delay(tx: Transaction, delivery: Delivery, seconds: float, error: str) -> None:
    """Release it, to be claimed after some time."""
    claims.delay(tx, outbox, delivery, clock.now() + timedelta(seconds=seconds), error=error)


def maintain(stack: Stack) -> None:
    """Remove delivered events; undeliverable ones are retained longer, for the operator."""
    with stack.database.writing() as tx:
        for status, kept in KEPT.items():
            tx.change(delete(outbox).where(outbox.c.status == status, outbox.c.end_time < clock.now() - kept))


def _add(tx: Transaction, project_id: int, event: str, content: bytes, reactions: list[str]) -> None:
    known = {"project_id": project_id, "event": event, "content": content, "created_time": clock.now()}
    new = {**known, "status": "created", "is_finished": False, "attempt": 0, "lost_leases": 0}
    numbers = ids.new_ids(tx, len(reactions)) if reactions else range(0)
    rows = [{"id": number, "reaction": reaction, **new} for number, reaction in zip(numbers, reactions, strict=True)]
    if rows:
        tx.change(_ADD, rows)


def _is_behind() -> ColumnElement[bool]:
    """An earlier delivery of its project to the same reaction comes first."""
    earlier = outbox.alias("earlier")
    same = [earlier.c[name] == outbox.c[name] for name in ("project_id", "reaction")]
    return exists().where(~earlier.c.is_finished, *same, earlier.c.id < outbox.c.id)


CLAIMS = claims.Claims(outbox, _is_behind(), delayed="delayed_until")
