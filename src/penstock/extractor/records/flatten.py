"""Nested JSON into rows of several tables, as the type tree lays them out.

An object's members become columns of its row. A list becomes a table of its own: the cell holds the row's id, and the
items repeat it in `JSON_parentId`. Work goes column by column over a whole page, because Python is slow per cell and
fast per list; every table is still in document order.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from itertools import chain
from typing import Any, cast

import msgspec

from penstock.extractor.records.cells import csv_lines, escaped, render
from penstock.extractor.records.names import Scope, column_name, table_name
from penstock.extractor.records.row_ids import RowIds
from penstock.extractor.records.tree import Node, Tree, column_of

PARENT = "JSON_parentId"
_NO_MEMBERS: dict[str, Any] = {}


class Layout(msgspec.Struct, frozen=True):
    """A table: where in the records its rows are, its name and its columns."""

    path: str
    name: str
    header: tuple[str, ...]


Emit = Callable[[Layout, str], None]
"""Takes rows of a table as CSV lines."""


class Flattener:
    """Makes lines of pages; the tree must be complete for the pages it is given."""

    def __init__(self, tree: Tree, emit: Emit) -> None:
        self._tree, self._emit = tree, emit
        self._parent_key = PARENT
        self._layouts: dict[Node, Layout] = {}

    @cached_property
    def is_renaming(self) -> bool:
        """Whether some list's items have a key of their own called JSON_parentId."""
        return any(_has_parent_key(self._tree.rows_of(data_type)) for data_type in self._tree.roots)

    def write(self, data_type: str, records: Sequence[Any]) -> None:
        self._table(self._tree.rows_of(data_type), records, data_type, None)

    def write_in_turn(self, data_type: str, records: Sequence[Any]) -> None:
        """Row by row: a renamed JSON_parentId stays renamed in every table that comes later."""
        for record in records:
            self.write(data_type, [record])

    def _table(self, node: Node, records: Sequence[Any], path: str, parents: list[str] | None) -> None:
        """Emit the rows of one table, and through their columns those of the tables below it."""
        extra = self._extra_key(node) if parents is not None else ""
        ids = RowIds(path, records).with_extra(extra, parents) if parents is not None else RowIds(path, records)
        if node.kind == "object":
            columns = self._columns(node, [record or _NO_MEMBERS for record in records], path, ids)
        else:
            columns = [render(records)] if node.kind == "scalar" or extra else []
        if parents is not None:
            columns.append(escaped(parents))
        layout = self._layout(node, path, extra)
        self._emit(layout, csv_lines(columns, len(records)))

    def _columns(self, node: Node, rows: list[dict[str, Any]], path: str, ids: RowIds) -> list[list[str]]:
        columns: list[list[str]] = []
        for key, child in node.members.items():
            if child.is_extra:
                continue
            values, inner = column_of(rows, key), f"{path}.{key}"
            if child.kind == "object":
                objects = [value or _NO_MEMBERS for value in values]
                columns += self._columns(child, objects, inner, RowIds(inner, objects, ids))
            elif child.kind == "array":
                columns.append(self._list(child, values, inner, ids))
            else:
                columns.append(render(values))
        return columns

    def _list(self, node: Node, values: list[Any], path: str, ids: RowIds) -> list[str]:
        """The cells that link to the items, which go to their own table."""
        lists = list(map(_as_list, values))
        links = [ids[index] if held else "" for index, held in enumerate(lists)]
        items = list(chain.from_iterable(lists))
        if items:
            parents = [link for link, held in zip(links, lists, strict=True) for _ in held]
            self._table(node.items or Node(), items, path, parents)
        return escaped(links)

    def _extra_key(self, node: Node) -> str:
        """JSON_parentId, or another name from the first table on that has a column so called."""
        number = 0
        while self._parent_key in node.members and not node.members[self._parent_key].is_extra:
            self._parent_key, number = f"{PARENT}_u{number}", number + 1
        return self._parent_key

    def _layout(self, node: Node, path: str, extra: str) -> Layout:
        """Fixed with the first rows of a table."""
        if node not in self._layouts:
            self._layouts[node] = Layout(path, table_name(path), tuple(_header_of(node, extra)))
        return self._layouts[node]


def _as_list(value: Any) -> list[Any]:
    """A single value, where other rows have lists, is a list of one."""
    if value is None:
        return []
    return cast(list[Any], value) if isinstance(value, list) else [value]


def _header_of(node: Node, extra: str) -> list[str]:
    names = _named(node) if node.kind == "object" else ["data"] if extra or node.kind == "scalar" else []
    if not extra:
        return names
    scope = Scope()
    for name in _reserved(node) if node.kind == "object" else names:
        scope.take(name)
    return [*names, scope.take(column_name(extra))]


def _named(node: Node) -> list[str]:
    names: list[str] = []
    for child in node.members.values():
        if not child.is_extra:
            names += _named(child) if child.kind == "object" else [child.header or ""]
    return names


def _reserved(node: Node) -> list[str]:
    """Every name taken in a table: objects hold theirs too, although they have no column."""
    names: list[str] = []
    for child in node.members.values():
        if not child.is_extra:
            names += [child.header or "", *(_reserved(child) if child.kind == "object" else [])]
    return names


def _has_parent_key(node: Node) -> bool:
    """Whether the items of a list somewhere below have a key called like the link."""
    items = [node.items] if node.items else []
    if any(PARENT in item.members for item in items):
        return True
    return any(map(_has_parent_key, chain(node.members.values(), items)))
