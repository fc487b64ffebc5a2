"""Reads single settings leniently, because configurations write numbers as text, null for absent, `[]` for `{}`.

A setting of another type is a UserError with its path.
"""

from __future__ import annotations

from typing import Any

import msgspec

from penstock.extractor.base.errors import UserError, invalid
from penstock.extractor.base.integers import exact_integer, integer_part
from penstock.extractor.base.json_text import json_text
from penstock.extractor.base.values import as_map, is_empty, to_text

SHOWN = 200
_TRUE = (1, "1", "true")
_MAX_SECONDS = 1e9


class Section(msgspec.Struct, frozen=True):
    """A map of the configuration, and its path."""

    raw: dict[str, Any]
    path: str

    def get(self, name: str) -> Any:
        return self.raw.get(name)

    def has(self, name: str) -> bool:
        return not is_empty(self.get(name))

    def text(self, name: str, default: str = "") -> str:
        """Accepts a number; an empty value means the default."""
        return self._text(name, self.get(name)) if self.has(name) else default

    def texts(self, name: str) -> tuple[str, ...]:
        """Returns one text, or a list of them."""
        value = self.get(name)
        items = as_map(value) if isinstance(value, (dict, list)) else {"": value}
        return tuple(self._text(name, item, "a list of texts") for item in items.values()) if self.has(name) else ()

    def flag(self, name: str, default: bool = False) -> bool:
        value = self.get(name)
        if value is None or isinstance(value, bool):
            return default if value is None else value
        if not is_empty(value) and value not in _TRUE:
            raise self.wrong(name, "true or false")
        return not is_empty(value)

    def integer(self, name: str) -> int | None:
        """Returns the whole part of a number; None for null."""
        return self._number(name, integer_part(self.get(name)))

    def exact(self, name: str) -> int | None:
        """Returns a number without a fraction; None for null."""
        return self._number(name, exact_integer(self.get(name)))

    def seconds(self, name: str, default: float) -> float:
        """Reads a number or its text; anything else, zero included, means the default."""
        value = self.get(name)
        try:
            seconds = 0.0 if isinstance(value, bool) else float(value)
        except (TypeError, ValueError, OverflowError):
            return default
        return seconds if 0 < seconds < _MAX_SECONDS else default

    def within(self, name: str) -> Section:
        return Section(as_map(self.get(name)), f"{self.path}.{name}")

    def map(self, name: str) -> Section:
        """Returns the same, but raises UserError for a value that is neither empty nor a map."""
        if self.has(name) and not isinstance(self.get(name), (dict, list)):
            raise self.wrong(name, "an object")
        return self.within(name)

    def only_one_of(self, one: str, other: str) -> None:
        if self.has(one) and self.has(other):
            raise invalid(f"Specify only one of '{one}' and '{other}'", f"{self.path}.{other}", "Remove one of them.")

    def wrong(self, name: str, expected: str) -> UserError:
        return invalid(f"Expected {expected}, got {describe(self.get(name))}", f"{self.path}.{name}")

    def _text(self, name: str, value: Any, expected: str = "a text") -> str:
        if value is True or (isinstance(value, (dict, list)) and value):
            raise self.wrong(name, expected)
        return "" if isinstance(value, (dict, list)) else to_text(value)

    def _number(self, name: str, number: int | None) -> int | None:
        if number is None and self.get(name) is not None:
            raise self.wrong(name, "a whole number")
        return number


def read_map(raw: Any, message: str) -> dict[str, Any]:
    """Returns a map; raises UserError with this message for a value that is neither empty nor a map."""
    if not is_empty(raw) and not isinstance(raw, (dict, list)):
        raise UserError(message)
    return as_map(raw)


def describe(value: Any) -> str:
    """Returns a wrong value as messages show it; not the contents of an object, which may hold secrets."""
    if isinstance(value, (dict, list)):
        return "an object" if isinstance(value, dict) else "an array"
    return json_text(value)[:SHOWN]
