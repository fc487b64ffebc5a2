"""Tables that fit the terminal: the widest columns are truncated first. Into a pipe or a file nothing is truncated."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Sequence

from penstock.cli.output.text import clean, paint, shown_width, truncate

Cell = str | int | float | None

STATUS = "STATUS"
"""The column whose values are coloured."""
_GAP = "  "
_NARROWEST = 6


def print_table(columns: Sequence[str], rows: Iterable[Sequence[Cell]]) -> None:
    """The names of the columns, then the rows; numbers are aligned to the right."""
    cells = [list(row) for row in rows]
    lines = [list(columns), *([_text(cell) for cell in row] for row in cells)]
    numeric = {
        index for index in range(len(columns)) if cells and all(isinstance(row[index], int | float) for row in cells)
    }
    coloured = columns.index(STATUS) if STATUS in columns else None
    _print_lines(lines, numeric, coloured)


def print_columns(rows: Iterable[Sequence[str]]) -> None:
    """Rows below each other, such as names and values."""
    _print_lines([[_text(cell) for cell in row] for row in rows], set(), None)


def _print_lines(lines: list[list[str]], numeric: set[int], coloured: int | None) -> None:
    widths = [max(map(shown_width, column)) for column in zip(*lines, strict=True)]
    widths = fit(widths, terminal_width())
    for line in lines:
        cells = [
            _aligned(text, width, to_right=index in numeric, is_coloured=index == coloured)
            for index, (text, width) in enumerate(zip(line, widths, strict=True))
        ]
        print(_GAP.join(cells).rstrip())


def terminal_width() -> int | None:
    """Return None if the output is not a terminal, or one that does not know its width: lines are then as wide as they
    need to be."""
    if not sys.stdout.isatty():
        return None
    columns = os.environ.get("COLUMNS", "")
    try:
        return int(columns) if columns.isdecimal() else os.get_terminal_size(sys.stdout.fileno()).columns or None
    except OSError:
        return None


def fit(widths: list[int], total: int | None) -> list[int]:
    """The widths, reduced until a line fits. The first column, which identifies the row, stays whole if it can."""
    if total is None or not widths:
        return widths
    room = total - len(_GAP) * (len(widths) - 1)
    first, others = widths[0], widths[1:]
    if others and sum(min(width, _NARROWEST) for width in others) + first <= room:
        return [first, *_reduce(others, room - first)]
    return _reduce(widths, room)


def _reduce(widths: list[int], room: int) -> list[int]:
    """The same limit for every column: the largest with which they fit."""
    limit = max(widths)
    while limit > 1 and sum(min(width, limit) for width in widths) > room:
        limit -= 1
    return [min(width, limit) for width in widths]


def _text(cell: Cell) -> str:
    """One line, whatever the value holds."""
    return "" if cell is None else clean(str(cell)).replace("\n", " ").replace("\t", " ")


def _aligned(text: str, width: int, *, to_right: bool, is_coloured: bool) -> str:
    short = truncate(text, width)
    space = " " * (width - shown_width(short))
    painted = paint(short, sys.stdout) if is_coloured else short
    return f"{space}{painted}" if to_right else f"{painted}{space}"
