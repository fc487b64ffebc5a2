"""An array whose end has not been reached: its items are counted, and it is cut between two of them every megabyte."""

from __future__ import annotations

import msgspec

from penstock.extractor.responses.large.limits import Limits, TooMuch


class Span(msgspec.Struct, frozen=True):
    """Some items of an array: where in the file they begin and end, and how many they are."""

    start: int
    end: int
    count: int


class OpenArray:
    """All offsets count from the beginning of the file."""

    def __init__(self, start: int, depth: int, limits: Limits) -> None:
        """`start` is the offset after the bracket, `depth` that of the items."""
        self.start, self.depth = start, depth
        self.is_long = False
        self._limits = limits
        self._spans: list[Span] = []
        self._first = self._item = start
        self._commas = 0

    @property
    def room(self) -> int:
        """An item that begins after this offset begins a new part."""
        return self._first + self._limits.part

    def separate(self, commas: int, item: int) -> None:
        """Counts commas between items; `item` is the offset after the last of them, where the next item begins."""
        self._commas += commas
        self._item = item
        if item > self.room:
            self._spans.append(Span(self._first, item - 1, self._commas))
            self._first, self._commas = item, 0

    def reach(self, end: int) -> None:
        """Notes that the array continues at least to this offset."""
        self.is_long = end - self.start > self._limits.array
        if end - self._item > self._limits.item:
            raise TooMuch(f"one item of an array is larger than {self._limits.item:,} bytes.")

    def close(self, end: int) -> list[Span]:
        """Returns the spans of all items; a single span of one item may turn out to be empty when it is decoded."""
        self.reach(end)
        return [*self._spans, Span(self._first, end, self._commas + 1)]
