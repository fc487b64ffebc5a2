"""Aliases: read-only views of another table, whole or in part."""

from __future__ import annotations

from typing import Any

import msgspec

from penstock.foundation import clock
from penstock.foundation.callers import Caller
from penstock.foundation.constraints import explain_error
from penstock.foundation.database import Transaction
from penstock.services.storage.errors.tables import InvalidTable, NoSuchColumns
from penstock.services.storage.models.definitions import NewAlias
from penstock.services.storage.models.queries import WhereFilter
from penstock.services.storage.models.tables import TableRow
from penstock.services.storage.operations.buckets import get_own_bucket
from penstock.services.storage.operations.tables.definitions import add_table, check_new_name
from penstock.services.storage.operations.tables.queries import read_filter
from penstock.services.storage.operations.tables.tables import check_display_name, get_table
from penstock.services.storage.store import tables


def create_alias(tx: Transaction, caller: Caller, bucket_id: str, new_alias: NewAlias) -> TableRow:
    bucket, source = get_own_bucket(tx, caller, bucket_id), get_table(tx, caller, new_alias.source_table)
    if source.row.is_alias or source.bucket.is_linked:
        raise InvalidTable(f'"{new_alias.source_table}" is an alias itself; create an alias of its source table.')
    name, now = new_alias.name or source.row.name, clock.now()
    check_new_name(tx, bucket, name)
    row = TableRow(
        project_id=bucket.project_id,
        branch_id=bucket.branch_id,
        bucket_id=bucket.id,
        name=name,
        display_name=name,
        columns=[],
        primary_key=[],
        rows_count=0,
        data_size_bytes=0,
        created=now,
        changed=now,
        source_table_id=source.row.id,
        alias_columns=_columns(source.row, new_alias.alias_columns),
        alias_filter=_filter(source.row, new_alias.alias_filter),
    )
    check_display_name(tx, row)
    add_table(tx, None, caller, bucket, row)
    return get_table(tx, caller, row.id).row


def set_filter(tx: Transaction, caller: Caller, table_id: str, condition: dict[str, Any] | None) -> TableRow:
    """Set which rows an alias includes; all without a filter."""
    row, source = _get_alias(tx, caller, table_id)
    tables.put_table(tx, msgspec.structs.replace(row, alias_filter=_filter(source, condition)))
    return get_table(tx, caller, table_id).row


def set_columns(tx: Transaction, caller: Caller, table_id: str, *, follow_source: bool) -> TableRow:
    """Set whether an alias follows the columns of its source."""
    row, source = _get_alias(tx, caller, table_id)
    shown = None if follow_source else row.alias_columns or source.columns
    tables.put_table(tx, msgspec.structs.replace(row, alias_columns=shown))
    return get_table(tx, caller, table_id).row


def _get_alias(tx: Transaction, caller: Caller, table_id: str) -> tuple[TableRow, TableRow]:
    """The alias as stored, and its source."""
    located = get_table(tx, caller, table_id)
    get_own_bucket(tx, caller, located.bucket.id)
    row = tables.find_table(tx, caller.project_id, caller.storage_branch_id, located.bucket.id, located.row.name)
    if not row or not row.source_table_id:
        raise InvalidTable(f'"{table_id}" is not an alias.')
    return row, get_table(tx, caller, row.source_table_id).row


def _columns(source: TableRow, asked: list[str]) -> list[str] | None:
    unknown = [name for name in asked if name not in source.columns]
    if unknown:
        raise NoSuchColumns(unknown, source.id)
    return asked or None


def _filter(source: TableRow, condition: dict[str, Any] | None) -> dict[str, Any] | None:
    if not condition:
        return None
    try:
        asked = msgspec.convert(condition, WhereFilter, strict=False)
    except msgspec.ValidationError as error:
        raise InvalidTable(f"The filter of the alias is not valid. {explain_error(error)}") from error
    checked = read_filter(source, asked)
    return {"column": checked.column, "operator": checked.operator, "values": list(checked.values)}
