"""Placeholders: the values of a record that fill the endpoint of a child job, and the columns that hold them."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Any, cast

import msgspec

from penstock.extractor.base.errors import UserError
from penstock.extractor.base.functions import evaluate, flat
from penstock.extractor.base.path import NotFound, get
from penstock.extractor.base.values import as_map, to_text

PREFIX = "parent_"
SHOWN_KEYS = 10


class Placeholder(msgspec.Struct, frozen=True):
    """A value from a parent record: it replaces `{name}` in the endpoint, and fills a column named after its path."""

    name: str
    path: str
    value: Any

    @property
    def column(self) -> str:
        return self.path if self.path.startswith(PREFIX) else PREFIX + self.path


class Parents(msgspec.Struct, frozen=True):
    """The parents of a run of a child job: their records, nearest first, and the placeholders taken from them."""

    records: tuple[Any, ...] = ()
    placeholders: tuple[Placeholder, ...] = ()

    def fill(self, endpoint: str) -> str:
        for placeholder in self.placeholders:
            endpoint = endpoint.replace(f"{{{placeholder.name}}}", to_text(placeholder.value))
        return endpoint

    @property
    def columns(self) -> dict[str, Any]:
        return {placeholder.column: placeholder.value for placeholder in self.placeholders}


def descend(parents: Parents, record: Any, sources: dict[str, Any], where: str = "") -> Iterator[Parents]:
    """Yields the parents for each run of a child job for this record: the combinations of values that are lists, the
    last one varying fastest.

    `where` is the path of the placeholders in the configuration, for messages.
    """
    records = (record, *parents.records)
    placeholders = {placeholder.name: placeholder for placeholder in parents.placeholders}
    placeholders |= {name: _take(name, source, records, where) for name, source in sources.items()}
    if not placeholders:
        return
    for values in product(*(_choices(placeholder) for placeholder in placeholders.values())):
        yield Parents(records, values)


def _choices(placeholder: Placeholder) -> list[Placeholder]:
    value = placeholder.value
    values = cast(list[Any], value) if isinstance(value, list) else [value]
    for choice in values:
        if isinstance(choice, (dict, list)):
            raise UserError(
                f"The value of placeholder '{placeholder.name}' at '{placeholder.path}' is an object or holds lists. "
                "Set its path to a text or a number."
            )
    return [Placeholder(placeholder.name, placeholder.path, choice) for choice in values]


def _take(name: str, source: Any, records: tuple[Any, ...], where: str) -> Placeholder:
    path, function = read_source(name, source)
    value = _value(name, path, records, where)
    if function:
        value = evaluate(function, {"placeholder": flat({"value": value})})
    return Placeholder(name, path, value)


def read_source(name: str, source: Any) -> tuple[str, dict[str, Any]]:
    """Returns the path, and the function applied to the value, if any."""
    if isinstance(source, (dict, list)):
        members = as_map(source)
        path = members.get("path")
        rest = {key: value for key, value in members.items() if key != "path"}
    else:
        path, rest = source, {}
    if isinstance(path, bool) or not isinstance(path, (str, int)) or path == "":
        raise UserError(
            f"The path for placeholder '{name}' must be a string value or an object containing 'path' and 'function'."
        )
    return str(path), rest


def _value(name: str, path: str, records: tuple[Any, ...], where: str) -> Any:
    level = level_of(name)
    if not 1 <= level <= len(records):
        raise UserError(f"Level {level} not found in parent results! Maximum level: {len(records)}")
    try:
        return get(path, records[level - 1])
    except NotFound:
        at = f" - at `{where}.{name}`" if where else ""
        raise UserError(
            f"No value found for {name} in parent result. (level: {level}) Nothing is at the path '{path}' of the "
            f"record{_keys(records[level - 1])}{at}. Correct the path, or set `recursionFilter` to leave such records "
            "out."
        ) from None


def _keys(record: Any) -> str:
    """Returns the keys of a record, for a message."""
    if not isinstance(record, dict):
        return ""
    keys = list(cast(dict[str, Any], record))
    more = ", …" if len(keys) > SHOWN_KEYS else ""
    return f", which has the keys {', '.join(keys[:SHOWN_KEYS])}{more}" if keys else ", which has no keys"


def level_of(name: str) -> int:
    prefix, colon, _rest = name.partition(":")
    if not colon:
        return 1
    return int(prefix) if prefix.isdecimal() and prefix.isascii() and len(prefix) < 10 else 0
