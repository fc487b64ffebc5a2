"""Purges of projects: one job each, which is removed with everything else of the project."""

from __future__ import annotations

from datetime import datetime

import msgspec
from sqlalchemy import BigInteger, Column, Index, Table, insert, select

from penstock.foundation import clock, ids
from penstock.foundation.database import Transaction, metadata
from penstock.foundation.jobs import claims
from penstock.services.storage.store.buckets import buckets
from penstock.services.storage.store.files import files
from penstock.services.storage.store.snapshots import snapshots

purges = Table(
    "storage_purges",
    metadata,
    Column("id", BigInteger, primary_key=True),
    Column("project_id", BigInteger, nullable=False),
    *claims.columns(),
    Index("storage_purges_by_project", "project_id", "id"),
)
CLAIMS = claims.Claims(purges)


class Purge(msgspec.Struct, frozen=True, kw_only=True):
    id: int
    project_id: int
    attempt: int
    worker: str | None


def add_purge(tx: Transaction, project_id: int) -> None:
    new = {"status": "created", "is_finished": False, "attempt": 0, "lost_leases": 0, "created_time": clock.now()}
    tx.change(insert(purges).values(id=ids.new_id(tx), project_id=project_id, **new))


def claim(tx: Transaction, worker: str, now: datetime) -> Purge | None:
    row = CLAIMS.claim(tx, worker, now)
    return msgspec.convert(row, Purge) if row else None


def renew(tx: Transaction, purge: Purge) -> None:
    """Raises LeaseLost if another worker has claimed it."""
    claims.change_claimed(tx, purges, purge, lease_until=clock.now() + claims.LEASE)


def list_lake_numbers(tx: Transaction, project_id: int) -> list[int]:
    """List the numbers of its own buckets and of its snapshots: both are folders of the lake."""
    own = select(buckets.c.number).where(buckets.c.project_id == project_id, buckets.c.source_bucket_id.is_(None))
    copies = select(snapshots.c.id).where(snapshots.c.project_id == project_id)
    return [*tx.connection.scalars(own), *tx.connection.scalars(copies)]


def list_file_ids(tx: Transaction, project_id: int) -> list[int]:
    return list(tx.connection.scalars(select(files.c.id).where(files.c.project_id == project_id)))
