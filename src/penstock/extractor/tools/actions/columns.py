"""From records to the columns of a mapping: scalars become columns, lists and deep objects columns of JSON text."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, cast

import msgspec

from penstock.extractor.base.errors import UserError

Path = tuple[str, ...]
_FORBIDDEN = re.compile(r"[^A-Za-z0-9_]")
DELIMITERS = (".", "/", "|", ":", ";", "~", "\x1f")
"""The first one that no key of a path contains is used."""
ROW, ROW_COLUMN = ".", "data"
"""The path and the column of a record that is not an object."""
NO_NAME = "column"


class WantedColumn(msgspec.Struct, frozen=True):
    """An extra column: its key, and its name."""

    key: str
    destination: str
    is_key: bool = False


class Shape(msgspec.Struct):
    """The kinds of values at one path in all records."""

    kinds: set[str] = msgspec.field(default_factory=set[str])
    members: dict[str, Shape] = msgspec.field(default_factory=dict[str, "Shape"])

    def see(self, value: Any, levels: int) -> None:
        self.kinds.add(_kind(value))
        if isinstance(value, dict) and levels >= 0:
            for name, member in cast(dict[str, Any], value).items():
                self.members.setdefault(name, Shape()).see(member, levels - 1)

    def leaves(self, levels: int, path: Path = ()) -> Iterator[tuple[Path, bool]]:
        """Yields the paths of columns, and whether they hold JSON; null is compatible with every kind."""
        kinds = self.kinds - {"null"}
        if kinds == {"object"} and self.members and len(path) <= levels:
            for name, member in self.members.items():
                yield from member.leaves(levels, (*path, name))
        else:
            yield path, bool(kinds - {"scalar"})


class _Mapping:
    def __init__(self, keys: list[str]) -> None:
        self._keys, self._left = frozenset(keys), dict.fromkeys(keys)
        self.entries: dict[str, Any] = {}
        self._taken: set[str] = set()

    def add(self, path: Path, is_json: bool) -> None:
        key, delimiter = self._address(path)
        dotted = ".".join(path) or ROW
        self._left.pop(dotted, None)
        destination = self._free(column_name("_".join(path)) if path else ROW_COLUMN)
        entry = _entry(destination, is_key=dotted in self._keys, is_json=is_json, delimiter=delimiter)
        self.entries[key] = _full(entry) if key.removeprefix("-").isdecimal() else entry

    def add_column(self, column: WantedColumn) -> None:
        destination = column_name(column.destination)
        if destination in self._taken or column.key in self.entries:
            raise UserError(
                f"The column '{destination}' is already among the columns of the records. Rename the user data or the "
                "placeholder."
            )
        self._taken.add(destination)
        mapping = {"destination": destination, **({"primaryKey": True} if column.is_key else {})}
        self.entries[column.key] = {"type": "user", "mapping": mapping}

    def check_keys(self) -> None:
        if self._left:
            raise UserError(
                f"The primary key '{next(iter(self._left))}' is not a column of the records. Known columns: "
                f"{', '.join(self.entries)}."
            )

    def _address(self, path: Path) -> tuple[str, str]:
        """Returns the key of an entry, and the delimiter in it."""
        for delimiter in DELIMITERS:
            key = delimiter.join(path) if path else ROW
            if key not in self.entries and not any(delimiter in name for name in path):
                return key, delimiter
        raise UserError(f"The property '{'.'.join(path)}' cannot be mapped next to others of the same path.")

    def _free(self, name: str) -> str:
        free, number = name, 0
        while free in self._taken:
            number += 1
            free = f"{name}_{number}"
        self._taken.add(free)
        return free


def infer_columns(records: list[Any], levels: int, keys: list[str], columns: list[WantedColumn]) -> dict[str, Any]:
    """Returns a mapping: objects are flattened to this depth, `keys` are the dotted paths of the primary key."""
    shape, mapping = Shape(), _Mapping(keys)
    for record in records:
        shape.see(record, levels)
    for path, is_json in shape.leaves(levels):
        mapping.add(path, is_json)
    mapping.check_keys()
    for column in columns:
        mapping.add_column(column)
    return mapping.entries


def column_name(text: str) -> str:
    return _FORBIDDEN.sub("_", text).removeprefix("_") or NO_NAME


def _entry(destination: str, *, is_key: bool, is_json: bool, delimiter: str) -> str | dict[str, Any]:
    """Returns the shortest form of an entry."""
    is_usual = delimiter == DELIMITERS[0]
    if is_usual and not is_key and not is_json:
        return destination
    mapping = {"destination": destination, **({"primaryKey": True} if is_key else {})}
    if is_usual and not is_json:
        return {"mapping": mapping}
    json = {"forceType": True} if is_json else {}
    return {"type": "column", "mapping": mapping, **json, **({} if is_usual else {"delimiter": delimiter})}


def _full(entry: str | dict[str, Any]) -> dict[str, Any]:
    """Returns the long form, which a key that is a number requires."""
    return {"type": "column", "mapping": {"destination": entry}} if isinstance(entry, str) else entry


def _kind(value: Any) -> str:
    if value is None:
        return "null"
    return "object" if isinstance(value, dict) else "list" if isinstance(value, list) else "scalar"
