"""Rows of a table as JSON objects: columns nested by a delimiter, renamed, and typed."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, cast

import msgspec

from penstock.components.generic_writer.settings import JsonMapping
from penstock.extractor.base.errors import UserError

_NUMBER = re.compile(r"-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?")
_TRUE, _FALSE = ("t", "true", "yes", "1"), ("f", "false", "no", "0")

Convert = Callable[[str], Any]


class RowShape:
    """How every row of a table becomes an object; worked out once, from its header."""

    def __init__(self, columns: Sequence[str], mapping: JsonMapping) -> None:
        override = {item.column: item.type for item in mapping.column_data_types.datatype_override}
        usual = "any" if mapping.column_data_types.autodetect else "string"
        self._columns = [
            (column, _path(column, mapping), _converter(override.get(column, usual))) for column in columns
        ]
        self.to_object(dict.fromkeys(columns, ""))  # a column in the way of another is told before anything is sent

    def to_object(self, row: Mapping[str, str]) -> dict[str, Any]:
        document: dict[str, Any] = {}
        for column, path, convert in self._columns:
            try:
                _put(document, path, convert(row[column]))
            except (ValueError, msgspec.MsgspecError) as error:
                raise UserError(f'The column "{column}" cannot be sent: {error}') from error
        return document


def _path(column: str, mapping: JsonMapping) -> list[str]:
    parts = column.split(mapping.nesting_delimiter) if mapping.nesting_delimiter else [column]
    return [*parts[:-1], mapping.column_names_override.get(column, parts[-1])]


def _put(document: dict[str, Any], path: list[str], value: Any) -> None:
    for part in path[:-1]:
        inside: Any = document.setdefault(part, {})
        if not isinstance(inside, dict):
            raise ValueError(f'"{part}" is a column itself, and cannot hold others. Choose another delimiter.')
        document = cast(dict[str, Any], inside)
    if path[-1] in document:
        raise ValueError(f'there is another value called "{path[-1]}" in its place. Rename one of them.')
    document[path[-1]] = value


def _converter(kind: str) -> Convert:
    converters: dict[str, Convert] = {
        "string": str,
        "number": _to_number,
        "bool": _to_boolean,
        "object": _to_object,
        "any": _to_anything,
    }
    if kind not in converters:
        raise UserError(f'Invalid configuration: "{kind}" is not a column type; use string, number, bool or object.')
    return converters[kind]


def _to_number(text: str) -> Any:
    """Copies a number digit for digit."""
    if not text:
        return None
    if not _NUMBER.fullmatch(text):
        raise ValueError(f"{text[:100]!r} is not a number.")
    return msgspec.Raw(text.encode())


def _to_boolean(text: str) -> bool | None:
    word = text.strip().lower()
    if word and word not in (*_TRUE, *_FALSE):
        raise ValueError(f"{text[:100]!r} is neither true nor false.")
    return word in _TRUE if word else None


def _to_object(text: str) -> Any:
    return msgspec.json.decode(text) if text else None


def _to_anything(text: str) -> Any:
    word = text.lower()
    if word in ("true", "false"):
        return word == "true"
    return msgspec.Raw(text.encode()) if _NUMBER.fullmatch(text) else text
