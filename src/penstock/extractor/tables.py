"""Tables on disk: CSV with every field quoted, and a manifest beside it."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import BinaryIO

from penstock.extractor.errors import UserError
from penstock.extractor.records.cells import csv_lines, escaped
from penstock.extractor.records.flatten import Layout

BUFFER = 1 << 20
LONGEST_FILE_NAME = 255 - len(".manifest")


class Tables:
    """The tables of one bucket, written into a folder."""

    def __init__(self, folder: Path, bucket: str, *, is_incremental: bool) -> None:
        self._folder, self._bucket, self._is_incremental = folder, bucket, is_incremental
        self._files: dict[str, tuple[Layout, BinaryIO]] = {}
        folder.mkdir()

    def __len__(self) -> int:
        return len(self._files)

    def write(self, layout: Layout, lines: str) -> None:
        self.open(layout).write(lines.encode())

    def open(self, layout: Layout) -> BinaryIO:
        """The file of a table, which starts with its header."""
        if layout.name not in self._files:
            self._files[layout.name] = (layout, self._create(layout))
        first, file = self._files[layout.name]
        if first.header != layout.header:
            raise _same_name(first, layout)
        return file

    def close(self) -> None:
        for _layout, file in self._files.values():
            file.close()

    def _create(self, layout: Layout) -> BinaryIO:
        path = self._folder / file_name(self._bucket, layout)
        path.with_name(f"{path.name}.manifest").write_text(manifest(self._bucket, layout.name, self._is_incremental))
        file = path.open("wb", buffering=BUFFER)
        if layout.header:
            file.write(csv_lines([escaped([name]) for name in layout.header], 1).encode())
        return file


class Drafts:
    """Rows made while pages still come in; good for the tables as long as no page changes a layout."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._files: dict[Layout, BinaryIO] = {}
        folder.mkdir()

    def write(self, layout: Layout, lines: str) -> None:
        if layout not in self._files:
            self._files[layout] = (self._folder / str(len(self._files))).open("w+b", buffering=BUFFER)
        self._files[layout].write(lines.encode())

    def discard(self) -> None:
        for file in self._files.values():
            file.close()
        self._files.clear()

    def move_to(self, tables: Tables) -> None:
        for layout, file in self._files.items():
            file.seek(0)
            shutil.copyfileobj(file, tables.open(layout), BUFFER)
        self.discard()


def manifest(bucket: str, table: str, is_incremental: bool) -> str:
    destination = {"destination": f"in.c-{bucket}.{table}"} if bucket else {}
    return json.dumps({**destination, "incremental": is_incremental}, separators=(",", ":")).replace("/", "\\/")


def file_name(bucket: str, layout: Layout) -> str:
    if not layout.name:
        raise UserError(
            f"The records of '{layout.path}' have no table name, because it holds no letter or digit. "
            "Set the job's `dataType`."
        )
    name = f"{bucket}.{layout.name}" if bucket else layout.name
    if len(name.encode()) > LONGEST_FILE_NAME or name.startswith("."):
        raise UserError(f"The table name '{name[:80]}' cannot be a file's name. Set a shorter, simpler `outputBucket`.")
    return name


def _same_name(first: Layout, second: Layout) -> UserError:
    return UserError(
        f"The records of '{first.path}' and of '{second.path}' would share the table '{second.name}', but have "
        "different columns. Give one of the jobs a `dataType` of its own."
    )
