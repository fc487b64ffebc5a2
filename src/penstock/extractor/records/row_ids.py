"""Row ids, which link a list's items to the row that held the list: an MD5 of the row in PHP's serialized form."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any

from penstock.extractor.numbers import Float, serialized_float

_INTEGERS = range(-(2**63), 2**63)


class RowIds:
    """The ids of a batch of rows, each computed when it is first asked for."""

    def __init__(self, path: str, rows: Sequence[Any], outer: RowIds | None = None) -> None:
        """`outer` identifies what encloses each of these objects, when they are not rows themselves."""
        self._path, self._rows, self._outer = path, rows, outer
        self._extra: tuple[str, Sequence[str]] | None = None
        self._known: dict[int, str] = {}

    def with_extra(self, key: str, values: Sequence[str]) -> RowIds:
        """Ids of the rows with one more column."""
        self._extra = (key, values)
        return self

    def __getitem__(self, index: int) -> str:
        if index not in self._known:
            self._known[index] = self._compute(index)
        return self._known[index]

    def _compute(self, index: int) -> str:
        row, enclosing = self._rows[index], self._outer[index] if self._outer else ""
        if self._extra:
            key, values = self._extra
            row = {**row, key: values[index]}
        return row_id(self._path, row, enclosing)


def row_id(path: str, row: Any, enclosing: str = "") -> str:
    """An object inside a row is identified together with the id of what encloses it."""
    text = serialize(row) + enclosing
    return f"{path}_{hashlib.md5(text.encode(), usedforsecurity=False).hexdigest()}"


def serialize(value: Any) -> str:
    return _WRITERS[type(value)](value)


def _text(value: str) -> str:
    size = len(value) if value.isascii() else len(value.encode())
    return f's:{size}:"{value}";'


_key = lru_cache(4096)(_text)  # records repeat their keys: half the texts need no work


def _integer(value: int) -> str:
    # The original reads what does not fit 64 bits as a float.
    return f"i:{value};" if value in _INTEGERS else f"d:{serialized_float(value)};"


def _list(value: list[Any]) -> str:
    items = "".join([f"i:{index};{serialize(item)}" for index, item in enumerate(value)])
    return f"a:{len(value)}:{{{items}}}"


def _object(value: dict[str, Any]) -> str:
    members = "".join([_key(key) + _WRITERS[type(item)](item) for key, item in value.items()])
    return f'O:8:"stdClass":{len(value)}:{{{members}}}'


_WRITERS: dict[type, Callable[[Any], str]] = {
    type(None): lambda _value: "N;",
    bool: lambda value: "b:1;" if value else "b:0;",
    int: _integer,
    Float: lambda value: f"d:{serialized_float(value)};",
    str: _text,
    list: _list,
    dict: _object,
}
