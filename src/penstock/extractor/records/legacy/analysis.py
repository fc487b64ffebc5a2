"""Determines the types of records: lists are read item by item, and nested values before those around them.

Only adjacent items of a list have to agree, and the last one determines the type of the list.
"""

from __future__ import annotations

from typing import Any, cast

from penstock.extractor.base.errors import UserError
from penstock.extractor.base.json_text import json_text
from penstock.extractor.records.conflict import ConflictingRecord
from penstock.extractor.records.legacy import types
from penstock.extractor.records.legacy.struct import Report, Struct

DATA = "data"
"""The column of items that are not objects."""


class Analysis:
    def __init__(self, struct: Struct, report: Report) -> None:
        self._struct, self._report = struct, report
        self._reported: set[str] = set()
        self.counts: dict[str, int] = {}
        """How many items of lists have been read, by path."""

    def learn(self, path: str, items: list[Any]) -> None:
        """Nested lists are reported once per path and call, however many there are."""
        self._reported.clear()
        kind = self._begin(path, items)
        for index, item in enumerate(items):
            try:
                kind = self._next(path, kind, item)
            except types.LegacyConflict as error:
                error.record = ConflictingRecord(index, item, error.value)
                raise

    def _list(self, path: str, items: list[Any]) -> str:
        """Returns the type of the last item. After a null, any type is accepted."""
        kind = self._begin(path, items)
        for item in items:
            kind = self._next(path, kind, item)
        return kind

    def _begin(self, path: str, items: list[Any]) -> str:
        if items:
            self.counts[path] = self.counts.get(path, 0) + len(items)
        return self._known_item(path)

    def _next(self, path: str, earlier: str, item: Any) -> str:
        kind = self._item(path, item)
        if kind != earlier and types.NULL not in (kind, earlier):
            raise _with_value(types.mixed_items(earlier, kind, path), item)
        return kind

    def _known_item(self, path: str) -> str:
        parent, dot, key = path.rpartition(".")
        # For a path without a dot, the original would use the type of its column `data`, which is wrong.
        return types.item_type(self._struct.columns(parent).get(key, types.NULL)) if dot else types.NULL

    def _item(self, path: str, item: Any) -> str:
        if item is None:
            return types.NULL
        if isinstance(item, dict):
            self._object(path, cast(dict[str, Any], item))
            return types.OBJECT
        if isinstance(item, list):
            self._report_nesting(path, cast(list[Any], item))
        self._struct.merge(path, {DATA: types.SCALAR})
        return types.SCALAR

    def _object(self, path: str, members: dict[str, Any]) -> None:
        kinds = {key: self._kind(path, key, value) for key, value in members.items()}
        try:
            self._struct.merge(path, {key: kind for key, kind in kinds.items() if kind})
        except types.LegacyConflict as error:
            error.value = members[error.path.removeprefix(f"{path}.")]
            raise

    def _kind(self, path: str, key: str, value: Any) -> str:
        """Returns an empty text for an object that counts as empty, which gets no column."""
        if value is None or value == []:
            return types.NULL
        if isinstance(value, list):
            return types.LIST_OF + self._list(f"{path}.{key}", cast(list[Any], value))
        if not isinstance(value, dict):
            return types.SCALAR
        members = cast(dict[str, Any], value)
        if is_hollow(members):
            return ""
        self._object(f"{path}.{key}", members)
        return types.OBJECT

    def _report_nesting(self, path: str, row: list[Any]) -> None:
        if path not in self._reported:
            self._reported.add(path)
            self._report.warning(
                f"Unsupported array nesting in '{path}'! Converting to JSON string.", row=json_text(row)
            )


def _with_value(error: UserError, value: Any) -> UserError:
    if isinstance(error, types.LegacyConflict):
        error.value = value
    return error


def is_hollow(members: dict[str, Any]) -> bool:
    """Returns whether an object counts as empty: it has no members, or the first of them is an object that counts as
    empty."""
    while members:
        first: Any = next(iter(members.values()))
        if not isinstance(first, dict):
            return False
        members = cast(dict[str, Any], first)
    return True
