"""Tables on disk: CSV with every field quoted, and a manifest next to it."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any, BinaryIO

import msgspec

from penstock.extractor.base.errors import UserError
from penstock.extractor.records.cells import csv_lines, escaped
from penstock.extractor.records.layout import Layout
from penstock.extractor.records.types import Types
from penstock.extractor.records.upserts import Upserts, load_settings
from penstock.extractor.records.writing import LONE_NULL

BUFFER = 1 << 20
MAX_OPEN = 200
NO_UPSERTS: Upserts = {}
MAX_FILE_NAME_LENGTH = 255 - len(".manifest")


class Table(msgspec.Struct):
    """A table being written; its file may be closed in between."""

    layout: Layout
    path: Path
    file: BinaryIO | None = None
    rows: int = 0
    replaced_by: tuple[str, ...] = ()
    """Of a full load: its primary key. Rows replace each other by it."""


class Tables:
    """The tables of one bucket, written into a folder."""

    def __init__(self, folder: Path, bucket: str, types: Types | None = None) -> None:
        """Writes manifests with a schema if there are `types`."""
        self._folder, self._bucket, self._types = folder, bucket, types
        self._tables: dict[str, Table] = {}
        self._open: list[Table] = []
        folder.mkdir(exist_ok=True)

    def __len__(self) -> int:
        return len(self._tables)

    def __contains__(self, name: str) -> bool:
        return name in self._tables

    @property
    def rows(self) -> dict[str, int]:
        """Returns how many rows each table has."""
        return {name: table.rows for name, table in self._tables.items()}

    @property
    def replacing_keys(self) -> dict[str, tuple[str, ...]]:
        """Returns the primary keys of tables that are loaded as a whole; call it after finish()."""
        return {name: table.replaced_by for name, table in self._tables.items() if table.replaced_by}

    def write(self, layout: Layout, lines: bytes, count: int) -> None:
        self._open_table(layout, count).write(lines)

    def _open_table(self, layout: Layout, count: int) -> BinaryIO:
        """Returns the open file of a table, to which `count` rows are about to be added."""
        table = self._tables.get(layout.name) or self._create(layout)
        if table.layout.header != layout.header:
            raise _same_name(table.layout, layout)
        if table.file is None:
            self._make_room()
            table.file = table.path.open("ab", buffering=BUFFER)
            self._open.append(table)
        table.rows += count
        return table.file

    def adopt(self, layout: Layout, path: Path, count: int) -> None:
        """Makes a file with a header and `count` rows the table, or adds its rows if the table exists already."""
        if layout.name in self:
            with path.open("rb") as file:
                file.seek(len(header_line(layout)))
                shutil.copyfileobj(file, self._open_table(layout, count), BUFFER)
            return
        table = Table(layout, self._place(layout), rows=count)
        path.replace(table.path)
        self._tables[layout.name] = table

    def finish(self, *, is_incremental: bool, upserts: Upserts = NO_UPSERTS) -> None:
        """Writes the manifests."""
        self.close()
        for table in self._tables.values():
            key, added = load_settings(table.layout, upserts, is_incremental=is_incremental)
            table.replaced_by = () if added else key
            _write_manifest(table.path, self._manifest(table.layout, key, added))

    def add_missing(self, layout: Layout, *, is_incremental: bool, upserts: Upserts = NO_UPSERTS) -> None:
        """Creates a table without rows, unless it exists."""
        if layout.name in self or not layout.header:
            return
        path = self._create(layout).path
        self.close()
        # The original writes the keys of this manifest in another order.
        key, added = load_settings(layout, upserts, is_incremental=is_incremental)
        facts = {"incremental": added, **self._manifest(layout, key, added)}
        _write_manifest(path, facts)

    def close(self) -> None:
        while self._open:
            table = self._open.pop()
            file, table.file = table.file, None
            if file is not None:
                file.close()

    def _create(self, layout: Layout) -> Table:
        path = self._place(layout)
        self._make_room()
        file = path.open("wb", buffering=BUFFER)
        file.write(header_line(layout))
        table = self._tables[layout.name] = Table(layout, path, file)
        self._open.append(table)
        return table

    def _place(self, layout: Layout) -> Path:
        path = self._folder / file_name(self._bucket, layout)
        if path.exists():
            raise _same_file(path)
        return path

    def _manifest(self, layout: Layout, primary_key: tuple[str, ...], is_incremental: bool) -> dict[str, object]:
        facts: dict[str, object] = {"destination": f"in.c-{self._bucket}.{layout.name}"} if self._bucket else {}
        facts["incremental"] = is_incremental
        if self._types is not None and layout.header:
            return facts | _typed_manifest(layout, self._types.schema(layout, primary_key))
        if primary_key:
            facts["primary_key"] = list(primary_key)
        return facts

    def _make_room(self) -> None:
        if len(self._open) >= MAX_OPEN:
            self.close()


def header_line(layout: Layout) -> bytes:
    """Returns an empty result for a table without columns."""
    return csv_lines([escaped([name]) for name in layout.header], 1) if layout.header else b""


def _typed_manifest(layout: Layout, schema: list[dict[str, Any]]) -> dict[str, object]:
    """Null is an empty field without quotes; and a value that does not fit makes the column of the table wider."""
    return {
        "schema": schema,
        "has_header": True,
        "treat_values_as_null": [LONE_NULL] if len(layout.header) == 1 else [],
        "table_modifications": "non-destructive",
    }


def file_name(bucket: str, layout: Layout) -> str:
    if not layout.name:
        raise UserError(
            f"The records of '{layout.path}' have no table name, because it holds no letter or digit. "
            "Set the job's `dataType`."
        )
    name = f"{bucket}.{layout.name}" if bucket else layout.name
    if len(name.encode()) > MAX_FILE_NAME_LENGTH or name.startswith("."):
        raise UserError(f"The table name '{name[:80]}' cannot be a file's name. Set a shorter, simpler `outputBucket`.")
    return name


def _write_manifest(path: Path, facts: dict[str, object]) -> None:
    target = path.with_name(f"{path.name}.manifest")
    if target.exists():  # a table named `manifest` in a bucket named like another table
        raise _same_file(target)
    target.write_text(json.dumps(facts, separators=(",", ":")).replace("/", "\\/"))


def _same_file(path: Path) -> UserError:
    return UserError(
        f"Two tables would share the file '{path.name}'. Give one of the jobs another `dataType`, or another "
        "`destination` if it is mapped."
    )


def _same_name(first: Layout, second: Layout) -> UserError:
    return UserError(
        f"Multiple results for '{second.name}' table have different columns! The records of '{first.path}' and of "
        f"'{second.path}' would share it. Give one of the jobs its own `dataType`."
    )
