"""Writes pages according to a mapping: the rows of its table, and those of the tables below it.

Items that are rows of the same table as the row around them, such as replies to comments, are written before that row.
Entries of other tables are applied in the order of the mapping: before the items of the same table if they come first
in it, otherwise after them.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from itertools import chain
from typing import Any, cast

import msgspec

from penstock.extractor.base.errors import UserError
from penstock.extractor.base.json_text import json_text
from penstock.extractor.base.values import is_empty_value, to_text
from penstock.extractor.records.columns import Column
from penstock.extractor.records.layout import Emit, Layout
from penstock.extractor.records.mapping.columns import read_sources, read_values, values_at
from penstock.extractor.records.mapping.table import Child, Own, TableMapping
from penstock.extractor.records.serialized import serialize, serialize_config
from penstock.extractor.records.writing import PLAIN, TYPED, Writing

TakeKeys = Callable[[str, Sequence[Sequence[str]]], None]
"""Takes the cells of a table's primary key, column by column, as they are written."""
TakeValues = Callable[[Layout, Sequence[Column | None]], None]
"""Takes the values of the columns of a table; None for a column of links."""


class Hashes:
    """The MD5 of each row with the extra columns of its batch, computed on first use."""

    def __init__(self, rows: list[Any], extra: dict[str, Any]) -> None:
        self._rows, self._extra = rows, serialize_config(extra) if extra else ""
        self._known: dict[int, str] = {}

    def __getitem__(self, index: int) -> str:
        if index not in self._known:
            text = serialize(self._rows[index]) + self._extra
            self._known[index] = hashlib.md5(text.encode(), usedforsecurity=False).hexdigest()
        return self._known[index]


def build_keys(mapping: TableMapping, rows: list[Any], links: list[str], extra: dict[str, Any]) -> list[str] | Hashes:
    """Returns a text per row; raises UserError where a primary key is a list or an object."""
    if not mapping.has_key:
        return Hashes(rows, extra)
    parts = [read_values(column, rows, extra) for column in mapping.key_columns]
    if mapping.is_link_key:
        parts.append(links)
    return [_joined(row) for row in zip(*parts, strict=True)]


def _joined(values: tuple[Any, ...]) -> str:
    if any(isinstance(value, (dict, list)) for value in values):
        rendered = json_text(["" if value is None else value for value in values])
        raise UserError(
            "Bad Json to CSV Mapping configuration: "
            f"Only scalar values are allowed in primary key. Primary key: {rendered}"
        )
    return ",".join(map(to_text, values))


class Mapper:
    def __init__(self, data_type: str, mapping: TableMapping, writing: Writing = PLAIN) -> None:
        self._data_type, self._writing = data_type, writing
        self._branch = _Branch(data_type, msgspec.structs.replace(mapping, name=data_type))

    def write(
        self,
        records: list[Any],
        extra: Mapping[str, Any],
        emit: Emit,
        take_keys: TakeKeys | None = None,
        take_values: TakeValues | None = None,
    ) -> None:
        """Writes one batch; an empty one creates the table, too."""
        batch = _Batch(dict(extra), emit, take_keys, take_values, self._writing)
        try:
            self._branch.write(Rows(records, [""] * len(records)), batch)
        except RecursionError:
            raise UserError(f"The records of '{self._data_type}' are nested too deeply to be mapped.") from None


class _Batch(msgspec.Struct, frozen=True):
    extra: dict[str, Any]
    emit: Emit
    take_keys: TakeKeys | None
    take_values: TakeValues | None
    writing: Writing


class _Group(msgspec.Struct, frozen=True):
    """Entries that write to one table with one mapping; its rows are in the order of the enclosing rows."""

    entries: list[Child]
    branch: _Branch
    order: int
    """Which of the orders of `unfold` these entries use: the number of entries of the same table before them."""


class _Branch:
    """One table of the mapping, with the branches below it."""

    def __init__(self, data_type: str, mapping: TableMapping) -> None:
        self._data_type, self._mapping = data_type, mapping
        self._table, self._has_key = mapping.table, mapping.has_key
        self._columns, self._linked = mapping.columns, mapping.linked
        self._own = [entry for entry in mapping.entries if isinstance(entry, Own)]
        self._groups = _groups(data_type, mapping)

    def write(self, rows: Rows, batch: _Batch) -> None:
        orders = unfold(rows, self._own, self._has_key) if self._own else [rows]
        keys = [self._keys(order, batch) for order in orders]
        for group in self._groups:
            self._write_children(group, orders[group.order], keys[group.order], batch)
        self._write_rows(orders[-1], keys[-1], batch)

    def _keys(self, rows: Rows, batch: _Batch) -> list[str] | Hashes:
        has_tables = self._groups or self._own
        return build_keys(self._mapping, rows.values, rows.links, batch.extra) if has_tables else []

    def _write_rows(self, rows: Rows, keys: list[str] | Hashes, batch: _Batch) -> None:
        writing, count = batch.writing, len(rows.values)
        sources = read_sources(self._columns, rows.values, batch.extra, self._data_type, is_typed=writing is TYPED)
        cells = {name: writing.cells(source) for name, source in sources.items()}
        for child in self._linked:
            values = values_at(child.key, child.delimiter, rows.values)
            links = ["" if is_empty_value(value) else keys[at] for at, value in enumerate(values)]
            cells[child.table.name] = writing.links(links)
        if self._mapping.link:
            cells[self._mapping.link] = writing.links(rows.links)
        batch.emit(self._table, writing.lines([cells[name] for name in self._table.header], count), count)
        if batch.take_values is not None and writing is TYPED:
            batch.take_values(self._table, [sources.get(name) for name in self._table.header])
        if batch.take_keys is not None and self._has_key:
            batch.take_keys(self._table.name, [cells[name] for name in self._table.primary_key])

    def _write_children(self, group: _Group, rows: Rows, keys: list[str] | Hashes, batch: _Batch) -> None:
        children = self._held(group, rows.values)
        items = list(chain.from_iterable(children))
        # With a primary key, even an empty list creates the child table; without one, only items do.
        if items or (self._has_key and children):
            links = self._links(group, children, keys)
            group.branch.write(Rows(items, links), batch)

    def _held(self, group: _Group, rows: list[Any]) -> list[list[Any]]:
        """Returns the items of each row for a group."""
        columns = [values_at(entry.key, entry.delimiter, rows) for entry in group.entries]
        lists = [[self._items(value) for value in values] for values in columns]
        return lists[0] if len(lists) == 1 else [list(chain.from_iterable(row)) for row in zip(*lists, strict=True)]

    def _items(self, value: Any) -> list[Any]:
        """A single value counts as a list of one, and so does null in a table with a primary key."""
        if not self._has_key and is_empty_value(value):
            return []
        return cast(list[Any], value) if isinstance(value, list) else [value]

    def _links(self, group: _Group, children: list[list[Any]], keys: list[str] | Hashes) -> list[str]:
        if not group.entries[0].table.link:
            return [""] * sum(map(len, children))
        return [key for at, items in enumerate(children) if items for key in [keys[at]] * len(items)]


def _groups(data_type: str, mapping: TableMapping) -> list[_Group]:
    entries_of: dict[tuple[int, TableMapping], list[Child]] = {}
    order = 0
    for entry in mapping.entries:
        if isinstance(entry, Own):
            order += 1
        elif isinstance(entry, Child):
            entries_of.setdefault((order, entry.table), []).append(entry)
    return [_Group(entries, _Branch(data_type, table), order) for (order, table), entries in entries_of.items()]


class Rows(msgspec.Struct, frozen=True):
    """Rows of a table, each with the key of the row that it is an item of."""

    values: list[Any]
    links: list[str]


def unfold(rows: Rows, entries: Sequence[Own], has_key: bool) -> list[Rows]:
    """Returns all rows, nested ones included, in one order more than there are entries: before the first, …, after the
    last."""
    orders = [Rows([], []) for _ in range(len(entries) + 1)]
    waiting = [(value, link, 0) for value, link in zip(reversed(rows.values), reversed(rows.links), strict=True)]
    while waiting:
        value, link, done = waiting.pop()
        orders[done].values.append(value)
        orders[done].links.append(link)
        if done < len(entries):
            waiting.append((value, link, done + 1))
            waiting += [(item, link, 0) for item in reversed(_items(entries[done], value, has_key))]
    return orders


def _items(entry: Own, row: Any, has_key: bool) -> list[Any]:
    """Returns nothing for null, even with a primary key, where another table would get a row: here that would not
    end."""
    (value,) = values_at(entry.key, entry.delimiter, [row])
    if value is None or (not has_key and is_empty_value(value)):
        return []
    return cast(list[Any], value) if isinstance(value, list) else [value]
