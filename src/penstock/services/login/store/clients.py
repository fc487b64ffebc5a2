"""Programs that have registered themselves."""

from __future__ import annotations

from datetime import datetime

import msgspec
from sqlalchemy import JSON, Column, Index, Table, Text, delete, func, insert, select, update

from penstock.foundation import clock
from penstock.foundation.database import Timestamp, Transaction, metadata

clients = Table(
    "management_login_clients",
    metadata,
    Column("id", Text, primary_key=True),
    Column("name", Text, nullable=False),
    Column("redirect_uris", JSON, nullable=False),
    Column("created", Timestamp, nullable=False),
    Column("used", Timestamp),
    Index("management_login_clients_by_use", "used", "created"),
)


class Client(msgspec.Struct, frozen=True, kw_only=True):
    id: str
    name: str
    """What it calls itself."""
    redirect_uris: list[str]
    created: datetime
    used: datetime | None = None
    """When a person last let it in, or it last got tokens."""


def add_client(tx: Transaction, client: Client) -> None:
    tx.change(insert(clients).values(msgspec.structs.asdict(client)))


def find_client(tx: Transaction, client_id: str) -> Client | None:
    return tx.one(select(clients).where(clients.c.id == client_id), into=Client)


def count_clients(tx: Transaction) -> int:
    return int(tx.value(select(func.count()).select_from(clients)))


def remove_oldest_unused(tx: Transaction) -> bool:
    """Whether there was one that nobody has let in."""
    unused = select(clients.c.id).where(clients.c.used.is_(None)).order_by(clients.c.created, clients.c.id).limit(1)
    return tx.change(delete(clients).where(clients.c.id.in_(unused.scalar_subquery()))) > 0


def mark_used(tx: Transaction, client_id: str) -> None:
    tx.change(update(clients).where(clients.c.id == client_id).values(used=clock.now()))


def remove_old(tx: Transaction, unused_before: datetime, used_before: datetime) -> None:
    is_unused = clients.c.used.is_(None) & (clients.c.created < unused_before)
    tx.change(delete(clients).where(is_unused | (clients.c.used < used_before)))
