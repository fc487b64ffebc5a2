"""Deliveries. The table is the queue from which workers send, and the delivery log."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import datetime
from typing import Any

import msgspec
from sqlalchemy import (
    BigInteger,
    Column,
    ColumnElement,
    Index,
    Integer,
    LargeBinary,
    Table,
    Text,
    delete,
    func,
    insert,
    select,
    text,
    update,
)

from penstock.foundation import clock
from penstock.foundation.database import Timestamp, Transaction, metadata
from penstock.foundation.jobs import claims
from penstock.services.management.interface import CLAIMED
from penstock.services.notification.models import DeliveriesQuery, DeliveryRow

_UNFINISHED, _RUNNING = text("NOT is_finished"), text("NOT is_finished AND worker IS NOT NULL")

deliveries = Table(
    "notification_deliveries",
    metadata,
    Column("id", BigInteger, primary_key=True),
    Column("project_id", BigInteger, nullable=False),
    Column("subscription_id", BigInteger),
    Column("event", Text, nullable=False),
    Column("channel", Text, nullable=False),
    Column("address", Text, nullable=False),
    Column("content", LargeBinary, nullable=False),
    Column("unique_id", Text),
    Column("error", Text),
    Column("delayed_until", Timestamp),
    Column("refused_by", Text),
    Column("refusals", Integer, nullable=False),
    *claims.columns(),
    Index(
        "notification_deliveries_unfinished",
        "project_id",
        "id",
        sqlite_where=_UNFINISHED,
        postgresql_where=_UNFINISHED,
    ),
    Index("notification_deliveries_running", "project_id", sqlite_where=_RUNNING, postgresql_where=_RUNNING),
    Index("notification_deliveries_by_project", "project_id", "id"),
    Index("notification_deliveries_by_subscription", "project_id", "subscription_id", "id"),
    Index("notification_deliveries_once", "subscription_id", "unique_id", unique=True),
    Index("notification_deliveries_by_end", "end_time"),
)

CLAIMS = claims.Claims(deliveries, delayed="delayed_until", projects=CLAIMED)


def add_deliveries(tx: Transaction, rows: Sequence[DeliveryRow]) -> None:
    tx.change(insert(deliveries), [msgspec.structs.asdict(row) for row in rows])


def list_notified(tx: Transaction, subscription_ids: Collection[int], unique_id: str) -> set[int]:
    """List those subscriptions that have a delivery with this id."""
    same = (deliveries.c.subscription_id.in_(list(subscription_ids)), deliveries.c.unique_id == unique_id)
    return set(tx.connection.execute(select(deliveries.c.subscription_id).where(*same)).scalars())


def count_unfinished(tx: Transaction, project_id: int) -> int:
    """Count unfinished deliveries, without those that settings refuse: these do not keep others from being sent."""
    return _count_unfinished(tx, project_id, deliveries.c.refused_by.is_(None))


def count_refused(tx: Transaction, project_id: int) -> int:
    return _count_unfinished(tx, project_id, deliveries.c.refused_by.is_not(None))


def _count_unfinished(tx: Transaction, project_id: int, condition: ColumnElement[bool]) -> int:
    mine = (deliveries.c.project_id == project_id, ~deliveries.c.is_finished, condition)
    return int(tx.value(select(func.count()).select_from(deliveries).where(*mine)))


def list_deliveries(
    tx: Transaction, project_id: int, subscription_id: int | None, query: DeliveriesQuery
) -> list[DeliveryRow]:
    """Newest first: those of a subscription, or all of the project."""
    mine = [deliveries.c.project_id == project_id]
    if subscription_id is not None:
        mine.append(deliveries.c.subscription_id == subscription_id)
    statement = select(deliveries).where(*mine).order_by(deliveries.c.id.desc())
    found = tx.connection.execute(statement.offset(query.offset).limit(query.limit)).mappings()
    return [_read(row) for row in found]


def claim(tx: Transaction, worker: str, now: datetime) -> DeliveryRow | None:
    row = CLAIMS.claim(tx, worker, now)
    return _read(row) if row else None


def renew(tx: Transaction, row: DeliveryRow) -> None:
    claims.change_claimed(tx, deliveries, row, lease_until=clock.now() + claims.LEASE)


def finish(tx: Transaction, row: DeliveryRow, error: str | None) -> None:
    """Raises LeaseLost if another worker has claimed it."""
    claims.finish(tx, deliveries, row, error)


def delay(tx: Transaction, row: DeliveryRow, until: datetime, error: str) -> None:
    """Release it, to be tried again at that time."""
    claims.delay(tx, deliveries, row, until, error=error, refused_by=None)


def delay_refused(tx: Transaction, row: DeliveryRow, until: datetime, error: str, refused_by: str) -> None:
    """Release it, to be tried again at that time, or earlier with other settings: `refused_by` identifies these."""
    claims.delay(tx, deliveries, row, until, error=error, refused_by=refused_by, refusals=row.refusals + 1)


def release_refused(tx: Transaction, settings: str, now: datetime) -> None:
    """Let those be tried now that other settings than these refused."""
    refused = (deliveries.c.refused_by.is_not(None), deliveries.c.refused_by != settings)
    waiting = (~deliveries.c.is_finished, deliveries.c.delayed_until > now)
    tx.change(update(deliveries).where(*refused, *waiting).values(delayed_until=now))


def remove_ended(tx: Transaction, before: datetime) -> None:
    tx.change(delete(deliveries).where(deliveries.c.end_time < before, deliveries.c.is_finished))


def _read(row: Any) -> DeliveryRow:
    return msgspec.convert({str(name): value for name, value in row.items()}, DeliveryRow)
