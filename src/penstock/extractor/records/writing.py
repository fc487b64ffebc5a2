"""How values become cells and lines: without types, as the original writes them, or with types.

With types, null, false and the empty text are three values. Null is an empty field without quotes, and flags are `true`
and `false`. Cells are UTF-8 bytes in Latin-1 texts (see `cells.py`), in which the byte 0xFF never occurs: it represents
null until lines are joined from the cells.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from operator import attrgetter
from typing import Any

import msgspec

from penstock.extractor.base.errors import UserError
from penstock.extractor.records.cells import csv_lines, escaped, render_extra
from penstock.extractor.records.columns import NONE, Column

NULL = "\xff"
LONE_NULL = "\\N"
"""Null in a table of one column, where an empty field would be an empty line."""
_FLAGS = {True: "true", False: "false", None: NULL}
_QUOTED_NULL = f'"{NULL}"'.encode("latin-1")


def typed_cells(column: Column) -> Sequence[str]:
    if bool in column.kinds:
        return _with_flags(column)
    return column.spread(column.cells, NULL) if NONE in column.kinds else column.cells


def typed_extra(column: Sequence[Any]) -> Sequence[str]:
    """Returns the same as `typed_cells` for an extra column: the same value in all rows of a page, or links to other
    rows."""
    first = column[0]
    return [_FLAGS[first]] * len(column) if first is None or isinstance(first, bool) else render_extra(column)


def typed_links(links: Sequence[str]) -> Sequence[str]:
    """Returns links to other rows; null where there is none."""
    return [link or NULL for link in escaped(links)]


def typed_lines(columns: Sequence[Sequence[str]], count: int) -> bytes:
    """Joins lines of these cells, all of them quoted but null."""
    if len(columns) != 1:
        return csv_lines(columns, count).replace(_QUOTED_NULL, b"")
    if LONE_NULL in columns[0]:
        raise UserError(
            f"A text is '{LONE_NULL}', which represents null in a table of one column with types. "
            "Add another column, for example with `userData`, or remove `types`."
        )
    return csv_lines(columns, count).replace(_QUOTED_NULL, f'"{LONE_NULL}"'.encode())


def _with_flags(column: Column) -> Sequence[str]:
    if column.kinds.keys() <= {bool, NONE}:
        return list(map(_FLAGS.__getitem__, column.values))
    pairs = zip(column.values, column.cells, strict=True)
    return [_FLAGS[value] if value is None or value is True or value is False else cell for value, cell in pairs]


class Writing(msgspec.Struct, frozen=True, kw_only=True):
    cells: Callable[[Column], Sequence[str]]
    extra_cells: Callable[[Sequence[Any]], Sequence[str]]
    """The cells of an extra column."""
    links: Callable[[Sequence[str]], Sequence[str]]
    """The cells of links to other rows; empty where there is none."""
    lines: Callable[[Sequence[Sequence[str]], int], bytes]
    null: str
    """The cell of a missing value."""


PLAIN = Writing(cells=attrgetter("cells"), extra_cells=render_extra, links=escaped, lines=csv_lines, null="")
TYPED = Writing(cells=typed_cells, extra_cells=typed_extra, links=typed_links, lines=typed_lines, null=NULL)
