"""The types of a table after a component has loaded a file into it.

A table keeps its types. If the load may change them, they become as wide as its values need, and a column without any
value, whose type nobody could know, gets the type of its first values.
"""

from __future__ import annotations

from collections.abc import Mapping

from penstock.contracts.tables import LoadColumn, TableLoad
from penstock.foundation.lake import CsvSource, LakeTable, find_empty_columns
from penstock.foundation.stack import Stack
from penstock.services.storage.models.column_types import ColumnType, GivenType
from penstock.services.storage.models.definitions import NewColumn
from penstock.services.storage.models.tables import TableRow
from penstock.services.storage.models.widening import widen
from penstock.services.storage.names import to_columns
from penstock.services.storage.operations.tables.definitions import read_types
from penstock.services.storage.store import buckets

TEXT = "VARCHAR"
Types = dict[str, ColumnType]


def read_load_types(
    stack: Stack, load: TableLoad, source: CsvSource, existing: TableRow | None, key: list[str]
) -> Types | None:
    """Return None for an untyped table. `existing` is the existing one, if any; `key` its primary key, or that of a new
    table."""
    given = _read_given(load)
    if existing and existing.types is None and not _can_become_typed(load, existing):
        return None
    old = (existing.types if existing else None) or {}
    names = [*(existing.columns if existing else ()), *source.columns]
    new = list(dict.fromkeys(name for name in names if name not in old))
    types = read_types(new, key, [given.get(name, NewColumn(name=name)) for name in new])
    if existing and old and load.may_widen:
        old = _widened(stack, existing, old, _typed(given, key))
    return {**old, **(types or {})} or None


def _read_given(load: TableLoad) -> dict[str, NewColumn]:
    names = to_columns([column.name for column in load.schema]) if load.schema else ()
    return {name: _to_column(column) for name, column in zip(names, load.schema, strict=True)}


def _typed(columns: Mapping[str, NewColumn], key: list[str]) -> Types:
    """The columns that have a type."""
    typed = {name: column for name, column in columns.items() if column.basetype or _has_type(column)}
    return read_types(list(typed), key, list(typed.values())) or {}


def _has_type(column: NewColumn) -> bool:
    return bool(column.definition and column.definition.type)


def _can_become_typed(load: TableLoad, existing: TableRow) -> bool:
    """Whether no text of the untyped table stays in it."""
    return load.may_widen and (not load.incremental or not existing.rows_count)


def _widened(stack: Stack, existing: TableRow, old: Types, types: Types) -> Types:
    narrower = [name for name, kind in old.items() if kind.type == TEXT and name in types and types[name].type != TEXT]
    empty = _find_empty(stack, existing, narrower) if narrower else set[str]()
    return {
        name: types[name] if name in empty else widen(kind, types[name]) if name in types else kind
        for name, kind in old.items()
    }


def _find_empty(stack: Stack, existing: TableRow, names: list[str]) -> set[str]:
    with stack.database.reading() as tx:
        bucket = buckets.find_bucket(tx, existing.project_id, existing.branch_id, existing.bucket_id)
    # A typed table without rows was defined by somebody who knew the types.
    if not bucket or not existing.rows_count:
        return set()
    return find_empty_columns(stack.lake, LakeTable(bucket.number, existing.name), names)


def _to_column(column: LoadColumn) -> NewColumn:
    given = GivenType(
        type=column.native_type, length=column.length, nullable=column.is_nullable, default=column.default
    )
    return NewColumn(name=column.name, definition=given, basetype=column.base_type or None)
