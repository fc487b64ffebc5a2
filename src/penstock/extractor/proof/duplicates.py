"""Rows that share a primary key, counted in bounded memory whatever the number of rows.

A key is kept as 64 bits of hash, in a file per table once there are many. Ten million different keys have a chance of
three in a million that two of them are taken for one. Hashes are Python's own, which cost least and differ from one
process to the next, so nothing of this outlives a run.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

HASH, BYTES = "q", 8
WAITING = 1 << 12
"""How many hashes of a file wait in memory."""
AT_ONCE = 1 << 17
"""How many are looked at at once; comparing them takes some ten megabytes."""


class Keys:
    """The primary keys of all rows of a bucket, by table."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._hashes: dict[str, _Hashes] = {}
        folder.mkdir(exist_ok=True)

    def add(self, table: str, columns: Sequence[Sequence[str]]) -> None:
        """The cells of the columns of the key as they are written: with quotes doubled."""
        if table not in self._hashes:
            self._hashes[table] = _Hashes(self._folder / str(len(self._hashes)))
        # Between cells with doubled quotes this can stand only where one ends and the next begins.
        self._hashes[table].add(columns[0] if len(columns) == 1 else map('","'.join, zip(*columns, strict=True)))

    def rows(self) -> dict[str, int]:
        """How many rows each table's keys are of."""
        return {table: hashes.count for table, hashes in self._hashes.items()}

    def duplicates(self) -> dict[str, int]:
        """How many rows of each table have the key of an earlier one; to be asked when all rows are in."""
        return {table: hashes.count - hashes.distinct() for table, hashes in self._hashes.items()}


class _Hashes:
    """The last ones in memory, those before them in a file."""

    def __init__(self, path: Path) -> None:
        self._path, self._kept = path, 0
        self.waiting = array(HASH)

    @property
    def count(self) -> int:
        return self._kept + len(self.waiting)

    def add(self, keys: Iterable[str]) -> None:
        self.waiting.extend(map(hash, keys))
        self.settle()

    def settle(self) -> None:
        """Make room for more."""
        if len(self.waiting) >= WAITING:
            with self._path.open("ab", buffering=0) as file:
                self.waiting.tofile(file)
            self._kept += len(self.waiting)
            self.waiting = array(HASH)

    def distinct(self, place: int = 0) -> int:
        """How many different ones there are. Many are spread over parts by one byte, at the first place that was not
        used for that yet; equal ones are in the same part."""
        if place == BYTES or self.count <= AT_ONCE:
            return len(set[int]().union(*self._chunks()))
        parts = [_Hashes(self._path.with_name(f"{self._path.name}.{byte}")) for byte in range(256)]
        for chunk in self._chunks():
            _spread(chunk, place, parts)
        return sum(part.distinct_and_gone(place + 1) for part in parts)

    def distinct_and_gone(self, place: int) -> int:
        number = self.distinct(place)
        self._path.unlink(missing_ok=True)
        return number

    def _chunks(self) -> Iterator[array[int]]:
        if self._kept:
            with self._path.open("rb") as file:
                while data := file.read(AT_ONCE * BYTES):
                    yield array(HASH, data)
        yield self.waiting


def _spread(chunk: array[int], place: int, parts: list[_Hashes]) -> None:
    appends = [part.waiting.append for part in parts]
    for byte, each in zip(chunk.tobytes()[place::BYTES], chunk, strict=True):
        appends[byte](each)
    for part in parts:
        part.settle()
