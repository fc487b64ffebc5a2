"""The settings of a pagination as configurations write them: numbers as text, null for absent, `[]` for `{}`.

A setting that cannot be understood is a UserError with its path.
"""

from __future__ import annotations

from typing import Any

import msgspec

from penstock.extractor.errors import UserError
from penstock.extractor.json_text import json_text
from penstock.extractor.pagination.numeric import exact_whole, whole_part
from penstock.extractor.values import as_map, is_empty

_TRUE = (1, "1", "true")
SHOWN = 200


class Options(msgspec.Struct, frozen=True):
    """A map of the configuration, and where it stands."""

    raw: dict[str, Any]
    path: str

    def get(self, name: str) -> Any:
        return self.raw.get(name)

    def has(self, name: str) -> bool:
        return not is_empty(self.get(name))

    def text(self, name: str, default: str = "") -> str:
        """A name or a path; an empty one counts as not set."""
        value = self.get(name)
        if is_empty(value):
            return default
        if type(value) is int:
            return str(value)
        if type(value) is not str:
            raise self.wrong(name, "a text")
        return value

    def flag(self, name: str, default: bool = False) -> bool:
        value = self.get(name)
        if value is None or isinstance(value, bool):
            return default if value is None else value
        if not is_empty(value) and value not in _TRUE:
            raise self.wrong(name, "true or false")
        return not is_empty(value)

    def whole(self, name: str) -> int | None:
        """A number, cut to a whole one; None for null."""
        return self._number(name, whole_part(self.get(name)))

    def exact(self, name: str) -> int | None:
        """A number without a fraction; None for null."""
        return self._number(name, exact_whole(self.get(name)))

    def within(self, name: str) -> Options:
        return Options(as_map(self.get(name)), f"{self.path}.{name}")

    def map(self, name: str) -> Options:
        """A map; anything that is neither empty nor a map is wrong."""
        if self.has(name) and not isinstance(self.get(name), (dict, list)):
            raise self.wrong(name, "an object")
        return self.within(name)

    def only_one_of(self, one: str, other: str) -> None:
        if self.has(one) and self.has(other):
            raise UserError(
                f"Invalid configuration: Specify only one of '{one}' and '{other}' - at `{self.path}.{other}`. "
                "Remove one of them."
            )

    def wrong(self, name: str, expected: str) -> UserError:
        shown = json_text(self.get(name))[:SHOWN]
        return UserError(f"Invalid configuration: Expected {expected}, got {shown} - at `{self.path}.{name}`.")

    def _number(self, name: str, number: int | None) -> int | None:
        if number is None and self.get(name) is not None:
            raise self.wrong(name, "a whole number")
        return number
