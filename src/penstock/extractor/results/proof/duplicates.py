"""Counts rows that share a primary key, in bounded memory.

A key is stored as a hash of 64 bits, in a file per table once there are many. For ten million distinct keys, the
probability that two of them have the same hash is three in a million. The hashes are those of Python, which are fast
and differ between processes, so they are not used beyond a run.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from penstock.extractor.records.layout import Layout
from penstock.extractor.records.upserts import Upserts, key_places
from penstock.foundation.text import repeated_keys

HASH, BYTES = "q", 8
WAITING = 1 << 12
"""How many hashes of a file are buffered in memory."""
AT_ONCE = 1 << 17
"""How many are compared together, which takes about ten megabytes."""


class Keys:
    """The primary keys of all rows of a bucket, by table."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._hashes: dict[str, _Hashes] = {}
        folder.mkdir(exist_ok=True)

    def add(self, table: str, columns: Sequence[Sequence[str]]) -> None:
        """`columns` are the cells of the primary key as they are written, with quotes doubled."""
        if table not in self._hashes:
            self._hashes[table] = _Hashes(self._folder / str(len(self._hashes)))
        # In cells with doubled quotes, this separator cannot occur.
        self._hashes[table].add(columns[0] if len(columns) == 1 else map('","'.join, zip(*columns, strict=True)))

    def discard(self) -> None:
        """Forgets all keys."""
        for hashes in self._hashes.values():
            hashes.discard()
        self._hashes.clear()

    def rows(self) -> dict[str, int]:
        """Returns how many keys were added for each table."""
        return {table: hashes.count for table, hashes in self._hashes.items()}

    def duplicates(self) -> dict[str, int]:
        """Returns how many rows of each table have the key of an earlier row; call it after the last row."""
        return {table: hashes.count - hashes.distinct() for table, hashes in self._hashes.items()}


class _Hashes:
    """The latest hashes in memory, earlier ones in a file."""

    def __init__(self, path: Path) -> None:
        self._path, self._stored = path, 0
        self.waiting = array(HASH)

    @property
    def count(self) -> int:
        return self._stored + len(self.waiting)

    def add(self, keys: Iterable[str]) -> None:
        self.waiting.extend(map(hash, keys))
        self.settle()

    def settle(self) -> None:
        """Writes the buffer to the file if it is full."""
        if len(self.waiting) >= WAITING:
            with self._path.open("ab", buffering=0) as file:
                self.waiting.tofile(file)
            self._stored += len(self.waiting)
            self.waiting = array(HASH)

    def distinct(self, byte_index: int = 0) -> int:
        """Returns how many distinct hashes there are. If there are many, they are partitioned by the byte at
        `byte_index`, so that equal hashes are in the same partition."""
        if byte_index == BYTES or self.count <= AT_ONCE:
            return len(set[int]().union(*self._chunks()))
        parts = [_Hashes(self._path.with_name(f"{self._path.name}.{byte}")) for byte in range(256)]
        for chunk in self._chunks():
            _spread(chunk, byte_index, parts)
        return sum(part.distinct_and_gone(byte_index + 1) for part in parts)

    def distinct_and_gone(self, byte_index: int) -> int:
        number = self.distinct(byte_index)
        self.discard()
        return number

    def discard(self) -> None:
        self._path.unlink(missing_ok=True)

    def _chunks(self) -> Iterator[array[int]]:
        if self._stored:
            with self._path.open("rb") as file:
                while data := file.read(AT_ONCE * BYTES):
                    yield array(HASH, data)
        yield self.waiting


def _spread(chunk: array[int], byte_index: int, parts: list[_Hashes]) -> None:
    appends = [part.waiting.append for part in parts]
    for byte, key_hash in zip(chunk.tobytes()[byte_index::BYTES], chunk, strict=True):
        appends[byte](key_hash)
    for part in parts:
        part.settle()


class RowKeys(Keys):
    def __init__(self, folder: Path, upserts: Upserts) -> None:
        """`upserts` may get more items before the rows of their tables are added."""
        super().__init__(folder)
        self._upserts = upserts
        self._places: dict[str, list[int]] = {}

    def add_rows(self, layout: Layout, columns: Sequence[Sequence[str]]) -> None:
        """`columns` are the rendered cells of a table in the order of its header."""
        if layout.name not in self._places:
            self._places[layout.name] = key_places(layout, self._upserts)
        if places := self._places[layout.name]:
            self.add(layout.name, [columns[index] for index in places])

    def discard(self) -> None:
        """Call it when a layout has changed: the rows are added again."""
        super().discard()
        self._places.clear()


def explain_collapse(table: str, key: Sequence[str], rows: int, duplicates: int) -> str:
    """Returns an empty text if few rows share a key."""
    if not repeated_keys.are_many(duplicates, rows):
        return ""
    left = rows - duplicates
    return f"{rows:,} rows of the table {table} become {left:,} when they are loaded, {repeated_keys.explain(key)}"
