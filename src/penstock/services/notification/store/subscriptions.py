"""Subscriptions. One that has expired is not found any more."""

from __future__ import annotations

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
    bindparam,
    delete,
    func,
    insert,
    or_,
    select,
)

from penstock.foundation.database import Timestamp, Transaction, metadata
from penstock.services.notification.models import SubscriptionRow

subscriptions = Table(
    "notification_subscriptions",
    metadata,
    Column("id", BigInteger, primary_key=True),
    Column("project_id", BigInteger, nullable=False),
    Column("event", Text, nullable=False),
    Column("filters", JSON, nullable=False),
    Column("channel", Text, nullable=False),
    Column("address", Text, nullable=False),
    Column("creator_id", BigInteger, nullable=False),
    Column("created", Timestamp, nullable=False),
    Column("expires", Timestamp),
    Index("notification_subscriptions_by_event", "project_id", "event", "id"),
    Index("notification_subscriptions_projects", "event", "project_id"),
)

_NOW = bindparam("now", type_=Timestamp)
_IS_ACTIVE = or_(subscriptions.c.expires.is_(None), subscriptions.c.expires > _NOW)
_FIND_ANY = (
    select(subscriptions.c.id)
    .where(
        subscriptions.c.project_id == bindparam("project_id"), subscriptions.c.event == bindparam("event"), _IS_ACTIVE
    )
    .limit(1)
)
"""Built once: it is executed at the end of every job."""


def add_subscription(tx: Transaction, row: SubscriptionRow) -> None:
    tx.change(insert(subscriptions).values(msgspec.to_builtins(row, builtin_types=(datetime,))))


def find_subscription(tx: Transaction, project_id: int, subscription_id: int, now: datetime) -> SubscriptionRow | None:
    found = _list(tx, now, subscriptions.c.project_id == project_id, subscriptions.c.id == subscription_id)
    return found[0] if found else None


def list_subscriptions(tx: Transaction, project_id: int, event: str, now: datetime) -> list[SubscriptionRow]:
    """List the subscriptions for one event, or all if it is empty; in the order of their creation."""
    of_event = [subscriptions.c.event == event] if event else []
    return _list(tx, now, subscriptions.c.project_id == project_id, *of_event)


def count_subscriptions(tx: Transaction, project_id: int) -> int:
    mine = subscriptions.c.project_id == project_id
    return int(tx.value(select(func.count()).select_from(subscriptions).where(mine)))


def has_subscription(tx: Transaction, project_id: int, event: str, now: datetime) -> bool:
    return tx.value(_FIND_ANY, project_id=project_id, event=event, now=now) is not None


def exists(tx: Transaction, project_id: int, subscription_id: int) -> bool:
    """Whether it was not deleted; it may have expired."""
    mine = (subscriptions.c.project_id == project_id, subscriptions.c.id == subscription_id)
    return tx.value(select(subscriptions.c.id).where(*mine)) is not None


def list_projects(tx: Transaction, events: list[str], now: datetime) -> list[int]:
    """The projects that have a subscription to one of these events."""
    found = select(subscriptions.c.project_id).where(subscriptions.c.event.in_(events), _IS_ACTIVE)
    return list(tx.connection.execute(found.distinct(), {"now": now}).scalars())


def has_channel(tx: Transaction, channel: str, now: datetime) -> bool:
    """Whether some project has a subscription with this channel."""
    found = select(subscriptions.c.id).where(subscriptions.c.channel == channel, _IS_ACTIVE).limit(1)
    return tx.value(found, now=now) is not None


def remove_subscription(tx: Transaction, project_id: int, subscription_id: int) -> None:
    mine = (subscriptions.c.project_id == project_id, subscriptions.c.id == subscription_id)
    tx.change(delete(subscriptions).where(*mine))


def remove_expired(tx: Transaction, now: datetime) -> None:
    tx.change(delete(subscriptions).where(subscriptions.c.expires <= now))


def _list(tx: Transaction, now: datetime, *conditions: ColumnElement[bool]) -> list[SubscriptionRow]:
    statement = select(subscriptions).where(*conditions, _IS_ACTIVE).order_by(subscriptions.c.id)
    found = tx.connection.execute(statement, {"now": now}).mappings()
    return [msgspec.convert({str(name): value for name, value in row.items()}, SubscriptionRow) for row in found]
