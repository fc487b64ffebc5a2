"""Row ids, which link a list's items to the row that held the list: an MD5 of the row in PHP's serialized form.

Where half of the rows or more need an id, all get one: their columns are there already, while those of a part would
have to be made.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from typing import Any

from penstock.extractor.records.columns import Column
from penstock.extractor.records.serialized import serialize
from penstock.extractor.records.serialized_columns import serialize_column


class RowIds:
    """The ids of a batch of rows, each computed when it is first asked for."""

    def __init__(self, path: str, rows: Column, outer: RowIds | None = None) -> None:
        """`outer` identifies what encloses each of these objects, when they are not rows themselves."""
        self._path, self._rows, self._outer = path, rows, outer
        self._extra: Mapping[str, Sequence[Any]] = {}
        self._known: dict[int, str] = {}

    def with_extra(self, extra: Mapping[str, Sequence[Any]]) -> RowIds:
        """Ids of the rows with more columns: one of a key that the row has takes its place."""
        self._extra = extra
        return self

    def at(self, indexes: Sequence[int]) -> list[str]:
        """The ids of these rows."""
        unknown = [index for index in indexes if index not in self._known]
        if 2 * len(unknown) >= len(self._rows) and self._rows.kinds.keys() == {dict}:
            unknown = range(len(self._rows))
        if unknown:
            self._known.update(zip(unknown, self._compute(unknown), strict=True))
        return [self._known[index] for index in indexes]

    def _compute(self, indexes: Sequence[int]) -> list[str]:
        texts = serialize_column(self._select(indexes))
        if self._outer is not None:
            texts = (text + outer.encode() for text, outer in zip(texts, self._outer.at(indexes), strict=True))
        start = f"{self._path}_"
        return [start + _digest(text) for text in texts]

    def _select(self, indexes: Sequence[int]) -> Column:
        is_all = len(indexes) == len(self._rows)
        rows = self._rows if is_all else self._rows.take(indexes)
        if not self._extra:
            return rows
        extra = self._extra.items()
        return rows.with_members({key: each if is_all else [each[index] for index in indexes] for key, each in extra})


def row_id(path: str, row: Any, enclosing: str = "") -> str:
    """An object inside a row is identified together with the id of what encloses it."""
    return f"{path}_{_digest((serialize(row) + enclosing).encode())}"


def _digest(text: bytes) -> str:
    return hashlib.md5(text, usedforsecurity=False).hexdigest()
