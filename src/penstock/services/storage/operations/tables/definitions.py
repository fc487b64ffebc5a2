"""Tables created from a definition, and the columns and keys of new tables."""

from __future__ import annotations

from typing import Any

import msgspec

from penstock.foundation import clock, limits
from penstock.foundation.callers import Caller
from penstock.foundation.database import Transaction
from penstock.foundation.lake import Column, Lake, LakeTable, create_table
from penstock.foundation.stack import Stack
from penstock.services.storage.errors.tables import InvalidKeyColumns, NoColumns, TableExists, TooManyColumns
from penstock.services.storage.models.buckets import BucketRow
from penstock.services.storage.models.column_types import ColumnType, read_type
from penstock.services.storage.models.definitions import NewColumn, NewTable
from penstock.services.storage.models.jobs import JobRow
from penstock.services.storage.models.metadata import COLUMN, MetadataItem, Owner
from penstock.services.storage.models.tables import TableRow
from penstock.services.storage.names import check_table_name, read_header
from penstock.services.storage.operations import jobs, metadata
from penstock.services.storage.operations.buckets import get_own_bucket
from penstock.services.storage.operations.tables.changes import publish_change
from penstock.services.storage.operations.tables.records import put
from penstock.services.storage.operations.tables.tables import check_display_name, owner_of
from penstock.services.storage.operations.tables.views import Viewer, detail_view
from penstock.services.storage.store import tables


def plan_table(tx: Transaction, viewer: Viewer, bucket_id: str, new_table: NewTable) -> JobRow:
    """A job that creates a table; raises at once if its definition is not valid."""
    bucket = get_own_bucket(tx, viewer.caller, bucket_id)
    row = _define(tx, bucket, new_table)
    params = {"name": row.name, "_row": msgspec.to_builtins(row), "_url": viewer.url}
    new = jobs.NewJob(operation="tableDefinitionCreate", params=params, lock_key=row.id, table_id=row.id)
    return jobs.create_job(tx, viewer.caller, new)


def make_table(stack: Stack, caller: Caller, job: JobRow) -> Any:
    row = msgspec.convert(job.params["_row"], TableRow)
    with stack.database.reading() as tx:
        bucket = get_own_bucket(tx, caller, row.bucket_id)
    create_table(stack.lake, LakeTable(bucket.number, row.name), lake_columns(row))
    with stack.database.writing(caller.project_id) as tx:
        if not tables.find_table(tx, row.project_id, row.branch_id, row.bucket_id, row.name):
            add_table(tx, stack.lake, caller, bucket, row)
    with stack.database.reading() as tx:
        return detail_view(tx, Viewer(caller, job.params["_url"]), row)


def add_table(tx: Transaction, lake: Lake | None, caller: Caller, bucket: BucketRow, row: TableRow) -> None:
    """Record a new table, with Storage's own metadata if it is typed. An alias has nothing in the lake."""
    put(tx, lake, bucket, row)
    put_type_metadata(tx, row)
    if row.types is not None:
        metadata.put_own_metadata(tx, owner_of(row), [MetadataItem("KBC.dataTypesEnabled", "true")])
    publish_change(tx, caller, "storage.tableCreated", row, "Created")


def put_type_metadata(tx: Transaction, row: TableRow) -> None:
    """Add Storage's own metadata of the columns of a typed table."""
    columns = [
        (Owner(row.project_id, row.branch_id, COLUMN, f"{row.id}.{name}"), type_metadata(kind))
        for name, kind in (row.types or {}).items()
    ]
    metadata.put_own_column_metadata(tx, columns)


def type_metadata(kind: ColumnType) -> list[MetadataItem]:
    known = {"type": kind.type, "nullable": "1" if kind.nullable else "", "basetype": kind.basetype}
    known |= {name: value for name, value in (("length", kind.length), ("default", kind.default)) if value is not None}
    return [MetadataItem(f"KBC.datatype.{name}", value) for name, value in known.items()]


def lake_columns(row: TableRow) -> list[Column]:
    types = row.types or {}
    return [lake_column(name, types.get(name)) for name in row.columns]


def _define(tx: Transaction, bucket: BucketRow, new_table: NewTable) -> TableRow:
    check_new_name(tx, bucket, new_table.name)
    if not new_table.columns:
        raise NoColumns
    check_width(len(new_table.columns))
    names, now = read_header([column.name for column in new_table.columns]), clock.now()
    key = list(dict.fromkeys(new_table.primary_keys_names))
    if unknown_columns := [name for name in key if name not in names]:
        raise InvalidKeyColumns(unknown_columns)
    row = TableRow(
        project_id=bucket.project_id,
        branch_id=bucket.branch_id,
        bucket_id=bucket.id,
        name=new_table.name,
        display_name=new_table.display_name or new_table.name,
        columns=names,
        primary_key=key,
        rows_count=0,
        data_size_bytes=0,
        created=now,
        changed=now,
        types=read_types(names, key, new_table.columns),
    )
    check_display_name(tx, row)
    return row


def check_width(columns: int, table_id: str = "") -> None:
    """Call before the names are processed, so that the limit also bounds that work."""
    if columns > limits.COLUMNS:
        raise TooManyColumns(limits.COLUMNS, columns, table_id)


def check_new_name(tx: Transaction, bucket: BucketRow, name: str) -> None:
    check_table_name(name)
    if tables.find_table(tx, bucket.project_id, bucket.branch_id, bucket.id, name):
        raise TableExists(name, bucket.id)


def read_types(names: list[str], key: list[str], columns: list[NewColumn]) -> dict[str, ColumnType] | None:
    """Return None if no column has a type; in a typed table, a column without one holds text. Key columns are never
    null."""
    given = [read_type(name, column.definition, column.basetype) for name, column in zip(names, columns, strict=True)]
    if not any(given):
        return None
    text = read_type("", None, "STRING")
    found = {name: kind or text for name, kind in zip(names, given, strict=True)}
    return {
        name: msgspec.structs.replace(kind, nullable=kind.nullable and name not in key)
        for name, kind in found.items()
        if kind
    }


def lake_column(name: str, kind: ColumnType | None) -> Column:
    if not kind:
        return Column(name)
    return Column(name, kind.lake_type, nullable=kind.nullable, default=kind.default, is_typed=True)
