"""Rows as bytes, put together column by column: the form that is hashed, and the form that is written.

A part of a row is either the same in all rows (bytes) or a column of the page. Neighbours that stay the same become
one, and `bytes.join` does the rest, so that a row costs one call in C. Values are the source text of the page: a text
without escapes is its own cell, quotes included, and its size needs no encoding.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import chain, repeat
from typing import Any, NamedTuple

Part = bytes | Iterable[Any]
Parts = Sequence[Part]
EMPTY = b'""'
_NULL = b"null"
_SIZES = [b"s:%d:" % size for size in range(10_000)]
_INDEXES = [b"i:%d;" % index for index in range(100)]
_FLAGS = (b"b:0;", b"b:1;")
_FLAG_CELLS = (EMPTY, b'"1"')
_QUOTES = 2


class Kind(NamedTuple):
    """How a column of one type is serialized, and what its cells are."""

    serialize: Callable[[Sequence[Any]], Parts]
    cells: Callable[[Sequence[Any]], Parts]


def join_rows(parts: Parts) -> list[bytes]:
    merged: list[Part] = []
    for part in parts:
        if isinstance(part, bytes) and merged and isinstance(merged[-1], bytes):
            merged[-1] += part
        else:
            merged.append(part)
    columns = (repeat(part) if isinstance(part, bytes) else part for part in merged)
    return list(map(b"".join, zip(*columns, strict=False)))


def objects(members: dict[str, Parts]) -> Parts:
    """In PHP's serialized form, which row ids are made of."""
    named = [(b's:%d:"%b";' % (len(key), key.encode()), *value) for key, value in members.items()]
    return [b'O:8:"stdClass":%d:{' % len(members), *chain.from_iterable(named), b"}"]


def lists(held: Iterable[Sequence[Any]], items: Iterable[bytes]) -> Parts:
    """Of the serialized items, each row takes as many as its list has."""
    left = iter(items)
    inner = [(len(each), b"".join([start + next(left) for start in _INDEXES[: len(each)]])) for each in held]
    return ([b"a:%d:{%b}" % pair for pair in inner],)


def line(cells: Iterable[Parts]) -> Parts:
    """The cells with commas between them."""
    return list(chain.from_iterable((b",", *cell) for cell in cells))[1:]


def texts(column: Sequence[bytes]) -> Parts:
    return [_SIZES[len(text) - _QUOTES] for text in column], column, b";"


def _digits(number: bytes) -> bytes:
    """The 17 digits of a decimal, as PHP writes them."""
    text = b"%.17g" % float(number)
    if b"e" not in text:
        return text
    digits, _, power = text.partition(b"e")
    return b"%b%bE%d" % (digits, b"" if b"." in digits else b".0", int(power))


def _is_null(text: bytes) -> bool:
    return bytes(text) == _NULL  # a raw value is no equal of the bytes that it holds


def _text_or_null(text: bytes) -> bytes:
    return b"N;" if _is_null(text) else b"s:%d:%b;" % (len(text) - _QUOTES, text)


INTEGER = Kind(lambda column: (b"i:", column, b";"), lambda column: (b'"', column, b'"'))
DECIMAL = Kind(lambda column: (b"d:", map(_digits, column), b";"), INTEGER.cells)
TEXT = Kind(texts, lambda column: (column,))
TEXT_OR_NULL = Kind(
    lambda column: (map(_text_or_null, column),),
    lambda column: ([EMPTY if _is_null(text) else text for text in column],),
)
FLAG = Kind(lambda column: (map(_FLAGS.__getitem__, column),), lambda column: (map(_FLAG_CELLS.__getitem__, column),))
