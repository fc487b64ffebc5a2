"""Update the record of a table after its rows have changed."""

from __future__ import annotations

import msgspec

from penstock.foundation import clock
from penstock.foundation.database import Transaction
from penstock.foundation.lake import Lake, Loaded, folded
from penstock.foundation.stack.catalog_versions import note_versions
from penstock.services.storage.models.buckets import BucketRow
from penstock.services.storage.models.column_types import ColumnType
from penstock.services.storage.models.tables import TableRow
from penstock.services.storage.store import buckets, tables


def record_load(
    tx: Transaction,
    lake: Lake,
    bucket: BucketRow,
    name: str,
    columns: list[str],
    primary_key: list[str],
    loaded: Loaded,
    types: dict[str, ColumnType] | None = None,
    *,
    sets_order: bool,
) -> TableRow:
    """Record a load that is committed in the lake; the table may be new or have new columns. Without types it keeps its
    own.

    A load that replaces the table `sets_order`: its columns are then in the order of the file.
    """
    now = clock.now()
    known = tables.find_table(tx, bucket.project_id, bucket.branch_id, bucket.id, name)
    old = known.columns if known else []
    every = old + [column for column in columns if column not in old]
    row = TableRow(
        project_id=bucket.project_id,
        branch_id=bucket.branch_id,
        bucket_id=bucket.id,
        name=name,
        display_name=known.display_name if known else name,
        columns=_ordered(every, columns) if sets_order else every,
        primary_key=primary_key,
        rows_count=loaded.rows_count,
        data_size_bytes=loaded.data_size_bytes,
        created=known.created if known else now,
        changed=now,
        imported=now,
        types=types or (known.types if known else None),
    )
    put(tx, lake, bucket, row)
    return row


def _ordered(every: list[str], columns: list[str]) -> list[str]:
    """Return columns in the order of the file; columns that the file lacks follow in their previous order."""
    places = {folded(name): place for place, name in enumerate(columns)}
    return sorted(every, key=lambda name: places.get(folded(name), len(places)))


def record_change(tx: Transaction, lake: Lake, bucket: BucketRow, row: TableRow, **changes: object) -> TableRow:
    """Record a change other than a load. Concurrent changes of other fields are preserved."""
    known = tables.find_table(tx, row.project_id, row.branch_id, row.bucket_id, row.name) or row
    changed = msgspec.structs.replace(known, **changes, changed=clock.now())
    put(tx, lake, bucket, changed)
    return changed


def put(tx: Transaction, lake: Lake | None, bucket: BucketRow, row: TableRow) -> None:
    """Also records the lowest version that the table's catalog must have."""
    note_versions(tx, lake.versions.of(bucket.number) if lake else {})
    tables.put_table(tx, row)
    buckets.change_bucket(tx, bucket, changed=row.changed)
