"""Metadata of maintainers, organizations, projects and users."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import BigInteger, Column, Table, Text, UniqueConstraint, delete, select

from penstock.foundation import ids
from penstock.foundation.database import Timestamp, Transaction, metadata
from penstock.services.management.models.features import Entry, MetadataItem, Owner

entries = Table(
    "management_metadata",
    metadata,
    Column("id", BigInteger, primary_key=True),
    Column("level", Text, nullable=False),
    Column("owner_id", BigInteger, nullable=False),
    Column("provider", Text, nullable=False),
    Column("key", Text, nullable=False),
    Column("value", Text, nullable=False),
    Column("timestamp", Timestamp, nullable=False),
    UniqueConstraint("level", "owner_id", "provider", "key", name="management_metadata_once"),
)

_REPLACE = (
    "ON CONFLICT (level, owner_id, provider, key) DO UPDATE SET value = excluded.value, timestamp = excluded.timestamp"
)


def put_entries(
    tx: Transaction, level: Owner, owner_id: int, provider: str, items: Sequence[MetadataItem], now: datetime
) -> None:
    """Store entries; those with a known key replace its value."""
    if not items:
        return
    last = {item.key: item.value for item in items}
    owner = {"level": level, "owner_id": owner_id, "provider": provider, "timestamp": now}
    rows = [
        {"id": number, **owner, "key": key, "value": value}
        for number, (key, value) in zip(ids.new_ids(tx, len(last)), last.items(), strict=True)
    ]
    tx.insert_all(entries, rows, _REPLACE)


def list_entries(tx: Transaction, level: Owner, owner_id: int) -> list[Entry]:
    columns = (entries.c.id, entries.c.provider, entries.c.key, entries.c.value, entries.c.timestamp)
    query = select(*columns).where(entries.c.level == level, entries.c.owner_id == owner_id)
    return tx.all(query.order_by(entries.c.id), into=Entry)


def remove_entry(tx: Transaction, level: Owner, owner_id: int, entry_id: int) -> bool:
    mine = (entries.c.level == level, entries.c.owner_id == owner_id, entries.c.id == entry_id)
    return tx.change(delete(entries).where(*mine)) > 0


def remove_entries(tx: Transaction, level: Owner, owner_id: int) -> None:
    tx.change(delete(entries).where(entries.c.level == level, entries.c.owner_id == owner_id))
