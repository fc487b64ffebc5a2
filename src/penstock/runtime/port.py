"""What a run needs of storage. The runtime knows no service: its caller hands it something that can do this.

Whoever stands behind the port knows the branch of the run, what its token may do, and who is said to have written what.
Ids that go in are those of configurations; ids that come out are those of tables and files that are really there.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Literal, Protocol

import msgspec

Items = list[dict[str, Any]]
"""Metadata, as `{"key": …, "value": …}` and perhaps more."""


class SourceTable(msgspec.Struct, frozen=True, kw_only=True):
    """A table to read."""

    id: str
    branch_id: int
    """Where it was found: tables of different branches may have the same id."""
    uri: str
    name: str
    display_name: str
    columns: list[str]
    primary_key: list[str]
    created: str
    last_change_date: str
    last_import_date: str | None
    imported: str | None
    """The same moment, exact: what `adaptive` goes by."""
    metadata: Items
    column_metadata: dict[str, Items]
    schema: Items | None
    """Of a typed table."""


class RowsWanted(msgspec.Struct, frozen=True, kw_only=True):
    columns: list[str] = []
    where_column: str = ""
    where_operator: str = "eq"
    where_values: list[str] = []
    changed_since: str = ""
    limit: int = 0


class SourceFile(msgspec.Struct, frozen=True, kw_only=True):
    """A file to read."""

    id: int
    name: str
    created: str
    is_public: bool
    is_encrypted: bool
    is_sliced: bool
    tags: list[str]
    max_age_days: int | None
    size_bytes: int | None


class FilesWanted(msgspec.Struct, frozen=True, kw_only=True):
    any_tags: list[str] = []
    all_tags: list[str] = []
    no_tags: list[str] = []
    query: str = ""
    since_id: int | None = None
    """Newer ones only, and the oldest of them first; otherwise the newest come first."""
    created_since: str = ""
    limit: int


class RowsFilter(msgspec.Struct, frozen=True, kw_only=True):
    column: str
    operator: Literal["eq", "ne"] = "eq"
    values: list[str] = []
    from_table: str = ""
    from_column: str = ""


class RowsToDelete(msgspec.Struct, frozen=True, kw_only=True):
    changed_since: str = ""
    changed_until: str = ""
    filters: list[RowsFilter] = []


class ColumnWanted(msgspec.Struct, frozen=True, kw_only=True):
    """A column of a table that is made; without types it holds text."""

    name: str
    base_type: str = ""
    native_type: str = ""
    length: str | None = None
    default: str | None = None
    is_nullable: bool = True


class TableOutput(msgspec.Struct, frozen=True, kw_only=True):
    """A file to load. Done twice under one id it is done once."""

    id: str
    file: Path
    """Or a folder of slices."""
    destination: str
    incremental: bool = False
    primary_key: list[str] = []
    columns: list[str] = []
    has_header: bool = True
    delimiter: str = ","
    enclosure: str = '"'
    schema: list[ColumnWanted] = []
    null_values: tuple[str, ...] = ("",)
    deduplication: Literal["upsert", "insert"] = "upsert"
    deletions: list[RowsToDelete] = []
    metadata: Items = []
    column_metadata: dict[str, Items] = {}


class StoredTable(msgspec.Struct, frozen=True, kw_only=True):
    """A table that was read or written, as a job's result shows it."""

    id: str
    name: str
    display_name: str
    columns: list[str]
    rows_count: int | None = None
    imported_rows: int | None = None


class FileOutput(msgspec.Struct, frozen=True, kw_only=True):
    name: str
    path: Path
    """Of a file, or of a folder of slices."""
    tags: list[str] = []
    is_public: bool = False
    is_permanent: bool = False
    has_run_tags: bool = True
    """Whether it also gets the tags that say whose it is, and the branch's mark on all of them."""


class Port(Protocol):
    def get_table(self, table_id: str, branch_id: str | None) -> SourceTable: ...
    def export_table(self, table: SourceTable, rows: RowsWanted, target: Path) -> int:
        """Write rows as CSV with a header; returns how many bytes they are."""
        ...

    def list_files(self, wanted: FilesWanted) -> list[SourceFile]: ...
    def get_file(self, file_id: str) -> SourceFile: ...
    def save_file(self, file: SourceFile, target: Path) -> int:
        """Copy it, or its slices into a folder of this name; returns how many bytes they are."""
        ...

    def tag_file(self, file_id: int, tags: Sequence[str]) -> None: ...
    def check_table(self, table: TableOutput) -> None:
        """Raise what can be seen to be wrong before anything is loaded."""
        ...

    def load_table(self, table: TableOutput) -> StoredTable: ...
    def reserve_files(self, count: int) -> list[int]: ...
    def check_file(self, file: FileOutput) -> None: ...
    def store_file(self, file_id: int, file: FileOutput) -> None:
        """Done twice under one id it is done once."""
        ...
