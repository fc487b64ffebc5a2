"""Parts of lists and of long texts: a result has a bounded size, and the arguments that continue it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any, TypeVar

import msgspec

T = TypeVar("T")

CELL_CHARACTERS = 500
ROWS_CHARACTERS = 30_000
TEXT_CHARACTERS = 20_000

Offset = Annotated[int, msgspec.Meta(ge=0, le=10**9, description="How many to skip: `next` of a result has it.")]
Limit = Annotated[int, msgspec.Meta(ge=1, le=100, description="The most results, up to 100.")]
Next = dict[str, Any]


def take(items: Sequence[T], offset: int, limit: int) -> tuple[list[T], Next | None]:
    end = offset + limit
    return list(items[offset:end]), {"offset": end} if end < len(items) else None


def shorten(text: str, most: int = CELL_CHARACTERS) -> str:
    """The beginning of a text, with a note if it is longer."""
    return text if len(text) <= most else f"{text[:most]}… ({len(text) - most:,} more characters)"


def fit_rows(rows: Sequence[Sequence[str | None]]) -> list[list[str | None]]:
    """The first rows that fit, at least one; long values are shortened."""
    fitting, used = list[list[str | None]](), 0
    for row in rows:
        short = [None if cell is None else shorten(cell) for cell in row]
        used += sum(len(cell or "") + 4 for cell in short)
        if fitting and used > ROWS_CHARACTERS:
            break
        fitting.append(short)
    return fitting


def piece(text: str, offset: int) -> tuple[str, Next | None]:
    """A part of a long text."""
    end = offset + TEXT_CHARACTERS
    return text[offset:end], {"offset": end} if end < len(text) else None
