"""Row ids, which link the items of a list to the row with the list: an MD5 of the row in PHP's serialized form.

If half of the rows or more need an id, all ids are computed: the columns of all rows exist already, while those of a
part would have to be created.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from typing import Any

from penstock.extractor.records.columns import Column
from penstock.extractor.records.serialized import serialize
from penstock.extractor.records.serialized_columns import serialize_column


class RowIds:
    """The ids of a batch of rows, each computed on first use."""

    def __init__(self, path: str, rows: Column, outer: RowIds | None = None) -> None:
        """`outer` are the ids of the enclosing objects, if these objects are not rows themselves."""
        self._path, self._rows, self._outer = path, rows, outer
        self._extra: Mapping[str, Sequence[Any]] = {}
        self._known: dict[int, str] = {}

    def with_extra(self, extra: Mapping[str, Sequence[Any]]) -> RowIds:
        """Returns the ids of the rows with these columns, which replace members of the same key."""
        self._extra = extra
        return self

    def at(self, indexes: Sequence[int]) -> list[str]:
        """Returns the ids of these rows."""
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
        return rows.with_members(
            {key: cells if is_all else [cells[index] for index in indexes] for key, cells in extra}
        )


def row_id(path: str, row: Any, enclosing: str = "") -> str:
    """The id of an object inside a row includes that of the enclosing object."""
    return f"{path}_{_digest((serialize(row) + enclosing).encode())}"


def _digest(text: bytes) -> str:
    return hashlib.md5(text, usedforsecurity=False).hexdigest()
