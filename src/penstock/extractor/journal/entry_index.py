"""The offsets of the entries that an interrupted attempt has left, by their keys.

An entry takes sixteen bytes: a run may have millions of pages, and resuming it must not need more memory.
"""

from __future__ import annotations

import hashlib
from array import array
from bisect import bisect_left


class EntryIndex:
    """Filled once, then sorted, then searched."""

    def __init__(self) -> None:
        self._numbers, self._offsets = array("Q"), array("Q")

    def __bool__(self) -> bool:
        return bool(self._numbers)

    def add(self, key: str, offset: int) -> None:
        self._numbers.append(number_of(key))
        self._offsets.append(offset)

    def sort(self) -> None:
        order = sorted(range(len(self._numbers)), key=self._numbers.__getitem__)
        self._numbers = array("Q", map(self._numbers.__getitem__, order))
        self._offsets = array("Q", map(self._offsets.__getitem__, order))

    def find(self, key: str) -> int | None:
        number = number_of(key)
        index = bisect_left(self._numbers, number)
        is_there = index < len(self._numbers) and self._numbers[index] == number
        return self._offsets[index] if is_there else None


def number_of(key: str) -> int:
    """A hash of the key, of 64 bits."""
    return int.from_bytes(hashlib.blake2b(key.encode("utf-8", "surrogatepass"), digest_size=8).digest())
