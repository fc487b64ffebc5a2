"""Add and drop columns of tables."""

from __future__ import annotations

import msgspec

from penstock.foundation.callers import Caller
from penstock.foundation.database import Transaction
from penstock.foundation.lake import add_column, drop_column
from penstock.foundation.stack import Stack
from penstock.services.storage.errors.tables import (
    ColumnExists,
    InvalidTable,
    KeyColumn,
    NoSuchColumn,
    ReferencedColumn,
)
from penstock.services.storage.models.column_types import ColumnType, read_type
from penstock.services.storage.models.definitions import NewColumn
from penstock.services.storage.models.jobs import JobRow
from penstock.services.storage.models.metadata import COLUMN, Owner
from penstock.services.storage.models.tables import TableRow
from penstock.services.storage.names import read_column_name
from penstock.services.storage.operations import metadata
from penstock.services.storage.operations.tables.changes import locked_table, plan_change, publish_change
from penstock.services.storage.operations.tables.definitions import check_width, lake_column, type_metadata
from penstock.services.storage.operations.tables.records import record_change
from penstock.services.storage.operations.tables.tables import Located, get_own_table
from penstock.services.storage.store import tables


def plan_column(tx: Transaction, caller: Caller, table_id: str, new_column: NewColumn) -> JobRow:
    row = get_own_table(tx, caller, table_id).row
    name = read_column_name(new_column.name)
    if name.lower() in (each.lower() for each in row.columns):
        raise ColumnExists(name)
    check_width(len(row.columns) + 1, table_id)
    kind = read_type(name, new_column.definition, new_column.basetype)
    if row.types is not None and not kind:
        raise InvalidTable(f'The table "{table_id}" is typed: the column "{name}" needs a type.')
    kept = msgspec.to_builtins(kind) if kind and row.types is not None else None
    return plan_change(tx, caller, "tableColumnAdd", table_id, {"name": name, "_type": kept})


def add_one(stack: Stack, caller: Caller, job: JobRow) -> None:
    name = str(job.params["name"])
    kind = msgspec.convert(job.params["_type"], ColumnType) if job.params["_type"] else None
    with locked_table(stack, caller, job) as located:
        add_column(stack.lake, located.place, lake_column(name, kind))
        if name not in located.row.columns:
            _record_new(stack, caller, located, name, kind)


def _record_new(stack: Stack, caller: Caller, located: Located, name: str, kind: ColumnType | None) -> None:
    row = located.row
    types = {**row.types, name: kind} if row.types is not None and kind else row.types
    with stack.database.writing(caller.project_id) as tx:
        record_change(tx, stack.lake, located.bucket, row, columns=[*row.columns, name], types=types)
        if kind:
            metadata.put_own_metadata(tx, _owner(row, name), type_metadata(kind))
        publish_change(tx, caller, "storage.tableColumnAdded", located.row, f"Added column {name} to")


def plan_column_drop(tx: Transaction, caller: Caller, table_id: str, name: str, *, is_forced: bool) -> JobRow:
    row = get_own_table(tx, caller, table_id).row
    if name not in row.columns:
        raise NoSuchColumn(name, table_id)
    if name in row.primary_key:
        raise KeyColumn(name)
    if len(row.columns) == 1:
        raise InvalidTable(f'"{name}" is the only column of the table "{table_id}".')
    for alias in tables.list_aliases(tx, row):
        is_filtered = (alias.alias_filter or {}).get("column") == name
        if is_filtered or (name in (alias.alias_columns or []) and not is_forced):
            raise ReferencedColumn(name, alias.id)
    return plan_change(tx, caller, "tableColumnDelete", table_id, {"name": name})


def drop_one(stack: Stack, caller: Caller, job: JobRow) -> None:
    name = str(job.params["name"])
    with locked_table(stack, caller, job) as located:
        if name in located.row.columns:
            _record_dropped(stack, caller, located, name)
        # Drop it even without a record: a previous worker may have died between the two steps.
        drop_column(stack.lake, located.place, name)


def _record_dropped(stack: Stack, caller: Caller, located: Located, name: str) -> None:
    row = located.row
    left = [each for each in row.columns if each != name]
    types = None if row.types is None else {each: kind for each, kind in row.types.items() if each != name}
    with stack.database.writing(caller.project_id) as tx:
        record_change(tx, stack.lake, located.bucket, row, columns=left, types=types)
        metadata.drop_metadata(tx, _owner(row, name))
        publish_change(tx, caller, "storage.tableColumnDeleted", located.row, f"Deleted column {name} of")


def _owner(row: TableRow, name: str) -> Owner:
    return Owner(row.project_id, row.branch_id, COLUMN, f"{row.id}.{name}")
