"""Metadata of buckets, tables, columns, configurations and branches."""

from __future__ import annotations

from datetime import datetime

import msgspec
from sqlalchemy import BigInteger, Column, ColumnElement, Index, Table, Text, and_, delete, insert, select, update

from penstock.foundation.database import Moment, Transaction, metadata
from penstock.services.storage.models.metadata import MetadataRow, Owner

items = Table(
    "storage_metadata",
    metadata,
    Column("id", BigInteger, primary_key=True),
    Column("project_id", BigInteger, nullable=False),
    Column("branch_id", BigInteger, nullable=False),
    Column("kind", Text, nullable=False),
    Column("object_id", Text, nullable=False),
    Column("provider", Text, nullable=False),
    Column("key", Text, nullable=False),
    Column("value", Text, nullable=False),
    Column("timestamp", Moment, nullable=False),
    Index(
        "storage_metadata_by_object",
        *("project_id", "branch_id", "kind", "object_id", "provider", "key"),
        unique=True,
    ),
)


def add_item(tx: Transaction, row: MetadataRow) -> None:
    tx.change(insert(items).values(msgspec.structs.asdict(row)))


def change_item(tx: Transaction, owner: Owner, provider: str, key: str, value: str, now: datetime) -> bool:
    """Overwrite the value of a key, if it is there."""
    same = and_(_of(owner), items.c.provider == provider, items.c.key == key)
    return tx.change(update(items).where(same).values(value=value, timestamp=now)) > 0


def list_items(tx: Transaction, owner: Owner) -> list[MetadataRow]:
    """In the order in which they were first given."""
    return tx.all(select(items).where(_of(owner)).order_by(items.c.id), into=MetadataRow)


def list_items_below(tx: Transaction, project_id: int, branch_id: int, kind: str, prefix: str) -> list[MetadataRow]:
    question = select(items).where(_below(project_id, branch_id, kind, prefix))
    return tx.all(question.order_by(items.c.id), into=MetadataRow)


def remove_item(tx: Transaction, owner: Owner, item_id: int) -> bool:
    return tx.change(delete(items).where(_of(owner), items.c.id == item_id)) > 0


def remove_items(tx: Transaction, owner: Owner) -> None:
    tx.change(delete(items).where(_of(owner)))


def remove_items_below(tx: Transaction, project_id: int, branch_id: int, kind: str, prefix: str) -> None:
    tx.change(delete(items).where(_below(project_id, branch_id, kind, prefix)))


def _of(owner: Owner) -> ColumnElement[bool]:
    return and_(_all(owner.project_id, owner.branch_id, owner.kind), items.c.object_id == owner.id)


def _below(project_id: int, branch_id: int, kind: str, prefix: str) -> ColumnElement[bool]:
    every = _all(project_id, branch_id, kind)
    if not prefix:
        return every
    # A range and not LIKE: that would take `in.c-A` for `in.c-a`, and read everything.
    return and_(every, items.c.object_id >= prefix, items.c.object_id < prefix[:-1] + chr(ord(prefix[-1]) + 1))


def _all(project_id: int, branch_id: int, kind: str) -> ColumnElement[bool]:
    return and_(items.c.project_id == project_id, items.c.branch_id == branch_id, items.c.kind == kind)
