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


def to_source(shown: storage.Table, imported: datetime | None, branch_id: int) -> SourceTable:
    metadata = [] if shown.metadata is UNSET else shown.metadata
    columns = {} if shown.column_metadata is UNSET else shown.column_metadata
    return SourceTable(
        id=shown.id,
        branch_id=branch_id,
        uri=shown.uri,
        name=shown.name,
        display_name=shown.display_name,
        columns=[] if shown.columns is UNSET else shown.columns,
        primary_key=shown.primary_key,
        created=shown.created,
        last_change_date=shown.last_change_date,
        last_import_date=shown.last_import_date,
        imported=imported.isoformat(timespec="microseconds") if imported else None,
        metadata=msgspec.to_builtins(metadata),
        column_metadata={name: msgspec.to_builtins(items) for name, items in columns.items()},
        schema=_to_schema(shown) if shown.is_typed else None,
    )


def _to_schema(shown: storage.Table) -> Items:
    if shown.definition is UNSET:
        return []
    found: Items = []
    for column in shown.definition.columns:
        item: dict[str, Any] = {"name": column.name, "primary_key": column.name in shown.primary_key}
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
    """Where the tables are that its values come from."""
    return msgspec.structs.replace(rule, filters=[_filter_in_branch(each, branches) for each in rule.filters])


def _filter_in_branch(given: DeletionFilter, branches: BranchStorage) -> DeletionFilter:
    if not given.from_table:
        return given
    source = branches.find_table(given.from_table, None)
    return msgspec.structs.replace(given, from_table=source.table_id, from_branch_id=source.branch_id)
