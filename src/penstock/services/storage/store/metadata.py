"""Metadata of buckets, tables, columns, configurations and branches."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime

from sqlalchemy import (
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
    select,
    update,
)

from penstock.foundation.database import Timestamp, Transaction, metadata
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
    Column("timestamp", Timestamp, nullable=False),
    Index(
        "storage_metadata_by_object",
        *("project_id", "branch_id", "kind", "object_id", "provider", "key"),
        unique=True,
    ),
    Index("storage_metadata_by_key", "project_id", "branch_id", "kind", "key"),
)

_KEY = ("project_id", "branch_id", "kind", "object_id", "provider", "key")


_REPLACE = f"ON CONFLICT ({', '.join(_KEY)}) DO UPDATE SET value = excluded.value, timestamp = excluded.timestamp"


def put_items(
    tx: Transaction,
    one: Owner,
    values: Mapping[tuple[str, str], str],
    numbers: Iterable[int],
    provider: str,
    now: datetime,
) -> None:
    """Insert values by the ids of their objects and their keys; for an existing key only the value and the time change.
    The objects are of the kind and in the branch of `one`."""
    count = len(values)
    columns = {
        "id": list(numbers),
        "project_id": [one.project_id] * count,
        "branch_id": [one.branch_id] * count,
        "kind": [one.kind] * count,
        "object_id": [object_id for object_id, _ in values],
        "provider": [provider] * count,
        "key": [key for _, key in values],
        "value": list(values.values()),
        "timestamp": [now] * count,
    }
    tx.insert_columns(items, columns, _REPLACE)


def count_items(tx: Transaction, owner: Owner) -> int:
    return int(tx.value(select(func.count()).select_from(items).where(_of(owner))))


def count_items_below(tx: Transaction, owner: Owner, prefix: str) -> int:
    below = _below(owner.project_id, owner.branch_id, owner.kind, prefix)
    return int(tx.value(select(func.count()).select_from(items).where(below)))


def list_keys(tx: Transaction, owner: Owner, provider: str) -> set[tuple[str, str]]:
    """List keys with the id of the object."""
    return _list_keys(tx, _of(owner), provider)


def list_keys_below(tx: Transaction, owner: Owner, prefix: str, provider: str) -> set[tuple[str, str]]:
    return _list_keys(tx, _below(owner.project_id, owner.branch_id, owner.kind, prefix), provider)


def _list_keys(tx: Transaction, which: ColumnElement[bool], provider: str) -> set[tuple[str, str]]:
    query = select(items.c.object_id, items.c.key).where(which, items.c.provider == provider)
    return {(row.object_id, row.key) for row in tx.connection.execute(query)}


def list_items(tx: Transaction, owner: Owner) -> list[MetadataRow]:
    """List metadata in the order in which they were first added."""
    return tx.all(select(items).where(_of(owner)).order_by(items.c.id), into=MetadataRow)


def list_owner_ids(
    tx: Transaction, project_id: int, branch_id: int, kind: str, key: str, value: str | None, provider: str
) -> list[str]:
    """The objects that have an item with this key, value and provider, as far as each is given."""
    query = select(items.c.object_id).distinct().where(_all(project_id, branch_id, kind))
    if key:
        query = query.where(items.c.key == key)
    if value is not None:
        query = query.where(items.c.value == value)
    if provider:
        query = query.where(items.c.provider == provider)
    return list(tx.connection.execute(query.order_by(items.c.object_id)).scalars())


def list_items_below(tx: Transaction, project_id: int, branch_id: int, kind: str, prefix: str) -> list[MetadataRow]:
    query = select(items).where(_below(project_id, branch_id, kind, prefix))
    return tx.all(query.order_by(items.c.id), into=MetadataRow)


def remove_item(tx: Transaction, owner: Owner, item_id: int) -> bool:
    return tx.change(delete(items).where(_of(owner), items.c.id == item_id)) > 0


def remove_key(tx: Transaction, owner: Owner, provider: str, key: str) -> None:
    tx.change(delete(items).where(_of(owner), items.c.provider == provider, items.c.key == key))


def remove_items(tx: Transaction, owner: Owner) -> None:
    tx.change(delete(items).where(_of(owner)))


def remove_items_below(tx: Transaction, project_id: int, branch_id: int, kind: str, prefix: str) -> None:
    tx.change(delete(items).where(_below(project_id, branch_id, kind, prefix)))


def move_items_below(tx: Transaction, project_id: int, branch_id: int, kind: str, prefix: str, new_prefix: str) -> None:
    """Give them to the objects with the same ids below another prefix, which must not have any."""
    rest = func.substr(items.c.object_id, len(prefix) + 1)
    below = _below(project_id, branch_id, kind, prefix)
    tx.change(update(items).where(below).values(object_id=literal(new_prefix, Text).concat(rest)))


def _of(owner: Owner) -> ColumnElement[bool]:
    return and_(_all(owner.project_id, owner.branch_id, owner.kind), items.c.object_id == owner.id)


def _below(project_id: int, branch_id: int, kind: str, prefix: str) -> ColumnElement[bool]:
    every = _all(project_id, branch_id, kind)
    if not prefix:
        return every
    # A range and not LIKE, which would match `in.c-A` for `in.c-a`, and scan the table.
    return and_(every, items.c.object_id >= prefix, items.c.object_id < prefix[:-1] + chr(ord(prefix[-1]) + 1))


def _all(project_id: int, branch_id: int, kind: str) -> ColumnElement[bool]:
    return and_(items.c.project_id == project_id, items.c.branch_id == branch_id, items.c.kind == kind)
