"""Add and remove primary keys."""

from __future__ import annotations

from penstock.foundation.callers import Caller
from penstock.foundation.database import Transaction
from penstock.foundation.lake import find_null_column, has_duplicates
from penstock.foundation.stack import Stack
from penstock.services.storage.errors.tables import DuplicateKeys, InvalidKey
from penstock.services.storage.models.column_types import ColumnType, without_null
from penstock.services.storage.models.jobs import JobRow
from penstock.services.storage.operations.tables.changes import locked_table, plan_change, publish_change
from penstock.services.storage.operations.tables.definitions import put_type_metadata
from penstock.services.storage.operations.tables.records import record_change
from penstock.services.storage.operations.tables.tables import Located, get_own_table


def plan_key(tx: Transaction, caller: Caller, table_id: str, columns: list[str]) -> JobRow:
    row = get_own_table(tx, caller, table_id).row
    if row.primary_key:
        raise InvalidKey(f'The table "{table_id}" already has a primary key; remove that first.')
    unknown = [name for name in columns if name not in row.columns]
    if unknown or not columns:
        raise InvalidKey(f'The primary key needs columns of the table "{table_id}"; "{", ".join(unknown)}" is none.')
    return plan_change(tx, caller, "tablePrimaryKeyAdd", table_id, {"columns": list(dict.fromkeys(columns))})


def add_key(stack: Stack, caller: Caller, job: JobRow) -> None:
    columns = list(job.params["columns"])
    with locked_table(stack, caller, job) as located:
        if has_duplicates(stack.lake, located.place, columns):
            raise DuplicateKeys(columns)
        types = _without_nulls(stack, located, columns)
        with stack.database.writing(caller.project_id) as tx:
            row = record_change(tx, stack.lake, located.bucket, located.row, primary_key=columns, types=types)
            put_type_metadata(tx, row)
            publish_change(tx, caller, "storage.tablePrimaryKeyAdded", located.row, "Added a primary key to")


def _without_nulls(stack: Stack, located: Located, key: list[str]) -> dict[str, ColumnType] | None:
    """The types of the table once these columns are its key, which is never NULL; an untyped table has no NULL."""
    types = located.row.types
    if types is None:
        return None
    if empty := find_null_column(stack.lake, located.place, key):
        raise InvalidKey(
            f'The column "{empty}" of the table "{located.row.id}" cannot be in the primary key: it is NULL in some '
            "rows. Delete these rows or load them with a value, or choose other columns."
        )
    return without_null(types, key)


def plan_key_removal(tx: Transaction, caller: Caller, table_id: str) -> JobRow:
    get_own_table(tx, caller, table_id)
    return plan_change(tx, caller, "tablePrimaryKeyDelete", table_id, {})


def remove_key(stack: Stack, caller: Caller, job: JobRow) -> None:
    with locked_table(stack, caller, job) as located, stack.database.writing(caller.project_id) as tx:
        record_change(tx, stack.lake, located.bucket, located.row, primary_key=[])
        publish_change(tx, caller, "storage.tablePrimaryKeyDeleted", located.row, "Removed the primary key of")
