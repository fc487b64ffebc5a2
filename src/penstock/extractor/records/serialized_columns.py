"""Whole columns in PHP's serialized form: each row is a sequence of parts that are joined once.

Text that is the same in all rows (keys, counts, types) is merged into one part; texts and rendered numbers are separate
parts. What remains per value is little more than a lookup of how its length is written, which takes a third of the time
of serializing values one by one.

Lengths count bytes, and joining texts of different widths is slow; so all parts are Latin-1 (see `cells.py`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import accumulate, chain, repeat
from typing import Any

from penstock.extractor.base.numbers import Float
from penstock.extractor.records.cells import as_latin1, to_bytes
from penstock.extractor.records.columns import NONE, Column
from penstock.extractor.records.serialized import serialize, serialize_key, serialize_number

SAFE_DIGITS = 18
"""A whole number of so many characters fits 64 bits."""
_CACHED_SIZES = 500
_FLAGS = {True: "b:1;", False: "b:0;", None: ""}


def serialize_column(column: Column) -> Iterator[bytes]:
    """Serializes every value of a column lazily: it is hashed while it is in the CPU cache."""
    rows = Parts()
    rows.add(column)
    return map(to_bytes, rows.joined(len(column)))


class Parts:
    """The parts of all rows so far, and the constant text that follows in every row."""

    def __init__(self) -> None:
        self._parts: list[Iterable[str]] = []
        self._next = ""

    def put_constant(self, text: str) -> None:
        """Adds a text that is the same in all rows."""
        self._next += text

    def put(self, texts: Iterable[str]) -> None:
        if self._next:
            self._parts.append(repeat(self._next))
            self._next = ""
        self._parts.append(texts)

    def put_sized(self, texts: Sequence[str]) -> None:
        """Adds texts in quotes, each after its size."""
        self._parts += [map(_sizes(self._next).__getitem__, map(len, texts)), texts]
        self._next = '";'

    def put_values(self, values: Iterable[Any]) -> None:
        """Adds values of different types, serialized one by one."""
        self.put([as_latin1(serialize(value)) for value in values])

    def add(self, column: Column) -> None:
        kinds = column.kinds.keys() - {NONE}
        write = _WRITERS.get(next(iter(kinds))) if len(kinds) == 1 else None
        if write is None:
            self.put_values(column.values)
        elif NONE in column.kinds:
            inner = Parts()
            write(inner, column.there)
            self.put(column.spread(inner.joined(len(column.there)), "N;"))
        else:
            write(self, column)

    def joined(self, count: int) -> Iterator[str]:
        if not self._parts:
            return repeat(self._next, count)
        ends = [repeat(self._next)] if self._next else []
        return map("".join, zip(*self._parts, *ends, strict=False))


class _Sizes(dict[int, str]):
    """The beginning of a serialized text, by its size."""

    def __init__(self, start: str) -> None:
        self._start = start

    def __missing__(self, size: int) -> str:
        text = f'{self._start}s:{size}:"'
        if len(self) < _CACHED_SIZES:
            self[size] = text
        return text


_sizes = lru_cache(256)(_Sizes)  # pages repeat their keys


def _texts(rows: Parts, column: Column) -> None:
    rows.put_sized(column.texts)


def _integers(rows: Parts, column: Column) -> None:
    cells = column.cells
    if max(map(len, cells), default=0) > SAFE_DIGITS:
        rows.put([serialize_number(cell) for cell in cells])
        return
    rows.put_constant("i:")
    rows.put(cells)
    rows.put_constant(";")


def _floats(rows: Parts, column: Column) -> None:
    texts = [f"d:{float(source):.17g};" if "." in source else serialize_number(source) for source in column.sources]
    together = "".join(texts)
    if "e" in together or "n" in together:
        pairs = zip(texts, column.sources, strict=True)
        texts = [serialize_number(source) if "e" in text or "n" in text else text for text, source in pairs]
    rows.put(texts)


def _flags(rows: Parts, column: Column) -> None:
    rows.put(map(_FLAGS.__getitem__, column.values))


def _objects(rows: Parts, column: Column) -> None:
    if len(column.shapes) != 1 or () in column.shapes:
        rows.put_values(column.values)
        return
    rows.put_constant(f'O:8:"stdClass":{len(column.members)}:{{')
    for key, member in column.members.items():
        rows.put_constant(as_latin1(serialize_key(key)))
        rows.add(member)
    rows.put_constant("}")


def _lists(rows: Parts, column: Column) -> None:
    sizes = column.sizes
    indexes = [f"i:{index};" for index in range(max(sizes, default=0))]
    items = Parts()
    items.put(list(chain.from_iterable([indexes[:size] for size in sizes])))
    items.add(column.listed)
    texts = list(items.joined(len(column.listed)))
    ends = accumulate(sizes)
    rows.put([f"a:{size}:{{{''.join(texts[end - size : end])}}}" for size, end in zip(sizes, ends, strict=True)])


_WRITERS: dict[type, Callable[[Parts, Column], None]] = {
    str: _texts,
    int: _integers,
    Float: _floats,
    bool: _flags,
    dict: _objects,
    list: _lists,
}
