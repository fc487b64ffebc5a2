"""Tables in the words of the runtime and in those of Storage, and back."""

from __future__ import annotations

from datetime import datetime
from typing import Any

import msgspec
from msgspec import UNSET

from penstock.runtime.port import (
    ColumnWanted,
    Items,
    RowsFilter,
    RowsToDelete,
    RowsWanted,
    SourceTable,
    TableOutput,
)
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


def to_query(rows: RowsWanted) -> storage.RowsQuery:
    return storage.RowsQuery(
        columns=rows.columns,
        limit=rows.limit,
        changed_since=rows.changed_since,
        where_column=rows.where_column,
        where_operator=rows.where_operator,
        where_values=rows.where_values,
    )


def to_deletion(rule: RowsToDelete, branches: BranchStorage) -> storage.Deletion:
    filters = tuple(_to_filter(each, branches) for each in rule.filters)
    return storage.Deletion(changed_since=rule.changed_since, changed_until=rule.changed_until, filters=filters)


def _to_filter(given: RowsFilter, branches: BranchStorage) -> storage.DeletionFilter:
    source = branches.find_table(given.from_table, None) if given.from_table else None
    return storage.DeletionFilter(
        column=given.column,
        operator=given.operator,
        values=tuple(given.values),
        from_table=source.table_id if source else "",
        from_branch_id=source.branch_id if source else None,
        from_column=given.from_column,
    )


def to_load(
    table: TableOutput, destination: str, deletions: list[storage.Deletion], component_id: str, maker: dict[str, str]
) -> storage.TableLoad:
    notes = storage.LoadNotes(
        provider=component_id,
        metadata=_to_items(table.metadata),
        columns={name: _to_items(items) for name, items in table.column_metadata.items()},
        maker=maker,
    )
    return storage.TableLoad(
        id=table.id,
        table_id=destination,
        file=table.file,
        incremental=table.incremental,
        primary_key=tuple(table.primary_key),
        columns=tuple(table.columns),
        has_header=table.has_header,
        delimiter=table.delimiter,
        enclosure=table.enclosure,
        definitions=tuple(_to_column(column) for column in table.schema),
        null_values=table.null_values,
        deduplication=table.deduplication,
        deletions=tuple(deletions),
        notes=notes,
    )


def _to_column(column: ColumnWanted) -> storage.NewColumn:
    given = storage.GivenType(
        type=column.native_type, length=column.length, nullable=column.is_nullable, default=column.default
    )
    return storage.NewColumn(name=column.name, definition=given, basetype=column.base_type or None)


def _to_items(items: Items) -> tuple[storage.MetadataItem, ...]:
    return tuple(storage.MetadataItem(item["key"], item["value"]) for item in items)
