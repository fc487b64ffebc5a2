"""Rows of one page: their ids, and their cells by table."""

from __future__ import annotations

from functools import cached_property
from typing import Any, cast

from penstock.extractor.json_text import json_text
from penstock.extractor.records.cells import csv_lines, render
from penstock.extractor.records.layout import Emit, Layout
from penstock.extractor.records.legacy.analysis import DATA
from penstock.extractor.records.row_ids import row_id

Cells = dict[str, Any]


class Row:
    """A record, an item of a list, or an object within one of them."""

    def __init__(self, path: str, members: dict[str, Any], enclosing: Row | None = None) -> None:
        self.path, self.members, self._enclosing = path, members, enclosing

    @cached_property
    def id(self) -> str:
        """Computed only for a row with a list: the id is an MD5 of all of the row."""
        return row_id(self.path, self.members, self._enclosing.id if self._enclosing else "")


class Sheets:
    """The rows of one page by table; they are emitted together."""

    def __init__(self) -> None:
        self._sheets: dict[tuple[str, tuple[str, ...]], tuple[Layout, list[list[Any]]]] = {}

    def rows_of(self, layout: Layout) -> list[list[Any]]:
        # Data types whose tables have the same name share a file, in which their rows alternate.
        return self._sheets.setdefault((layout.name, layout.header), (layout, []))[1]

    def emit(self, emit: Emit) -> None:
        for layout, rows in self._sheets.values():
            columns = [render(column) for column in zip(*rows, strict=True)]
            emit(layout, csv_lines(columns, len(rows)), len(rows))


def members_of(item: Any) -> dict[str, Any]:
    """The members of an object; any other value is the only member, `data`."""
    if isinstance(item, dict):
        return cast(dict[str, Any], item)
    return {DATA: json_text(item) if isinstance(item, list) else item}
