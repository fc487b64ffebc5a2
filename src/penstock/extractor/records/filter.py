"""`responseFilter`: turns the values that it names into JSON text before the records are flattened."""

from __future__ import annotations

from typing import Any, cast

import msgspec

from penstock.extractor.base.errors import UserError
from penstock.extractor.base.json_text import json_text
from penstock.extractor.base.values import is_empty_value, to_text

MANY = "[]"


class Filter(msgspec.Struct, frozen=True):
    """Paths such as `address` or `contacts[].properties`, and how strictly they are applied."""

    paths: tuple[str, ...] = ()
    delimiter: str = "."
    is_lenient: bool = False
    """Up to `compatLevel` 2: empty values stay as they are, and scalars become plain text instead of JSON."""

    def apply(self, records: list[Any]) -> list[Any]:
        for path in self.paths:
            keys = path.split(self.delimiter)
            records = [self._filtered(record, keys) for record in records]
        return records

    def _filtered(self, value: Any, keys: list[str]) -> Any:
        """Returns the value with what is at the path turned into text; unchanged if nothing is there."""
        if not keys:
            return self._text(value)
        key, rest = keys[0], keys[1:]
        name = key.removesuffix(MANY)
        members = cast(dict[str, Any], value) if isinstance(value, dict) else {}
        if name not in members:
            return cast(Any, value)
        inner = members[name]
        if self.is_lenient and is_empty_value(inner):
            return members
        if key.endswith(MANY):
            return {**members, name: [self._filtered(item, rest) for item in _list_at(inner, name)]}
        return {**members, name: self._filtered(inner, rest)}

    def _text(self, value: Any) -> Any:
        if not self.is_lenient:
            return json_text(value)
        if is_empty_value(value):
            return value
        return json_text(value) if isinstance(value, (dict, list)) else to_text(value)


def _list_at(value: Any, name: str) -> list[Any]:
    if not isinstance(value, list):
        raise UserError(f"Error filtering response. '{name}' is not an array.")
    return cast(list[Any], value)
