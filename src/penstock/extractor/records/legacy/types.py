"""The types of the legacy parser: `scalar`, `object`, `NULL`, and `arrayOf` one of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from penstock.extractor.base.errors import UserError
from penstock.extractor.records.conflict import ConflictingRecord, TypeConflict

SCALAR, OBJECT, NULL, ARRAY, LIST_OF = "scalar", "object", "NULL", "array", "arrayOf"
PLAIN = (SCALAR, OBJECT, NULL)
OUTDATED = (ARRAY, "integer", "double", "string", "boolean")
"""Types in states of old versions; values no longer have such a type."""

_FIX_STATE = "The first type is that of an older state: reset the state to continue."


class LegacyConflict(TypeConflict):
    """Two types in one field; the analysis adds the record and the value."""

    def __init__(self, message: str, earlier: str, path: str) -> None:
        super().__init__(message, earlier, steps=None)
        self.path = path
        self.value: Any = None
        self.record: ConflictingRecord | None = None

    def find(self, records: Sequence[Any]) -> ConflictingRecord | None:
        return self.record


def is_valid(kind: str) -> bool:
    return item_type(kind) in (*PLAIN, *OUTDATED) or (is_list(kind) and is_valid(item_type(kind)))


def is_list(kind: str) -> bool:
    return kind.startswith(LIST_OF)


def item_type(kind: str) -> str:
    return kind.removeprefix(LIST_OF)


def merge(old: str, new: str, path: str) -> str:
    """Returns the type of a column that changes its type; lists and single values of one type are compatible."""
    if old == NULL:
        return new
    if new in (NULL, old):
        return old
    items = {item_type(old), item_type(new)} - {NULL}
    if not (is_list(old) or is_list(new)) or len(items) > 1 or not items.issubset(PLAIN):
        raise type_change(old, new, path)
    return LIST_OF + items.pop()


def type_change(old: str, new: str, path: str) -> UserError:
    return _error(f'Unhandled type change from "{old}" to "{new}" in \'{path}\'.', old, path)


def mixed_items(earlier: str, kind: str, path: str) -> UserError:
    return _error(f"Data array in '{path}' contains incompatible data types '{earlier}' and '{kind}'!", earlier, path)


def _error(message: str, old: str, path: str) -> UserError:
    if item_type(old) in PLAIN:
        return LegacyConflict(message, old, path)
    return UserError(f"Error parsing response JSON: {message} {_FIX_STATE}")
