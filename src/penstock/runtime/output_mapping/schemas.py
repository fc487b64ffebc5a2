"""`schema`: the columns of a table with their types, instead of the older keys that say a part of it each."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Literal

from penstock.contracts.tables import LoadColumn, MetadataItem
from penstock.runtime.documents import to_text
from penstock.runtime.output_mapping.items import DataType, SchemaColumn, TableItem
from penstock.runtime.written import BadOutput, read_manifest

TypeSupport = Literal["authoritative", "hints", "none", ""]
NATIVE = "snowflake"
"""The engine whose types Storage shows."""
DESCRIPTION = "KBC.description"
_EXCLUDED = ("columns", "metadata", "column_metadata", "primary_key", "distribution_key")


def check_schema(file: Path, mapping: dict[str, Any]) -> None:
    """The manifest may not have both, nor may the configuration. If one has `schema` and the other such a key, the
    configuration says what the manifest does not, such as the primary key of a table with types."""
    for document in (read_manifest(file), mapping):
        for key in _EXCLUDED:
            if document.get("schema") and document.get(key):
                raise BadOutput(f'The table "{file.name}" has both: Only one of "schema" or "{key}" can be defined.')


def read_columns(item: TableItem, support: TypeSupport) -> list[LoadColumn]:
    """Return the columns with their types, unless the configuration specifies that those are hints, or nothing."""
    if support in ("hints", "none"):
        return []
    return [_to_column(column) for column in item.schema]


def read_metadata(item: TableItem) -> list[MetadataItem]:
    metadata = [MetadataItem(entry.key, to_text(entry.value)) for entry in item.metadata]
    metadata += _to_items(item.table_metadata)
    return [*metadata, *_describe(item.description)]


def read_column_metadata(item: TableItem, support: TypeSupport) -> dict[str, list[MetadataItem]]:
    metadata: dict[str, list[MetadataItem]] = {
        name: [MetadataItem(entry.key, to_text(entry.value)) for entry in items]
        for name, items in item.column_metadata.items()
    }
    for column in item.schema:
        hints = _hints(column) if support == "hints" else []
        metadata[column.name] = [*_to_items(column.metadata or {}), *_describe(column.description), *hints]
    return {name: items for name, items in metadata.items() if items}


def _to_column(column: SchemaColumn) -> LoadColumn:
    native, base = _types(column)
    chosen = native or base
    return LoadColumn(
        name=column.name,
        native_type=native.type if native else "",
        base_type=base.type if base else "",
        length=to_text(chosen.length) or None if chosen else None,
        default=to_text(chosen.default) or None if chosen else None,
        is_nullable=column.nullable is not False,
    )


def _types(column: SchemaColumn) -> tuple[DataType | None, DataType | None]:
    """Return what the engine calls it, and what every engine understands."""
    kinds = column.data_type or {}
    native, base = kinds.get(NATIVE), kinds.get("base")
    return (native if native and native.type else None), (base if base and base.type else None)


def _hints(column: SchemaColumn) -> list[MetadataItem]:
    base = _types(column)[1]
    if not base:
        return []
    hints: dict[str, Any] = {"basetype": base.type, "nullable": column.nullable is not False, "length": base.length}
    return _to_items({f"KBC.datatype.{name}": value for name, value in hints.items() if value is not None})


def _to_items(values: dict[str, Any]) -> list[MetadataItem]:
    return [MetadataItem(key, to_text(value)) for key, value in values.items()]


def _describe(description: str | None) -> list[MetadataItem]:
    return [MetadataItem(DESCRIPTION, description)] if description else []
