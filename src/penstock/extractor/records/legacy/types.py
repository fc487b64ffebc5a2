"""The types of the legacy parser: `scalar`, `object`, `NULL`, and `arrayOf` one of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from penstock.extractor.base.errors import UserError
from penstock.extractor.records.conflict import ConflictingRecord, TypeConflict

SCALAR, OBJECT, NULL, ARRAY, LIST_OF = "scalar", "object", "NULL", "array", "arrayOf"
PLAIN = (SCALAR, OBJECT, NULL)
OUTDATED = (ARRAY, "integer", "double", "string", "boolean")
"""Types in states of old versions; no value has such a type any more."""

_FIX_STATE = "The first type is that of an older state: reset the state to go on."


class LegacyConflict(TypeConflict):
    """Two types in one field; the analysis adds the record and the value."""

    def __init__(self, message: str, known: str, place: str) -> None:
        super().__init__(message, known, steps=None)
        self.place = place
        self.value: Any = None
        self.record: ConflictingRecord | None = None

    def find(self, records: Sequence[Any]) -> ConflictingRecord | None:
        return self.record


def is_valid(kind: str) -> bool:
    return item_of(kind) in (*PLAIN, *OUTDATED) or (is_list(kind) and is_valid(item_of(kind)))


def is_list(kind: str) -> bool:
    return kind.startswith(LIST_OF)


def item_of(kind: str) -> str:
    return kind.removeprefix(LIST_OF)


def merge(old: str, new: str, place: str) -> str:
    """The type of a column that changes its type; lists and single values of one type are compatible."""
    if old == NULL:
        return new
    if new in (NULL, old):
        return old
    items = {item_of(old), item_of(new)} - {NULL}
    if not (is_list(old) or is_list(new)) or len(items) > 1 or not items.issubset(PLAIN):
        raise type_change(old, new, place)
    return LIST_OF + items.pop()


def type_change(old: str, new: str, place: str) -> UserError:
    return _error(f'Unhandled type change from "{old}" to "{new}" in \'{place}\'.', old, place)


def mixed_items(known: str, found: str, path: str) -> UserError:
    return _error(f"Data array in '{path}' contains incompatible data types '{known}' and '{found}'!", known, path)


def _error(message: str, old: str, place: str) -> UserError:
    if item_of(old) in PLAIN:
        return LegacyConflict(message, old, place)
    return UserError(f"Error parsing response JSON: {message} {_FIX_STATE}")
