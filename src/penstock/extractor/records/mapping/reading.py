"""Reads the `mappings` of a configuration, and reports all errors that can be found without data.

Errors are in the order of the original: first those that it finds with the first rows, then those at the end.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

import msgspec

from penstock.extractor.base.errors import UserError
from penstock.extractor.base.values import TYPE_NAMES, as_map, is_empty, to_text
from penstock.extractor.records.mapping.table import Child, Column, Own, TableMapping
from penstock.extractor.records.serialized import is_integer_key

TYPES = ("column", "user", "table")
DEEPEST = 50
"""How deeply tables may be nested: far more than is useful, and within the recursion limit of Python."""

BAD = "Bad Json to CSV Mapping configuration"


def check_mappings(mappings: Any, used: Collection[str] | None = None) -> dict[str, TableMapping]:
    """Returns the mappings by data type; `used` are those of the jobs, because the messages for other mappings differ
    in the original."""
    if is_empty(mappings):
        return {}
    if not isinstance(mappings, (dict, list)):
        raise UserError(f"The 'mappings' property must be an array, '{TYPE_NAMES[type(mappings)]}' type given.")
    raw = as_map(mappings)
    for data_type, mapping in raw.items():
        _check_form(data_type, mapping)
    tables = {name: _Reader(used is None or name in used).table(name, raw[name]) for name in raw}
    for mapping in raw.values():
        _check_types(mapping)
    for table in tables.values():
        _check_names(table)
    return tables


def _check_form(data_type: str, mapping: Any) -> None:
    if is_empty(mapping):
        raise UserError(f"Empty mapping for '{data_type}' data type in 'mappings' config.")
    if not isinstance(mapping, (dict, list)):
        type_name = TYPE_NAMES[type(mapping)]
        raise UserError(
            f"Mapping must be 'array' type, '{type_name}' type given, for '{data_type}' data type in 'mappings' config."
        )


def _check_types(mapping: Any) -> None:
    for entry in as_map(mapping).values():
        kind = _type_of(as_map(entry))
        if kind not in TYPES:
            raise UserError(f'Invalid mapping type "{kind}". Set `type` to "column", "user" or "table".')
        if kind == "table":
            _check_types(as_map(entry).get("tableMapping"))


def _check_names(mapping: TableMapping) -> None:
    """Checks the names of a table and of those below it: no two columns of one name, and a name that can be the name of
    a file."""
    if not mapping.name or any(sign in mapping.name for sign in "/\0"):
        rendered = mapping.name.replace("\0", "\\0")
        raise UserError(
            f"The mapped table '{rendered}' cannot be a file: its name is empty or holds '/' or a zero byte. "
            "Set another `destination`, or another `dataType` for the job and its mapping."
        )
    header = mapping.table.header
    for index, name in enumerate(header):
        if name in header[:index]:
            raise UserError(
                f"Two columns of the mapped table '{mapping.name}' are called '{name}'. "
                "Set another `destination` for one of them, or `parentKey.destination` for the link to the parent."
            )
    for child in mapping.children:
        _check_names(child.table)


class _Reader(msgspec.Struct, frozen=True):
    is_used: bool
    depth: int = 0

    def table(self, name: str, mapping: Any, link: str = "", is_link_key: bool = False) -> TableMapping:
        entries = tuple(self._entry(name, key, entry) for key, entry in as_map(mapping).items())
        return TableMapping(name, entries, link, is_link_key and bool(link))

    def _entry(self, table: str, key: str, entry: Any) -> Column | Child | Own:
        if isinstance(entry, str) and entry and not is_integer_key(key):
            return Column(key, entry)
        settings = as_map(entry)
        return self._items(table, key, settings) if _type_of(settings) == "table" else self._column(key, settings)

    def _column(self, key: str, settings: dict[str, Any]) -> Column:
        if not self.is_used and settings.get("mapping") is None:
            raise UserError(f'Missing mapping key at item with type "{_type_of(settings)}"')
        mapping = as_map(settings.get("mapping"))
        destination = _name(mapping.get("destination"))
        if not destination:
            raise UserError(f"{BAD}: Key 'mapping.destination' is not set for column '{key}'.")
        return Column(
            key,
            destination,
            _delimiter(settings),
            is_user=_type_of(settings) == "user",
            is_json=not is_empty(settings.get("forceType")),
            is_key=not is_empty(mapping.get("primaryKey")),
        )

    def _items(self, table: str, key: str, settings: dict[str, Any]) -> Child | Own:
        destination, mapping = _name(settings.get("destination")), settings.get("tableMapping")
        if is_empty(mapping) and destination != table:
            raise UserError(f"{BAD}: Key 'tableMapping' is not set for table '{key}'.")
        if not destination:
            raise UserError(f"{BAD}: Key 'destination' is not set for table '{key}'.")
        if destination == table:
            return _own(table, key, settings)
        if self.depth == DEEPEST:
            raise UserError(f"{BAD}: More than {DEEPEST} tables stand inside each other at '{key}'.")
        inner = msgspec.structs.replace(self, depth=self.depth + 1)
        link, is_key = _parent_key(table, settings)
        return Child(key, inner.table(destination, mapping, link, is_key), _delimiter(settings))


def _own(table: str, key: str, settings: dict[str, Any]) -> Own:
    if is_empty(as_map(settings.get("parentKey")).get("disable")):
        raise UserError(f"{BAD}: 'parentKey.disable' must be true to parse child values into parent's table")
    delimiter = _delimiter(settings)
    if key in ("", delimiter):
        raise UserError(f"{BAD}: The rows of '{table}' would be their own items without end. Set a path into the row.")
    return Own(key, delimiter)


def _parent_key(table: str, settings: dict[str, Any]) -> tuple[str, bool]:
    """Returns the column that links to the enclosing row, and whether it belongs to the primary key."""
    parent_key = as_map(settings.get("parentKey"))
    if not is_empty(parent_key.get("disable")):
        return "", False
    return _name(parent_key.get("destination")) or f"{table}_pk", not is_empty(parent_key.get("primaryKey"))


def _type_of(settings: dict[str, Any]) -> str:
    value = settings.get("type")
    if is_empty(value):
        return "column"
    return "Array" if isinstance(value, dict) else to_text(value)


def _delimiter(settings: dict[str, Any]) -> str:
    return _name(settings.get("delimiter")) or "."


def _name(value: Any) -> str:
    return "" if isinstance(value, (dict, list)) else to_text(value)
