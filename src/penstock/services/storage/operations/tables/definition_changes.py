"""Change the definition of columns that exist: their length, default, and whether they may be NULL."""

from __future__ import annotations

from typing import Any

import msgspec
from msgspec import UNSET

from penstock.foundation.callers import Caller
from penstock.foundation.database import Transaction
from penstock.foundation.lake import change_columns, find_misfit, find_null_column
from penstock.foundation.stack import Stack
from penstock.services.storage.errors.tables import InvalidDefault, InvalidTable, NoSuchColumn
from penstock.services.storage.models.column_types import ColumnType, GivenType, read_type
from penstock.services.storage.models.definitions import ColumnChange, DefinitionChange
from penstock.services.storage.models.jobs import JobRow
from penstock.services.storage.models.metadata import COLUMN, MetadataItem, Owner
from penstock.services.storage.models.tables import TableRow
from penstock.services.storage.models.widening import widen
from penstock.services.storage.operations import metadata
from penstock.services.storage.operations.tables.changes import locked_table, plan_change, publish_change
from penstock.services.storage.operations.tables.definitions import lake_columns, put_type_metadata
from penstock.services.storage.operations.tables.records import record_change
from penstock.services.storage.operations.tables.tables import Located, check_display_name, get_own_table, owner_of

DESCRIPTION, PROVIDER = "KBC.description", "user"
"""Where the console and other clients keep the description of a table or a column."""
WITH_LENGTH = ("VARCHAR", "NUMBER")

Changes = dict[str, ColumnChange]


def plan_column_change(tx: Transaction, caller: Caller, table_id: str, name: str, change: ColumnChange) -> JobRow:
    """A job that changes the definition of one column; raises immediately if it cannot be changed so."""
    row = get_own_table(tx, caller, table_id).row
    if change.is_empty:
        raise InvalidTable(f'Say what to change in the column "{name}": length, nullable or default.')
    _change_types(row, {name: change})
    params = {"name": name, "_changes": {name: msgspec.to_builtins(change)}}
    return plan_change(tx, caller, "tableColumnDefinitionUpdate", table_id, params)


def plan_table_change(tx: Transaction, caller: Caller, table_id: str, change: DefinitionChange) -> JobRow:
    """A job that changes a table and several of its columns."""
    row = get_own_table(tx, caller, table_id).row
    changes: Changes = {each.name: each for each in change.columns if not each.is_empty}
    _change_types(row, changes)
    descriptions = {each.name: each.description for each in change.columns if each.description is not None}
    _check_columns(row, descriptions)
    if change.display_name is not None:
        check_display_name(tx, msgspec.structs.replace(row, display_name=change.display_name))
    params = {
        "displayName": change.display_name,
        "description": change.description,
        "_changes": msgspec.to_builtins({name: _only_definition(each) for name, each in changes.items()}),
        "_descriptions": descriptions,
    }
    return plan_change(tx, caller, "tableDefinitionUpdate", table_id, params)


def change_definition(stack: Stack, caller: Caller, job: JobRow) -> None:
    """Both jobs: a column's definition is a part of its table's."""
    changes = msgspec.convert(job.params["_changes"], dict[str, ColumnChange])
    with locked_table(stack, caller, job) as located:
        types = _change_types(located.row, changes)
        if types is not None:
            _change_columns(stack, located, types)
        with stack.database.writing(caller.project_id) as tx:
            _record(tx, stack, caller, located, types, job)


def _change_columns(stack: Stack, located: Located, types: dict[str, ColumnType]) -> None:
    """Everything that may be refused is checked before rows are rewritten."""
    known = located.row.types or {}
    changed = msgspec.structs.replace(located.row, types=types)
    columns = {column.name: column for column in lake_columns(changed)}
    defaults = [columns[name] for name, kind in types.items() if kind.default != known[name].default]
    if wrong := find_misfit(stack.lake, located.place, defaults):
        raise InvalidDefault(wrong, types[wrong].type, types[wrong].default or "")
    required = [name for name, kind in types.items() if known[name].nullable and not kind.nullable]
    if required and (name := find_null_column(stack.lake, located.place, required)):
        raise InvalidTable(
            f'The column "{name}" of the table "{located.row.id}" cannot be required: it is NULL in some rows. '
            "Delete these rows or load them with a value first."
        )
    change_columns(stack.lake, located.place, list(columns.values()))


def _record(
    tx: Transaction, stack: Stack, caller: Caller, located: Located, types: dict[str, ColumnType] | None, job: JobRow
) -> None:
    params, row = job.params, located.row
    fields: dict[str, Any] = {} if types is None else {"types": types}
    if params.get("displayName") is not None:
        fields["display_name"] = params["displayName"]
        check_display_name(tx, msgspec.structs.replace(row, display_name=params["displayName"]))
    changed = record_change(tx, stack.lake, located.bucket, row, **fields)
    put_type_metadata(tx, changed)
    for name in _dropped_defaults(row, types):
        metadata.remove_own_item(tx, _owner(row, name), "KBC.datatype.default")
    if params.get("description") is not None:
        metadata.put_metadata(tx, owner_of(row), PROVIDER, [MetadataItem(DESCRIPTION, params["description"])])
    columns = [
        (_owner(row, name), [MetadataItem(DESCRIPTION, text)]) for name, text in params.get("_descriptions", {}).items()
    ]
    if columns:
        metadata.put_column_metadata(tx, PROVIDER, columns)
    publish_change(tx, caller, "storage.tableDefinitionUpdated", changed, "Updated the definition of")


def _dropped_defaults(row: TableRow, types: dict[str, ColumnType] | None) -> list[str]:
    known = row.types or {}
    return [name for name, kind in (types or {}).items() if kind.default is None and known[name].default is not None]


def _change_types(row: TableRow, changes: Changes) -> dict[str, ColumnType] | None:
    """The types of all columns afterwards; None if no definition changes."""
    _check_columns(row, changes)
    if not changes:
        return None
    if row.types is None:
        raise InvalidTable(
            f'The table "{row.id}" is not typed: all its columns are text, and only descriptions can be changed. '
            "For types, create a table with tables-definition and load the rows into it."
        )
    changed = {name: _change_type(row, name, change) for name, change in changes.items()}
    return {**row.types, **changed}


def _check_columns(row: TableRow, names: dict[str, Any]) -> None:
    for name in names:
        if name not in row.columns:
            raise NoSuchColumn(name, row.id)


def _change_type(row: TableRow, name: str, change: ColumnChange) -> ColumnType:
    kind = (row.types or {})[name]
    if change.nullable and name in row.primary_key:
        raise InvalidTable(f'The column "{name}" is in the primary key of the table "{row.id}", and cannot be NULL.')
    if change.nullable is not None:
        kind = msgspec.structs.replace(kind, nullable=change.nullable)
    if change.default not in (UNSET, ""):
        given = GivenType(type=kind.type, length=kind.length, default=change.default)
        read = read_type(name, given, None)
        kind = msgspec.structs.replace(kind, default=read.default if read else None)
    return kind if change.length in (None, "") else _lengthen(name, kind, change.length)


def _lengthen(name: str, kind: ColumnType, length: str | int | None) -> ColumnType:
    """Return the type with a longer length: then every value that the column has still fits, digit by digit."""
    if kind.type not in WITH_LENGTH:
        raise InvalidTable(f'The column "{name}" is a {kind.type}, whose length cannot be changed.')
    read = read_type(name, GivenType(type=kind.type, length=length), None)
    if not read:
        return kind
    if widen(kind, read).length != read.length:
        raise InvalidTable(
            f'The length of the column "{name}" cannot change from {kind.length} to {read.length}: it can only grow, '
            "so that every value fits. Create a table with the type that you need, and load the rows into it."
        )
    return msgspec.structs.replace(kind, length=read.length, basetype=read.basetype)


def _only_definition(change: ColumnChange) -> ColumnChange:
    return ColumnChange(length=change.length, nullable=change.nullable, default=change.default)


def _owner(row: TableRow, name: str) -> Owner:
    return Owner(row.project_id, row.branch_id, COLUMN, f"{row.id}.{name}")
