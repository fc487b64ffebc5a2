"""Snapshots of tables; their rows are in the lake, in a schema of their own."""

from __future__ import annotations

from datetime import datetime

import msgspec
from sqlalchemy import JSON, BigInteger, Column, Index, Table, Text, delete, insert, select

from penstock.foundation.database import Timestamp, Transaction, metadata
from penstock.services.storage.models.snapshots import SnapshotRow
from penstock.services.storage.models.tables import TableRow

snapshots = Table(
    "storage_snapshots",
    metadata,
    Column("id", BigInteger, primary_key=True),
    Column("project_id", BigInteger, nullable=False),
    Column("branch_id", BigInteger, nullable=False),
    Column("table_id", Text, nullable=False),
    Column("description", Text, nullable=False),
    Column("columns", JSON, nullable=False),
    Column("primary_key", JSON, nullable=False),
    Column("types", JSON(none_as_null=True)),
    Column("rows_count", BigInteger, nullable=False),
    Column("data_size_bytes", BigInteger, nullable=False),
    Column("created", Timestamp, nullable=False),
    Column("creator_id", BigInteger, nullable=False),
    Column("creator_description", Text, nullable=False),
    Index("storage_snapshots_by_table", "project_id", "table_id", "id"),
)


def put_snapshot(tx: Transaction, row: SnapshotRow) -> None:
    remove_snapshot(tx, row.project_id, row.id)
    tx.change(insert(snapshots).values(msgspec.to_builtins(row, builtin_types=(datetime,))))


def find_snapshot(tx: Transaction, project_id: int, snapshot_id: int) -> SnapshotRow | None:
    query = select(snapshots).where(snapshots.c.project_id == project_id, snapshots.c.id == snapshot_id)
    found = tx.converted(query, into=SnapshotRow)
    return found[0] if found else None


def list_snapshots(tx: Transaction, table: TableRow, limit: int, offset: int) -> list[SnapshotRow]:
    """Newest first."""
    query = select(snapshots).where(
        snapshots.c.project_id == table.project_id,
        snapshots.c.branch_id == table.branch_id,
        snapshots.c.table_id == table.id,
    )
    query = query.order_by(snapshots.c.id.desc()).limit(limit).offset(offset)
    return tx.converted(query, into=SnapshotRow)


def list_branch_snapshots(tx: Transaction, project_id: int, branch_id: int) -> list[SnapshotRow]:
    """List snapshots of all tables of a branch, including deleted ones."""
    query = select(snapshots).where(snapshots.c.project_id == project_id, snapshots.c.branch_id == branch_id)
    return tx.converted(query, into=SnapshotRow)


def remove_snapshot(tx: Transaction, project_id: int, snapshot_id: int) -> None:
    tx.change(delete(snapshots).where(snapshots.c.project_id == project_id, snapshots.c.id == snapshot_id))
