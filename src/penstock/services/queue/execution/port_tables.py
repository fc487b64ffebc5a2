"""Converts tables between the structs of the runtime and those of Storage."""

from __future__ import annotations

from datetime import datetime
from typing import Any

import msgspec
from msgspec import UNSET

from penstock.contracts.tables import Deletion, DeletionFilter
from penstock.runtime.port import Items, RowFilter, SourceTable
from penstock.services.queue.execution.branches import BranchStorage
from penstock.services.storage import interface as storage

NATIVE = "snowflake"


def to_source(table: storage.Table, imported: datetime | None, branch_id: int) -> SourceTable:
    metadata = [] if table.metadata is UNSET else table.metadata
    columns = {} if table.column_metadata is UNSET else table.column_metadata
    return SourceTable(
        id=table.id,
        branch_id=branch_id,
        uri=table.uri,
        name=table.name,
        display_name=table.display_name,
        columns=[] if table.columns is UNSET else table.columns,
        primary_key=table.primary_key,
        created=table.created,
        last_change_date=table.last_change_date,
        last_import_date=table.last_import_date,
        imported=imported.isoformat(timespec="microseconds") if imported else None,
        metadata=msgspec.to_builtins(metadata),
        column_metadata={name: msgspec.to_builtins(items) for name, items in columns.items()},
        schema=_to_schema(table) if table.is_typed else None,
    )


def _to_schema(table: storage.Table) -> Items:
    if table.definition is UNSET:
        return []
    found: Items = []
    for column in table.definition.columns:
        item: dict[str, Any] = {"name": column.name, "primary_key": column.name in table.primary_key}
        if column.definition is not UNSET:
            native = msgspec.to_builtins(column.definition)
            item["nullable"] = native.pop("nullable")
            item["data_type"] = {"base": {"type": column.basetype}, NATIVE: native}
        found.append(item)
    return found


def to_query(rows: RowFilter) -> storage.RowsQuery:
    return storage.RowsQuery(
        columns=rows.columns,
        limit=rows.limit,
        changed_since=rows.changed_since,
        where_column=rows.where_column,
        where_operator=rows.where_operator,
        where_values=rows.where_values,
    )


def in_branch(rule: Deletion, branches: BranchStorage) -> Deletion:
    """Return the deletion with the tables of the branch from which its values come."""
    return msgspec.structs.replace(rule, filters=[_filter_in_branch(each, branches) for each in rule.filters])


def _filter_in_branch(row_filter: DeletionFilter, branches: BranchStorage) -> DeletionFilter:
    if not row_filter.from_table:
        return row_filter
    source = branches.find_table(row_filter.from_table, None)
    return msgspec.structs.replace(row_filter, from_table=source.table_id, from_branch_id=source.branch_id)
