"""What a run needs of storage. The runtime knows no service: its caller passes an implementation of this protocol.

The implementation knows the branch of the run, the rights of its token, and what is recorded as the author of a change.
Ids that go in are those of configurations; ids that come out are those of tables and files that are really there.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Protocol

import msgspec

from penstock.contracts.files import OutputFile
from penstock.contracts.tables import StoredTable, TableLoad

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


class RowFilter(msgspec.Struct, frozen=True, kw_only=True):
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


class FileFilter(msgspec.Struct, frozen=True, kw_only=True):
    any_tags: list[str] = []
    all_tags: list[str] = []
    no_tags: list[str] = []
    query: str = ""
    since_id: int | None = None
    """Newer ones only, and the oldest of them first; otherwise the newest come first."""
    created_since: str = ""
    limit: int


class Port(Protocol):
    def get_table(self, table_id: str, branch_id: str | None) -> SourceTable: ...
    def export_table(self, table: SourceTable, rows: RowFilter, target: Path) -> int:
        """Write rows as CSV with a header; returns how many bytes they are."""
        ...

    def list_files(self, query: FileFilter) -> list[SourceFile]: ...
    def get_file(self, file_id: str) -> SourceFile: ...
    def save_file(self, file: SourceFile, target: Path) -> int:
        """Copy it, or its slices into a folder of this name; returns how many bytes they are."""
        ...

    def tag_file(self, file_id: int, tags: Sequence[str]) -> None: ...
    def check_table(self, load: TableLoad) -> None:
        """Raise what can be seen to be wrong before anything is loaded."""
        ...

    def load_table(self, load: TableLoad) -> StoredTable: ...
    def reserve_files(self, count: int) -> list[int]: ...
    def check_file(self, file: OutputFile) -> None: ...
    def store_file(self, file_id: int, file: OutputFile) -> None:
        """Done twice under one id it is done once."""
        ...
