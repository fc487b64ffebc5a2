"""Renders values as the cells of CSV, a column at a time.

A column mostly holds one type, so one function in C renders all of it; `csv.writer`, which checks the type of every
cell, took two thirds of the time of a run.

Cells are UTF-8 bytes in a str, one character for each byte (Latin-1), because lines are joined from many texts and then
encoded or hashed. One character beyond Latin-1 would make Python store the whole joined text with two or four bytes per
character, and encoding that takes as long as joining. In this form every text takes one byte per character, and
encoding is copying. ASCII texts are the same in both forms. Joined texts are converted by `to_bytes`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from penstock.extractor.base.json_text import json_text
from penstock.extractor.base.numbers import SHOWN_DIGITS, Float, show_float
from penstock.extractor.base.values import as_json

NONE = type(None)


_BETWEEN = "\0"
"""Rare in texts; if one contains it, texts are converted one by one."""


def render(column: Sequence[Any], types: Iterable[type] | None = None) -> Sequence[str]:
    """Returns the cells of a column, with quotes doubled; null is empty, true is 1, false is empty.

    `types` are those of the values, if the caller knows them already.
    """
    kinds = set(types if types is not None else map(type, column))
    if kinds == {int}:
        return list(map(str, column))
    if kinds == {str}:
        return escaped(column)
    kinds.discard(NONE)
    show = _COLUMNS.get(next(iter(kinds), NONE)) if len(kinds) < 2 else None
    return show(column) if show else all_as_latin1([_SHOW[type(value)](value) for value in column])


def render_extra(column: Sequence[Any]) -> Sequence[str]:
    """Returns the cells of an extra column: the same value in all rows of a page, or links to other rows."""
    first = column[0]
    if type(first) is str:
        return escaped(column)
    cell = _doubled(json_text(as_json(first))) if isinstance(first, dict) else _SHOW[type(first)](first)
    return [cell] * len(column)


def escaped(texts: Sequence[str]) -> Sequence[str]:
    """Returns the texts as Latin-1 and with quotes doubled; the same texts where neither is needed."""
    joined = join(texts)
    if '"' not in joined:
        return joined_as_latin1(texts, joined)
    return split_as_latin1(_doubled(joined), len(texts)) or [as_latin1(_doubled(text)) for text in texts]


def csv_lines(columns: Sequence[Iterable[str]], count: int) -> bytes:
    """Joins lines of rendered cells, all of them quoted; rows without columns are blank lines."""
    if not columns:
        return b"\n" * count
    if not count:
        return b""
    rows = list(map('","'.join, zip(*columns, strict=True)))
    rows[0] = f'"{rows[0]}'
    rows[-1] += '"\n'
    return to_bytes('"\n"'.join(rows))


def render_floats(texts: Sequence[str], lines: str) -> Sequence[str]:
    """Returns the cells of numbers given as source text, with an empty text for null; `lines` are all texts joined."""
    if "e" in lines or "E" in lines or "0.0000" in lines:
        return [text if not text or text.lstrip("-").isdecimal() else show_float(text) for text in texts]
    if "0\n" not in lines and lines[-1:] != "0":
        return texts
    # A decimal without an exponent and without trailing zeros stays as it is, and so does every whole number.
    return [text if text[-1:] != "0" or "." not in text else _without_zeros(text) for text in texts]


def _without_zeros(text: str) -> str:
    """Returns a decimal without an exponent; one with many digits is shown differently."""
    return text.rstrip("0").rstrip(".") if len(text) <= SHOWN_DIGITS else show_float(text)


def _floats(column: Sequence[str | None]) -> Sequence[str]:
    texts = [value or "" for value in column]
    return render_floats(texts, "\n".join(texts))


def _doubled(text: str) -> str:
    return text.replace('"', '""')


_SHOW: dict[type, Callable[[Any], str]] = {
    NONE: lambda _value: "",
    bool: lambda value: "1" if value else "",
    int: str,
    str: _doubled,
    Float: show_float,
    float: lambda value: show_float(repr(value)),
    list: lambda value: _doubled(json_text(value)),
}

_COLUMNS: dict[type, Callable[[Any], Sequence[str]]] = {
    NONE: lambda column: [""] * len(column),
    bool: lambda column: ["1" if value else "" for value in column],
    int: lambda column: ["" if value is None else str(value) for value in column],
    str: lambda column: escaped([value or "" for value in column]),
    Float: _floats,
}
"""How a column is rendered whose values are of one type, or null."""


def as_latin1(text: str) -> str:
    return text if text.isascii() else text.encode().decode("latin-1")


def all_as_latin1(texts: Sequence[str]) -> Sequence[str]:
    """Returns the same sequence if all texts are ASCII."""
    return joined_as_latin1(texts, join(texts))


def join(texts: Sequence[str]) -> str:
    """Joins all texts, for `joined_as_latin1`; callers use it for other checks, too."""
    return _BETWEEN.join(texts)


def joined_as_latin1(texts: Sequence[str], joined: str) -> Sequence[str]:
    """Returns the same as `all_as_latin1`, for texts that were joined already: they are converted as one text and
    split."""
    if joined.isascii():
        return texts
    return split_as_latin1(joined, len(texts)) or list(map(as_latin1, texts))


def split_as_latin1(joined: str, count: int) -> list[str] | None:
    """Returns the texts that were joined; None if they are not `count`, because one contains what is between them."""
    parts = as_latin1(joined).split(_BETWEEN)
    return parts if len(parts) == count else None


def to_bytes(text: str) -> bytes:
    return text.encode("latin-1")
