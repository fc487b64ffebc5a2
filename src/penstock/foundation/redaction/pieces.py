"""Maps positions in decoded bytes back to the source they were decoded from."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable
from operator import itemgetter
from typing import NamedTuple

Span = tuple[int, int]
"""Start and end; the end is the first byte that does not belong to it."""


class Piece(NamedTuple):
    """A part of the decoded bytes and the part of the source that it comes from, in proportion.

    Bytes between two pieces are the same in both.
    """

    start: int
    size: int
    source: int
    source_size: int
    source_end: int
    """What lies beyond is padding that the source does not have."""


def trace(pieces: list[Piece], spans: Iterable[Span]) -> list[Span]:
    """The spans of the source that these spans of the decoded bytes come from."""
    return [(_locate(pieces, start)[0], _locate(pieces, end - 1)[1]) for start, end in spans]


def merge(spans: Iterable[Span]) -> list[Span]:
    """Return the spans in order; those that overlap become one."""
    merged: list[Span] = []
    for start, end in sorted(spans):
        if merged and start < merged[-1][1]:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        else:
            merged.append((start, end))
    return merged


def _locate(pieces: list[Piece], at: int) -> Span:
    """Return where one byte comes from."""
    index = bisect_right(pieces, at, key=itemgetter(0)) - 1
    return _within(pieces[index], at - pieces[index].start) if index >= 0 else (at, at + 1)


def _within(piece: Piece, offset: int) -> Span:
    if offset >= piece.size:
        start = piece.source_end + offset - piece.size
        return start, start + 1
    start = piece.source + offset * piece.source_size // piece.size
    end = piece.source - (-(offset + 1) * piece.source_size // piece.size)
    return start, min(end, piece.source_end)
