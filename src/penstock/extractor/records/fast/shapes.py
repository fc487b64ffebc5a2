"""The types that each field of a job's records has held so far, and the msgspec type that decodes more of the same.

Texts, flags, objects and lists are decoded as such, numbers as their source text. The id of a row that holds lists
depends on the order of its keys; so where there are lists, all objects must have the same keys in the same order.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any, Union

import msgspec

from penstock.extractor.base.numbers import Float
from penstock.extractor.records.columns import NONE, Column

NULL = msgspec.Raw(b"null")
_UNFIT = re.compile(r'["\\\x00-\x1f]').search
MAX_NESTED = 20
"""Deeper records are rare, and left to the general path."""


def are_names(keys: Iterable[str]) -> bool:
    """Returns whether structs can have fields of these names."""
    return not _UNFIT("".join(keys))


class FieldShape:
    """One field of the records: the types seen there, and the fields below it."""

    def __init__(self) -> None:
        self.kinds: set[type] = set()
        self.members: dict[str, FieldShape] = {}
        self.items: FieldShape | None = None
        self._keys: tuple[str, ...] | None = None
        self._is_even = True
        """Whether all objects had the same keys in the same order."""

    def learn(self, column: Column, levels: int = MAX_NESTED) -> None:
        self.kinds.update(column.kinds)
        if not levels:
            return
        if dict in column.kinds:
            self._learn_members(column, levels - 1)
        if list in column.kinds:
            self.items = self.items or FieldShape()
            self.items.learn(column.listed, levels - 1)

    def _learn_members(self, column: Column, levels: int) -> None:
        for keys in column.shapes:
            self._keys = keys if self._keys is None else self._keys
            self._is_even = self._is_even and keys == self._keys
        for key, values in column.members.items():
            self.members.setdefault(key, FieldShape()).learn(values, levels)

    @property
    def is_numeric(self) -> bool:
        return bool(self.kinds & {int, Float}) and self.kinds <= {int, Float, NONE}

    @property
    def is_nullable(self) -> bool:
        return NONE in self.kinds

    @property
    def has_lists(self) -> bool:
        return self.items is not None or any(shape.has_lists for shape in self.members.values())

    def is_readable(self, is_exact: bool) -> bool:
        """Returns whether one type decodes all values; `is_exact` if the objects must have the same keys."""
        kinds = self.kinds - {NONE}
        if len(kinds) > 1 and not self.is_numeric:
            return False
        if dict in kinds:
            is_known = bool(self.members) and (self._is_even or not is_exact) and are_names(self.members)
            return is_known and all(shape.is_readable(is_exact) for shape in self.members.values())
        if list in kinds:
            return self.items is not None and list not in self.items.kinds and self.items.is_readable(is_exact)
        return True

    def type(self) -> Any:
        """Returns the type that msgspec decodes the values into."""
        if self.is_numeric:
            return msgspec.Raw
        kinds = [self._type(kind) for kind in self.kinds]
        return Union[tuple(kinds)] if kinds else None  # noqa: UP007

    def column_kinds(self) -> dict[type, None]:
        return dict.fromkeys(self.kinds or {NONE})

    @property
    def _null(self) -> Any:
        return NULL if self.is_numeric else None

    def _type(self, kind: type) -> Any:
        if kind is dict:
            return self._compile()
        return list[self.items.type()] if self.items and kind is list else kind

    def _compile(self) -> type:
        names = [f"field{index}" for index in range(len(self.members))]
        shapes = zip(names, self.members.values(), strict=True)
        return msgspec.defstruct(
            "Record",
            [shape._field(name) for name, shape in shapes],
            rename=dict(zip(names, self.members, strict=True)),
            forbid_unknown_fields=True,
            kw_only=True,
            gc=False,
        )

    def _field(self, name: str) -> tuple[str, Any] | tuple[str, Any, Any]:
        """A field that was never null or missing is required: then all values of its column have its type."""
        kind = self.type()
        return (name, kind, self._null) if self.is_nullable else (name, kind)
