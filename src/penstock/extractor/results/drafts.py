"""Rows written while pages are still received; valid as long as no page changes a layout."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import BinaryIO

from penstock.extractor.records.layout import Layout
from penstock.extractor.results.tables import BUFFER, MAX_OPEN, Tables, header_line


class Drafts:
    """A file per table, with its header, which becomes the file of the table if that does not exist yet."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._paths: dict[Layout, Path] = {}
        self._files: dict[Layout, BinaryIO] = {}
        self._rows: Counter[Layout] = Counter()
        folder.mkdir()

    def write(self, layout: Layout, lines: bytes, count: int) -> None:
        file = self._files.get(layout) or self._open(layout)
        file.write(lines)
        self._rows[layout] += count

    def discard(self) -> None:
        self._close()
        for path in self._paths.values():
            path.unlink(missing_ok=True)
        self._paths.clear()
        self._rows.clear()

    def move_to(self, tables: Tables) -> None:
        self._close()
        for layout, path in self._paths.items():
            tables.adopt(layout, path, self._rows[layout])
        self.discard()

    def _open(self, layout: Layout) -> BinaryIO:
        if len(self._files) >= MAX_OPEN:
            self._close()
        is_new = layout not in self._paths
        path = self._paths.setdefault(layout, self._folder / str(len(self._paths)))
        file = self._files[layout] = path.open("ab", buffering=BUFFER)
        if is_new:
            file.write(header_line(layout))
        return file

    def _close(self) -> None:
        for file in self._files.values():
            file.close()
        self._files.clear()
