"""How values become cells and lines: without types, as the original writes them, or with types."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from operator import attrgetter
from typing import Any

import msgspec

from penstock.extractor.records.cells import csv_lines, escaped, render_extra
from penstock.extractor.records.columns import Column
from penstock.extractor.records.typed_cells import NULL, typed_cells, typed_extra, typed_lines, typed_links


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
