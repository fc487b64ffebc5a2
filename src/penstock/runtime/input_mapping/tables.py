"""Tables in: rows become CSV files with a header. What was read is remembered, for the next run's `adaptive`."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, cast

import msgspec

from penstock.contracts.tables import StoredTable
from penstock.runtime.documents import to_text
from penstock.runtime.input_mapping.items import TableItem, reserve_path
from penstock.runtime.input_mapping.manifests import describe_table, write_manifest
from penstock.runtime.port import Port, RowFilter, SourceTable

ADAPTIVE = "adaptive"


class FetchedTables(msgspec.Struct, frozen=True):
    tables: list[StoredTable]
    bytes: int
    state: list[dict[str, Any]]


def fetch_tables(
    port: Port, folder: Path, items: list[TableItem], remembered: dict[str, Any], tell: Callable[[str], object]
) -> FetchedTables:
    """Every table is looked up before the first is read: a run that cannot have one of them begins with none."""
    names: set[str] = set()
    targets = [reserve_path(folder, item.destination or item.source, names) for item in items]
    tables = [port.get_table(item.source, str(item.source_branch_id) or None) for item in items]
    last, size = _read_state(remembered), 0
    for item, table, target in zip(items, tables, targets, strict=True):
        size += port.export_table(table, _to_rows(item, last), target)
        write_manifest(target, describe_table(table, item.chosen_columns or table.columns))
        tell(f"Fetched table {table.id}.")
    state = {item.source: table.imported for item, table in zip(items, tables, strict=True)}
    return FetchedTables(
        [_show(table, item) for item, table in zip(items, tables, strict=True)],
        size,
        [{"source": source, "lastImportDate": moment} for source, moment in state.items()],
    )


def _to_rows(item: TableItem, last: dict[str, str]) -> RowFilter:
    since = str(item.changed_since)
    if since == ADAPTIVE:
        since = last.get(item.source, "")
    return RowFilter(
        columns=item.chosen_columns,
        where_column=item.where_column,
        where_operator=item.where_operator or "eq",
        where_values=[to_text(value) for value in item.where_values],
        changed_since=f"-{item.days} days" if item.days else since,
        limit=item.limit,
    )


def _read_state(remembered: dict[str, Any]) -> dict[str, str]:
    """Return when each table had been imported last. What does not look like that was not written by us, and says
    nothing."""
    states = remembered.get("tables")
    items = cast(list[Any], states) if isinstance(states, list) else []
    maps = [cast(dict[str, Any], state) for state in items if isinstance(state, dict)]
    pairs = [(state.get("source"), state.get("lastImportDate")) for state in maps]
    return {source: moment for source, moment in pairs if isinstance(source, str) and isinstance(moment, str)}


def _show(table: SourceTable, item: TableItem) -> StoredTable:
    return StoredTable(
        id=table.id,
        name=table.name,
        display_name=table.display_name,
        columns=item.chosen_columns or table.columns,
    )
