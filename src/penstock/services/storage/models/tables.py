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
    """Type in the terms of the engine."""
    nullable: bool
    """Whether the column may be NULL."""
    length: str | UnsetType = UNSET
    """Length, or precision and scale."""
    default: str | UnsetType = UNSET
    """The value of rows that do not give one."""


class DefinedColumn(Wire, frozen=True):
    name: str
    """Name of the column."""
    can_be_filtered: bool = True
    definition: Definition | UnsetType = UNSET
    """Its type, in a typed table."""
    basetype: str | UnsetType = UNSET
    """Its general type, in a typed table."""


class TableDefinition(Wire, frozen=True):
    primary_keys_names: list[str]
    """Names of the columns of the primary key."""
    columns: list[DefinedColumn]
    """The columns with their types."""


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
    """Address of the table."""
    id: str
    """Id of the table: that of its bucket, a dot, and its name, such as `in.c-shop.orders`."""
    name: str
    """Name of the table."""
    display_name: str
    """Name that people see."""
    primary_key: list[str]
    """Names of the columns of the primary key. Empty: there is none."""
    created: str
    """When the table was created."""
    last_import_date: str | None
    """When rows were loaded the last time."""
    last_change_date: str
    """When rows or columns were changed the last time."""
    rows_count: int | None
    """How many rows it has. Null for an alias."""
    data_size_bytes: int | None
    """How many bytes its rows take. Null for an alias."""
    path: str
    """Its name in SQL."""
    transactional: bool = False
    is_alias: bool = False
    """Whether it shows the rows of another table."""
    is_aliasable: bool = True
    """Whether an alias of it can be created."""
    is_typed: bool = False
    """Whether its columns have types. Otherwise all hold text."""
    table_type: str = "table"
    timestamp_type: str = "MANAGED"
    attributes: list[Any] = []
    columns: list[str] | UnsetType = UNSET
    """Names of its columns, in their order."""
    metadata: list[Metadata] | UnsetType = UNSET
    """Its metadata."""
    column_metadata: dict[str, list[Metadata]] | UnsetType = UNSET
    """Metadata of its columns, by their names."""
    bucket: Bucket | UnsetType = UNSET
    """The bucket that it belongs to."""
    definition: TableDefinition | UnsetType = UNSET
    """Its primary key, and the types of its columns."""
    source_table: SourceTable | UnsetType = UNSET
    """The table that an alias shows."""
    alias_columns_auto_sync: bool | UnsetType = UNSET
    """Whether the alias gets columns that are added to its source."""
    alias_filter: dict[str, Any] | UnsetType = UNSET
    """Which rows the alias shows."""


class Cell(Wire, frozen=True):
    column_name: str
    """Name of the column."""
    value: str
    """The value, as text."""
    is_truncated: bool
    """Whether the value was cut: it has more than 16,384 characters."""


class Preview(Wire, frozen=True):
    columns: list[str]
    """Names of the columns."""
    rows: list[list[Cell]]
    """The rows, each as a list of its cells."""


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
