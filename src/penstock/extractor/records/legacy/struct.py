"""What the legacy parser knows: the columns and their types of every path, as stored in the state."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Protocol

from penstock.extractor.base.errors import UserError
from penstock.extractor.base.values import as_map, is_empty, is_list, to_text
from penstock.extractor.records.legacy import types

VERSION = 2
Columns = dict[str, str]
NO_COLUMNS: Mapping[str, str] = {}


class Struct:
    """Columns are in the order of their first appearance; a path comes after the paths inside it."""

    def __init__(self, raw: Any) -> None:
        """Raises UserError for a struct that no run could have written."""
        self._paths = _read(raw)
        self.version = 0
        """Incremented by every change of a header."""

    def columns(self, path: str) -> Mapping[str, str]:
        return self._paths.get(path, NO_COLUMNS)

    def lists(self) -> Iterator[str]:
        """Yields the paths of all lists, whose items have tables."""
        for path, columns in self._paths.items():
            yield from (f"{path}.{column}" for column, kind in columns.items() if types.is_list(kind))

    def merge(self, path: str, new_columns: Columns) -> None:
        if not new_columns:
            return
        columns = self._paths.setdefault(path, {})
        for column, kind in new_columns.items():
            old = columns.get(column)
            if old != kind:
                self._change(columns, column, types.merge(old or types.NULL, kind, f"{path}.{column}"))

    def dump(self) -> dict[str, Any] | list[Any]:
        return _array({path: _array(columns) for path, columns in self._paths.items()})

    def _change(self, columns: Columns, column: str, kind: str) -> None:
        if columns.get(column) != kind:
            columns[column] = kind
            self.version += 1


def _read(raw: Any) -> dict[str, Columns]:
    if is_empty(raw):
        return {}
    return {path: _columns(path, value) for path, value in _map(raw, "json_parser.struct").items()}


def _columns(path: str, value: Any) -> Columns:
    return {column: _kind(f"{path}.{column}", kind) for column, kind in _map(value, path).items()}


def _map(value: Any, path: str) -> dict[str, Any]:
    if isinstance(value, (dict, list)):
        return as_map(value)
    raise _malformed(
        f"Invalid data definitions in '{path}'. Each key should contain an array of data types in an associative array."
    )


def _kind(path: str, kind: Any) -> str:
    if isinstance(kind, str) and types.is_valid(kind):
        return kind
    rendered = "Array" if isinstance(kind, dict) else to_text(kind)
    raise _malformed(f"Error loading data structure definition in '{path}'! '{rendered}' is not a valid data type.")


def _malformed(message: str) -> UserError:
    return UserError(f"{message} Delete `json_parser.struct` from the state to start afresh.")


def _array(members: dict[str, Any]) -> dict[str, Any] | list[Any]:
    return list(members.values()) if is_list(members) else dict(members)


class Report(Protocol):
    def debug(self, message: str, **context: Any) -> None: ...

    def warning(self, message: str, **context: Any) -> None: ...

    def error(self, message: str, **context: Any) -> None: ...
