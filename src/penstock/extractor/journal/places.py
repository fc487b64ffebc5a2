"""Where in the journal the entries of an earlier attempt are, by their keys.

Sixteen bytes for each: a run may have millions of pages, and a run that goes on must not need more memory than another.
"""

from __future__ import annotations

import hashlib
from array import array
from bisect import bisect_left


class Places:
    """Filled once, then sorted, then asked."""

    def __init__(self) -> None:
        self._numbers, self._places = array("Q"), array("Q")

    def __bool__(self) -> bool:
        return bool(self._numbers)

    def add(self, key: str, place: int) -> None:
        self._numbers.append(number_of(key))
        self._places.append(place)

    def sort(self) -> None:
        order = sorted(range(len(self._numbers)), key=self._numbers.__getitem__)
        self._numbers = array("Q", map(self._numbers.__getitem__, order))
        self._places = array("Q", map(self._places.__getitem__, order))

    def find(self, key: str) -> int | None:
        number = number_of(key)
        index = bisect_left(self._numbers, number)
        is_there = index < len(self._numbers) and self._numbers[index] == number
        return self._places[index] if is_there else None


def number_of(key: str) -> int:
    """Sixty-four bits instead of a text."""
    return int.from_bytes(hashlib.blake2b(key.encode("utf-8", "surrogatepass"), digest_size=8).digest())
