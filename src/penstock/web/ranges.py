"""Parts of what could be sent: `bytes=0-499`, `bytes=500-`, `bytes=-500`."""

from __future__ import annotations

import re

import msgspec

_ONE = re.compile(r"\s*bytes\s*=\s*([0-9]{0,19})-([0-9]{0,19})\s*", re.ASCII)


class Span(msgspec.Struct, frozen=True):
    """From the first byte that is wanted to the first that is not."""

    start: int
    end: int

    @property
    def size(self) -> int:
        return self.end - self.start

    def to_header(self, size: int) -> str:
        return f"bytes {self.start}-{self.end - 1}/{size}"


class RangeNotSatisfiable(Exception):
    """The range has nothing of what is there."""


def read_range(text: str | None, size: int) -> Span | None:
    """Return None where everything is to be sent: the header is missing, invalid, or names several parts."""
    match = _ONE.fullmatch(text or "")
    if not match or match[1] == match[2] == "":
        return None
    if match[1]:
        start, end = int(match[1]), min(int(match[2]) + 1 if match[2] else size, size)
        if match[2] and int(match[2]) < start:
            return None
    else:
        start, end = max(size - int(match[2]), 0), size
    if start >= end:
        raise RangeNotSatisfiable
    return Span(start, end)
