"""Writes records as rows of several tables, by the rules of the legacy parser.

A value is stored under its safe name. If two columns have the same safe name, the last value wins, and the column that
is named by an MD5 stays empty.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Any, cast

from penstock.extractor.base.json_text import json_text
from penstock.extractor.base.values import as_json
from penstock.extractor.records.cells import csv_lines, render
from penstock.extractor.records.extras import PARENT
from penstock.extractor.records.layout import Emit, Layout
from penstock.extractor.records.legacy import types
from penstock.extractor.records.legacy.analysis import DATA, Analysis
from penstock.extractor.records.legacy.layout import LegacyColumn, LegacyColumns, member_name
from penstock.extractor.records.legacy.names import safe_name
from penstock.extractor.records.legacy.struct import Report
from penstock.extractor.records.row_ids import row_id
from penstock.extractor.records.serialized import ConfigMap

Cells = dict[str, Any]


class Row:
    """A record, an item of a list, or an object within one of them."""

    def __init__(self, path: str, members: dict[str, Any], enclosing: Row | None = None) -> None:
        self.path, self.members, self._enclosing = path, members, enclosing

    @cached_property
    def id(self) -> str:
        """Computes the id only for a row with a list: it is an MD5 of all of the row."""
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


def get_members(item: Any) -> dict[str, Any]:
    """Returns the members of an object; any other value is the only member, `data`."""
    if isinstance(item, dict):
        return cast(dict[str, Any], item)
    return {DATA: json_text(item) if isinstance(item, list) else item}


class Writer:
    """Writes one page."""

    def __init__(self, places: LegacyColumns, analysis: Analysis, report: Report) -> None:
        self._places, self._analysis, self._report = places, analysis, report
        self._sheets = Sheets()

    def write(self, data_type: str, records: list[Any], extra: Mapping[str, Any], emit: Emit) -> None:
        self._table(data_type, records, extra, types.ARRAY)
        self._sheets.emit(emit)

    def _table(self, path: str, items: list[Any], extra: Mapping[str, Any], kind: str) -> None:
        self._learn_unknown(path, items, extra)
        target = self._places.table(path, kind, tuple(extra))
        if target is None:
            return
        rows = self._sheets.rows_of(target.layout)
        for item in items:
            cells = self._cells(Row(path, {**get_members(item), **extra}), target)
            rows.append([cells[name] for name in target.header])

    def _learn_unknown(self, path: str, items: list[Any], extra: Mapping[str, Any]) -> None:
        """Learns a single value where the state expects a list, which was not learnt as an item before."""
        count = self._analysis.counts.get(path, 0)
        if count and count >= len(items):
            return
        self._report.debug(
            f"Trying to parse an unknown data type '{path}'. Trying on-the-fly analysis",
            data=json_text(items),
            type=path,
            parentId=json_text(dict(extra)),
        )
        self._analysis.learn(path, items)

    def _cells(self, row: Row, target: LegacyColumn) -> Cells:
        cells: Cells = dict.fromkeys(target.header)
        for column, kind in target.columns.items():
            value = row.members.get(column)
            if kind == types.OBJECT:
                self._write_members(row, column, value, cells)
            elif value is None or value == []:
                cells[safe_name(column)] = None
            else:
                cells[safe_name(column)] = self._cell(row, column, kind, value)
        return cells

    def _write_members(self, row: Row, column: str, value: Any, cells: Cells) -> None:
        if value is None or value == []:
            return
        path = f"{row.path}.{column}"
        if not isinstance(value, dict):
            # The inside of an object that counts as empty was not learnt before.
            raise types.type_change(types.OBJECT, _type_of(value), path)
        inner = self._cells(Row(path, cast(dict[str, Any], value), row), self._places.object(path))
        for name, cell in inner.items():
            cells[safe_name(member_name(column, name))] = cell

    def _cell(self, row: Row, column: str, kind: str, value: Any) -> Any:
        if kind == types.ARRAY or types.is_list(kind):
            items = cast(list[Any], value) if isinstance(value, list) else [value]
            self._table(f"{row.path}.{column}", items, {PARENT: row.id}, kind)
            return row.id
        if kind == types.NULL:
            return self._whole_row(row)
        return self._plain(row, column, kind, value) if isinstance(value, (dict, list)) else value

    def _whole_row(self, row: Row) -> str:
        text = json_text(row.members)
        message = "Encountered data where 'NULL' was expected from previous analysis"
        self._report.warning(message, type=row.path, data=text)
        return text

    def _plain(self, row: Row, column: str, kind: str, value: Any) -> str:
        text = json_text(as_json(value) if isinstance(value, ConfigMap) else value)
        self._report.error(
            f"Data parse error in '{column}' - unexpected '{_type_of(value)}' where '{kind}' was expected!",
            data=text,
            row=json_text(row.members),
        )
        return text


def _type_of(value: Any) -> str:
    if isinstance(value, dict):
        return types.OBJECT
    return types.ARRAY if isinstance(value, list) else types.SCALAR
