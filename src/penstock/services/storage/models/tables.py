"""Tables as stored, loaded and returned."""

from __future__ import annotations

from datetime import datetime
from typing import Any

import msgspec
from msgspec import UNSET, UnsetType

from penstock.foundation.structs import Wire
from penstock.services.storage.models import to_text
from penstock.services.storage.models.buckets import Bucket, ProjectRef
from penstock.services.storage.models.column_types import ColumnType
from penstock.services.storage.models.metadata import Metadata


class TableRow(msgspec.Struct, frozen=True, kw_only=True):
    project_id: int
    branch_id: int
    bucket_id: str
    name: str
    display_name: str
    columns: list[str]
    primary_key: list[str]
    rows_count: int
    data_size_bytes: int
    created: datetime
    changed: datetime
    imported: datetime | None = None
    types: dict[str, ColumnType] | None = None
    """Of a typed table, by column."""
    source_table_id: str | None = None
    """Of an alias: its source table."""
    alias_columns: list[str] | None = None
    """The source's columns that an alias includes; all if empty."""
    alias_filter: dict[str, Any] | None = None

    @property
    def id(self) -> str:
        return f"{self.bucket_id}.{self.name}"

    @property
    def is_alias(self) -> bool:
        return self.source_table_id is not None


class Definition(Wire, frozen=True):
    """The type of a column as it is returned."""

    type: str
    nullable: bool
    length: str | UnsetType = UNSET
    default: str | UnsetType = UNSET


class DefinedColumn(Wire, frozen=True):
    name: str
    can_be_filtered: bool = True
    definition: Definition | UnsetType = UNSET
    basetype: str | UnsetType = UNSET


class TableDefinition(Wire, frozen=True):
    primary_keys_names: list[str]
    columns: list[DefinedColumn]


class SourceTable(Wire, frozen=True):
    id: str
    uri: str
    name: str
    project: ProjectRef
    is_alias: bool = False
    metadata: list[Metadata] | UnsetType = UNSET
    column_metadata: dict[str, list[Metadata]] | UnsetType = UNSET
    definition: TableDefinition | UnsetType = UNSET


class Table(Wire, frozen=True):
    uri: str
    id: str
    name: str
    display_name: str
    primary_key: list[str]
    created: str
    last_import_date: str | None
    last_change_date: str
    rows_count: int | None
    data_size_bytes: int | None
    path: str
    transactional: bool = False
    is_alias: bool = False
    is_aliasable: bool = True
    is_typed: bool = False
    table_type: str = "table"
    timestamp_type: str = "MANAGED"
    attributes: list[Any] = []
    columns: list[str] | UnsetType = UNSET
    metadata: list[Metadata] | UnsetType = UNSET
    column_metadata: dict[str, list[Metadata]] | UnsetType = UNSET
    bucket: Bucket | UnsetType = UNSET
    definition: TableDefinition | UnsetType = UNSET
    source_table: SourceTable | UnsetType = UNSET
    alias_columns_auto_sync: bool | UnsetType = UNSET
    alias_filter: dict[str, Any] | UnsetType = UNSET


class Cell(Wire, frozen=True):
    column_name: str
    value: str
    is_truncated: bool


class Preview(Wire, frozen=True):
    columns: list[str]
    rows: list[list[Cell]]


class TableFacts(msgspec.Struct, frozen=True, kw_only=True):
    """What is returned for a table besides its row; UNSET fields are left out."""

    bucket: Bucket | UnsetType = UNSET
    metadata: list[Metadata] | UnsetType = UNSET
    column_metadata: dict[str, list[Metadata]] | UnsetType = UNSET
    source: SourceTable | UnsetType = UNSET
    with_columns: bool = False
    with_definition: bool = False


def table_view(row: TableRow, storage_url: str, facts: TableFacts) -> Table:
    return Table(
        uri=f"{storage_url}/v2/storage/tables/{row.id}",
        id=row.id,
        name=row.name,
        display_name=row.display_name,
        primary_key=row.primary_key,
        created=to_text(row.created),
        last_import_date=to_text(row.imported) if row.imported else None,
        last_change_date=to_text(row.changed),
        rows_count=None if row.is_alias else row.rows_count,
        data_size_bytes=None if row.is_alias else row.data_size_bytes,
        path=row.name,
        is_alias=row.is_alias,
        is_aliasable=not row.is_alias,
        is_typed=row.types is not None,
        columns=row.columns if facts.with_columns else UNSET,
        metadata=facts.metadata,
        column_metadata=facts.column_metadata,
        bucket=facts.bucket,
        definition=definition_view(row) if facts.with_definition else UNSET,
        source_table=facts.source,
        alias_columns_auto_sync=row.alias_columns is None if row.is_alias else UNSET,
        alias_filter=row.alias_filter if row.alias_filter else UNSET,
    )


def definition_view(row: TableRow) -> TableDefinition:
    """The columns of a typed table by name, of others in their order."""
    names = sorted(row.columns) if row.types else row.columns
    columns = [_column_view(name, (row.types or {}).get(name)) for name in names]
    return TableDefinition(primary_keys_names=row.primary_key, columns=columns)


def _column_view(name: str, kind: ColumnType | None) -> DefinedColumn:
    if not kind:
        return DefinedColumn(name=name)
    shown = Definition(
        type=kind.type,
        nullable=kind.nullable,
        length=kind.length if kind.length is not None else UNSET,
        default=kind.default if kind.default is not None else UNSET,
    )
    return DefinedColumn(name=name, definition=shown, basetype=kind.basetype)
