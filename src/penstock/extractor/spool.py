"""Pages on disk between reading and writing, so that memory stays bounded whatever the number of pages."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import msgspec

from penstock.extractor.records.find import DataField


class Source(msgspec.Struct, frozen=True):
    """Where a page came from: enough to find its records again."""

    data_type: str
    endpoint: str
    field: DataField


class Spool:
    """Bodies of pages, in the order they were received."""

    def __init__(self, path: Path) -> None:
        self._file = path.open("w+b", buffering=1 << 20)
        self._index: list[tuple[Source, int]] = []

    def __len__(self) -> int:
        return len(self._index)

    def append(self, source: Source, body: bytes) -> None:
        self._file.write(body)
        self._index.append((source, len(body)))

    def first(self, count: int) -> Iterator[tuple[Source, bytes]]:
        self._file.seek(0)
        for source, size in self._index[:count]:
            yield source, self._file.read(size)

    def close(self) -> None:
        self._file.close()
