"""Snapshots of tables as stored and returned."""

from __future__ import annotations

from datetime import datetime

import msgspec

from penstock.foundation.structs import Wire
from penstock.services.storage.models import Number, TokenRef, to_text
from penstock.services.storage.models.column_types import ColumnType


class SnapshotRow(msgspec.Struct, frozen=True, kw_only=True):
    """A snapshot as stored. Its rows are in the lake under its id."""

    id: int
    project_id: int
    branch_id: int
    table_id: str
    description: str
    columns: list[str]
    primary_key: list[str]
    types: dict[str, ColumnType] | None
    rows_count: int
    data_size_bytes: int
    created: datetime
    creator_id: int
    creator_description: str


class NewSnapshot(Wire, frozen=True):
    description: str = ""
    """Why the snapshot is taken."""


class SnapshotQuery(Wire, frozen=True):
    limit: Number = 100
    """The highest number of snapshots to return."""
    offset: Number = 0


class SnapshotTable(Wire, frozen=True):
    id: str
    name: str
    columns: list[str]
    primary_key: list[str]


class Snapshot(Wire, frozen=True):
    id: int
    description: str
    created_time: str
    data_size_bytes: int
    rows_count: int
    creator_token: TokenRef
    table: SnapshotTable


def snapshot_view(row: SnapshotRow) -> Snapshot:
    return Snapshot(
        id=row.id,
        description=row.description,
        created_time=to_text(row.created),
        data_size_bytes=row.data_size_bytes,
        rows_count=row.rows_count,
        creator_token=TokenRef(row.creator_id, row.creator_description),
        table=SnapshotTable(
            id=row.table_id, name=row.table_id.rpartition(".")[2], columns=row.columns, primary_key=row.primary_key
        ),
    )
