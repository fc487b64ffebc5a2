"""The columns of each path, and the header of its table."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

import msgspec

from penstock.extractor.base.errors import UserError
from penstock.extractor.records.layout import Layout
from penstock.extractor.records.legacy import types
from penstock.extractor.records.legacy.analysis import DATA
from penstock.extractor.records.legacy.names import TableNames, all_named, safe_name, unique_names
from penstock.extractor.records.legacy.struct import Struct

EXTRA = "string"
"""The type of a column that does not come from the records."""


class LegacyColumn(msgspec.Struct, frozen=True):
    """One path: the types of its columns in the order in which they are written, and their names in the table."""

    path: str
    columns: Mapping[str, str]
    header: tuple[str, ...]


class Table(LegacyColumn, frozen=True):
    """A path whose values are rows."""

    layout: Layout
    """Here, columns with an empty name have been named."""


class LegacyColumns:
    """The columns of all paths of a run. The first rows of a table determine its extra columns."""

    def __init__(self, struct: Struct, names: TableNames) -> None:
        self._struct, self._version, self._names = struct, struct.version, names
        self._extras: dict[str, tuple[str, ...]] = {}
        self._tables: dict[tuple[str, str, tuple[str, ...]], Table | None] = {}
        self._objects: dict[str, LegacyColumn] = {}

    def table(self, path: str, kind: str, extras: tuple[str, ...]) -> Table | None:
        """Returns None if nothing is known about the rows: they have no table."""
        self._refresh()
        key = (path, kind, extras)
        if key not in self._tables:
            self._tables[key] = self._new_table(*key)
        return self._tables[key]

    def object(self, path: str) -> LegacyColumn:
        """Returns the columns of an object within a row: its header is a part of the row's."""
        self._refresh()
        if path not in self._objects:
            columns = dict(self._struct.columns(path))
            self._objects[path] = LegacyColumn(path, columns, unique_names(self._candidates(path, columns)))
        return self._objects[path]

    def _new_table(self, path: str, kind: str, extras: tuple[str, ...]) -> Table | None:
        columns = self._struct.columns(path)
        if kind == types.LIST_OF + types.SCALAR and DATA not in columns:
            # Lists of nulls do not reveal the type of items, but other records have a single value there.
            columns = {**columns, DATA: types.SCALAR}
        if not columns:
            return None
        names = unique_names([*self._candidates(path, columns), *self._extras_of(path, extras)])
        layout = Layout(path, self._names.name(path), all_named(names))
        return Table(path, {**columns, **dict.fromkeys(extras, EXTRA)}, names, layout)

    def _candidates(self, path: str, columns: Mapping[str, str]) -> Iterator[str]:
        for column, kind in columns.items():
            if kind == types.OBJECT:
                members = self.object(f"{path}.{column}").header
                yield from (member_name(column, name) for name in members)
            else:
                yield column

    def _extras_of(self, path: str, extras: tuple[str, ...]) -> Iterable[str]:
        stored = self._extras.setdefault(path, extras)
        for extra in extras:
            if extra not in stored:
                raise _new_extra(self._names.name(path), extra)
        return stored

    def _refresh(self) -> None:
        if self._version != self._struct.version:
            self._version = self._struct.version
            self._tables.clear()
            self._objects.clear()


def member_name(column: str, name: str) -> str:
    return f"{safe_name(column)}_{name}"


def _new_extra(table: str, extra: str) -> UserError:
    return UserError(
        f"The table '{table}' was begun without the column '{extra}', which a later job adds to its rows. "
        "Give jobs with different `userData` or placeholders a `dataType` each."
    )
