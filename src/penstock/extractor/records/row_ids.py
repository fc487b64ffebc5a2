"""Row ids, which link a list's items to the row that held the list: an MD5 of the row in PHP's serialized form."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from typing import Any

from penstock.extractor.records.serialized import serialize


class RowIds:
    """The ids of a batch of rows, each computed when it is first asked for."""

    def __init__(self, path: str, rows: Sequence[Any], outer: RowIds | None = None) -> None:
        """`outer` identifies what encloses each of these objects, when they are not rows themselves."""
        self._path, self._rows, self._outer = path, rows, outer
        self._extra: Mapping[str, Sequence[Any]] = {}
        self._known: dict[int, str] = {}

    def with_extra(self, extra: Mapping[str, Sequence[Any]]) -> RowIds:
        """Ids of the rows with more columns: one of a key that the row has takes its place."""
        self._extra = extra
        return self

    def __getitem__(self, index: int) -> str:
        if index not in self._known:
            self._known[index] = self._compute(index)
        return self._known[index]

    def _compute(self, index: int) -> str:
        row, enclosing = self._rows[index], self._outer[index] if self._outer else ""
        if self._extra:
            row = {**row, **{key: values[index] for key, values in self._extra.items()}}
        return row_id(self._path, row, enclosing)


def row_id(path: str, row: Any, enclosing: str = "") -> str:
    """An object inside a row is identified together with the id of what encloses it."""
    text = serialize(row) + enclosing
    return f"{path}_{hashlib.md5(text.encode(), usedforsecurity=False).hexdigest()}"
