"""Flattens nested JSON into rows of several tables, according to the type tree.

The members of an object become columns of its row. A list becomes a separate table: the cell holds the id of the row,
and the items repeat it in `JSON_parentId`. Pages are processed column by column, because Python is slow per cell and
fast per list; the rows of every table are still in document order.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from itertools import chain, repeat
from typing import Any, cast

from penstock.extractor.records.columns import Column
from penstock.extractor.records.extras import PARENT, Aliases, Extras
from penstock.extractor.records.layout import Emit, Layout
from penstock.extractor.records.names import Scope, column_name
from penstock.extractor.records.naming import Naming
from penstock.extractor.records.row_ids import RowIds
from penstock.extractor.records.serialized import ConfigMap
from penstock.extractor.records.tree import Node, Tree, lists_below
from penstock.extractor.records.types import Types
from penstock.extractor.records.writing import PLAIN, TYPED

TakeRows = Callable[[Layout, Sequence[Sequence[str]]], None]
"""Takes the rendered columns of some rows of a table."""
Columns = dict[str, Sequence[Any]]
"""Extra columns of a batch of rows, by their keys."""


class Flattener:
    """Turns pages into CSV lines; the tree and the extra columns must cover these pages."""

    def __init__(
        self,
        tree: Tree,
        extras: Extras,
        emit: Emit,
        naming: Naming | None = None,
        take_rows: TakeRows | None = None,
        types: Types | None = None,
    ) -> None:
        """`naming` names the columns and tables of the tree; all flatteners of a tree share one. `types` learns the
        types of the columns; without it, they hold texts."""
        self._tree, self._extras, self._emit, self._take_rows = tree, extras, emit, take_rows
        self._types, self._writing = types, PLAIN if types is None else TYPED
        self._naming = naming or Naming(tree)
        self._naming.update()
        self._aliases = Aliases()
        self._layouts: dict[Node, Layout] = {}
        self._with_lists: dict[Node, bool] = {}

    @cached_property
    def is_final(self) -> bool:
        """Returns whether rows do not depend on later pages as long as the layout stays the same."""
        return not self.is_in_turn and not self._extras.clash(self._tree)

    @cached_property
    def is_in_turn(self) -> bool:
        """Returns whether rows must be written one by one: if links are renamed, or if data types share a table."""
        return self._naming.has_shared_tables or self._naming.has_renamed_links

    def write(self, data_type: str, rows: Column, extra: Mapping[str, Any]) -> None:
        """Writes a page. Without records, only the names of the extra columns are determined."""
        node = self._tree.rows_of(data_type)
        values: dict[str, Any] = {}
        for key, value in extra.items():
            values[self._aliases.name(key, node, values)] = _extra_value(value)
        self._extras.learn(data_type, values)
        keys = self._extras.keys(data_type)
        for part in self._parts(rows.exact() if self._has_lists(node) else rows):
            columns: Columns = {key: [value] * len(part) for key, value in values.items()}
            self._table(node, part, data_type, columns, keys)

    def _has_lists(self, node: Node) -> bool:
        """Returns whether rows may need ids."""
        if node not in self._with_lists:
            self._with_lists[node] = next(lists_below(node), None) is not None
        return self._with_lists[node]

    def _parts(self, rows: Column) -> list[Column]:
        if self.is_in_turn:
            return [Column([row]) for row in rows.values]
        return [rows] if len(rows) else []

    def _table(self, node: Node, rows: Column, path: str, extra: Columns, keys: Sequence[str]) -> None:
        """Emits the rows of one table, and those of the tables below it.

        `keys` are all extra columns of the table; those that these rows lack are empty.
        """
        if node.kind == "object":
            columns = self._columns(node, rows, path, RowIds(path, rows).with_extra(extra))
        else:
            columns = [self._writing.cells(rows)] if _has_data(node, keys) else []
        nothing = [self._writing.null] * len(rows)
        columns += [self._writing.extra_cells(extra[key]) if key in extra else nothing for key in keys]
        layout = self._layout(node, path, keys)
        if self._types is not None:
            self._types.learn(layout, [*_sources(node, rows, keys), *(_extra_column(extra.get(key)) for key in keys)])
        self._emit(layout, self._writing.lines(columns, len(rows)), len(rows))
        if self._take_rows:
            self._take_rows(layout, columns)

    def _columns(self, node: Node, rows: Column, path: str, ids: RowIds) -> list[Sequence[str]]:
        columns: list[Sequence[str]] = []
        for key, child in node.members.items():
            if child.is_extra:
                continue
            values, inner = rows.member(key), f"{path}.{key}"
            if child.kind == "object":
                columns += self._columns(child, values, inner, RowIds(inner, values, ids))
            elif child.kind == "array":
                columns.append(self._list(child, values, inner, ids))
            else:
                columns.append(self._writing.cells(values))
        return columns

    def _list(self, node: Node, values: Column, path: str, ids: RowIds) -> Sequence[str]:
        """Returns the cells that link to the items, which are written to a separate table."""
        sizes = values.sizes
        holding = [index for index, size in enumerate(sizes) if size]
        links = [""] * len(sizes)
        for index, link in zip(holding, ids.at(holding), strict=True):
            links[index] = link
        if holding:
            parents = list(chain.from_iterable(map(repeat, links, sizes)))
            self._items(node.items or Node(), values.items, path, parents)
        return self._writing.links(links)

    def _items(self, node: Node, items: Column, path: str, parents: list[str]) -> None:
        key = self._aliases.name(PARENT, node)
        if not self.is_in_turn:
            self._table(node, items, path, {key: parents}, [key])
            return
        for part, parent in zip(self._parts(items), parents, strict=True):
            self._table(node, part, path, {key: [parent]}, [key])

    def _layout(self, node: Node, path: str, keys: Sequence[str]) -> Layout:
        """Returns the layout, which the first rows of a table determine."""
        if node not in self._layouts:
            self._layouts[node] = Layout(path, self._naming.table_name(node), tuple(_header_of(node, keys)))
        return self._layouts[node]


def _sources(node: Node, rows: Column, keys: Sequence[str]) -> list[Column | None]:
    """Returns the values of the columns of a table, without the extra ones; None for links to other rows."""
    if node.kind != "object":
        return [rows] if _has_data(node, keys) else []
    sources: list[Column | None] = []
    for key, child in node.members.items():
        if child.kind == "object" and not child.is_extra:
            sources += _sources(child, rows.member(key), keys)
        elif not child.is_extra:
            sources.append(None if child.kind == "array" else rows.member(key))
    return sources


def _extra_column(values: Sequence[Any] | None) -> Column:
    return Column([None] if values is None else values)


def _extra_value(value: Any) -> Any:
    """Marks maps of the configuration, which are serialized differently from objects of a response."""
    return ConfigMap(cast(dict[str, Any], value)) if isinstance(value, dict) else value


def _has_data(node: Node, keys: Sequence[str]) -> bool:
    """Returns whether rows that are not objects have a column: items of a list do, a page of nulls does not."""
    return node.kind == "scalar" or bool(keys)


def _header_of(node: Node, keys: Sequence[str]) -> list[str]:
    names = _named(node) if node.kind == "object" else ["data"] if _has_data(node, keys) else []
    scope = Scope()
    scope.take("")  # no column may have an empty name
    for name in _reserved(node) if node.kind == "object" else names:
        scope.take(name)
    return [*names, *(scope.take(column_name(key)) for key in keys)]


def _named(node: Node) -> list[str]:
    names: list[str] = []
    for child in node.members.values():
        if not child.is_extra:
            names += _named(child) if child.kind == "object" else [child.header or ""]
    return names


def _reserved(node: Node) -> list[str]:
    """Returns all names in use in a table: objects reserve theirs too, although they have no column."""
    names: list[str] = []
    for child in node.members.values():
        if not child.is_extra:
            names += [child.header or "", *(_reserved(child) if child.kind == "object" else [])]
    return names
