"""Renders values as the cells of CSV, a column at a time.

A column mostly holds one type, so one function in C renders all of it; `csv.writer`, which checks the type of every
cell, took two thirds of the time of a run. Cells are UTF-8 bytes in Latin-1 texts (see latin1.py), because lines are
joined from them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from penstock.extractor.base.json_text import json_text
from penstock.extractor.base.numbers import SHOWN_DIGITS, Float, show_float
from penstock.extractor.base.values import as_json
from penstock.extractor.records.latin1 import (
    all_as_latin1,
    as_latin1,
    join,
    joined_as_latin1,
    split_as_latin1,
    to_bytes,
)

NONE = type(None)


def render(column: Sequence[Any], types: Iterable[type] | None = None) -> Sequence[str]:
    """The cells of a column, with quotes doubled; null is empty, true is 1, false is empty.

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
    """The cells of an extra column: the same value in all rows of a page, or links to other rows."""
    first = column[0]
    if type(first) is str:
        return escaped(column)
    cell = _doubled(json_text(as_json(first))) if isinstance(first, dict) else _SHOW[type(first)](first)
    return [cell] * len(column)


def escaped(texts: Sequence[str]) -> Sequence[str]:
    """As Latin-1 and with quotes doubled; the same texts where neither is needed."""
    joined = join(texts)
    if '"' not in joined:
        return joined_as_latin1(texts, joined)
    return split_as_latin1(_doubled(joined), len(texts)) or [as_latin1(_doubled(text)) for text in texts]


def csv_lines(columns: Sequence[Iterable[str]], count: int) -> bytes:
    """Lines of rendered cells, all of them quoted; rows without columns are blank lines."""
    if not columns:
        return b"\n" * count
    if not count:
        return b""
    rows = list(map('","'.join, zip(*columns, strict=True)))
    rows[0] = f'"{rows[0]}'
    rows[-1] += '"\n'
    return to_bytes('"\n"'.join(rows))


def render_floats(texts: Sequence[str], lines: str) -> Sequence[str]:
    """The cells of numbers given as source text, with an empty text for null; `lines` are all texts joined."""
    if "e" in lines or "E" in lines or "0.0000" in lines:
        return [text if not text or text.lstrip("-").isdecimal() else show_float(text) for text in texts]
    if "0\n" not in lines and lines[-1:] != "0":
        return texts
    # A decimal without an exponent and without trailing zeros stays as it is, and so does every whole number.
    return [text if text[-1:] != "0" or "." not in text else _without_zeros(text) for text in texts]


def _without_zeros(text: str) -> str:
    """A decimal without an exponent; one with many digits is shown differently."""
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
