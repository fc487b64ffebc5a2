"""A file that is loaded into a table, and the table afterwards."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Literal

import msgspec


class MetadataItem(msgspec.Struct, frozen=True):
    """A key and a value. Numbers and booleans are stored as text."""

    key: str
    """Key of the entry: letters, digits, `.`, `_` and `-`, at most 255 characters."""
    value: str | int | float | bool
    """Value of the entry. Numbers and booleans are stored as text."""

    @property
    def text(self) -> str:
        return self.value if isinstance(self.value, str) else msgspec.json.encode(self.value).decode()


class DeletionFilter(msgspec.Struct, frozen=True, kw_only=True):
    """One condition; the values are alternatives, given or read from a column of another table."""

    column: str
    operator: Literal["eq", "ne"] = "eq"
    values: Sequence[str] = ()
    from_table: str = ""
    from_branch_id: int | None = None
    """The branch of that table; by default the branch of the load."""
    from_column: str = ""


class Deletion(msgspec.Struct, frozen=True, kw_only=True):
    """Rows that are deleted before new ones are loaded: those that meet all conditions."""

    changed_since: str = ""
    changed_until: str = ""
    filters: Sequence[DeletionFilter] = ()


class LoadColumn(msgspec.Struct, frozen=True, kw_only=True):
    """A column of a table that the load creates; without types it holds text."""

    name: str
    base_type: str = ""
    native_type: str = ""
    length: str | None = None
    default: str | None = None
    is_nullable: bool = True


class LoadNotes(msgspec.Struct, frozen=True, kw_only=True):
    """Metadata of the table: that of the component, and which component and configuration wrote the table."""

    provider: str = ""
    """The component that the metadata comes from."""
    metadata: Sequence[MetadataItem] = ()
    columns: Mapping[str, Sequence[MetadataItem]] = {}
    maker: Mapping[str, str] = {}
    """What wrote the table, such as `component.id`: stored as `KBC.createdBy.…` and `KBC.lastUpdatedBy.…`."""


class TableLoad(msgspec.Struct, frozen=True, kw_only=True):
    """A CSV file, or a folder of slices, and the table it goes into. Two loads with one id are one load."""

    id: str
    table_id: str
    file: Path
    incremental: bool = False
    primary_key: Sequence[str] = ()
    columns: Sequence[str] = ()
    """The names of its fields; needed where it has no header."""
    has_header: bool = True
    delimiter: str = ","
    enclosure: str = '"'
    schema: Sequence[LoadColumn] = ()
    """The types of columns, for a table or columns that are created by this load."""
    may_widen: bool = False
    """Whether columns of an existing typed table may get wider types, so that those of `schema` fit."""
    null_values: tuple[str, ...] = ("",)
    """The texts that mean NULL in a typed table, in addition to an empty field without enclosures."""
    deduplication: Literal["upsert", "insert"] = "upsert"
    deletions: Sequence[Deletion] = ()
    notes: LoadNotes = LoadNotes()


class StoredTable(msgspec.Struct, frozen=True, kw_only=True):
    """A table that was read or written, as a job's result shows it."""

    id: str
    name: str
    display_name: str
    columns: list[str]
    rows_count: int | None = None
    imported_rows: int | None = None
    warnings: tuple[str, ...] = ()
    """What the load did to rows that its writer may not expect."""
