"""The types of columns, inferred from all of their values: `"types": "infer"`.

A value that does not fit makes the type of its column wider: integer → decimal → text, everything else → text. The
result does not depend on the order of the values. Columns are examined as a whole, because Python is slow per value:
texts are compared by their shapes, which are their characters with a 0 for each digit.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date, datetime
from decimal import Decimal
from typing import Any, Literal

from penstock.extractor.base.numbers import Float
from penstock.extractor.records.columns import NONE, Column
from penstock.extractor.records.layout import Layout

Kind = Literal["", "number", "boolean", "date", "timestamp", "zoned timestamp", "text"]
PRECISION = 38
"""The most digits of a number in Storage; one with more is a text."""
EXPONENT_DIGITS = 15
"""The most digits of a number with an exponent that the engine reads exactly."""
_NUMBERS = frozenset({int, Float, float})
_ZEROS = str.maketrans("123456789", "000000000")
_SHAPE = re.compile(r"0000-00-00([T ]00:00:00(\.0{1,6})?(Z|[+-]00:00)?)?").fullmatch
_DATA_TYPES: dict[Kind, dict[str, dict[str, str]]] = {
    "boolean": {"base": {"type": "BOOLEAN"}},
    "date": {"base": {"type": "DATE"}},
    "timestamp": {"base": {"type": "TIMESTAMP"}},
    "zoned timestamp": {"base": {"type": "TIMESTAMP"}, "snowflake": {"type": "TIMESTAMP_TZ"}},
    "text": {"base": {"type": "STRING"}},
}


class ColumnType:
    """The type of the values of one column so far; of a number also its digits before and after the point."""

    def __init__(self) -> None:
        self.kind: Kind = ""
        self.digits = self.scale = 0

    def learn(self, column: Column | None) -> None:
        """Learns a column; None for a column of links to other rows, which are texts."""
        if self.kind == "text":
            return
        kinds: set[type] = set() if column is None else column.kinds.keys() - {NONE}
        if column is None or not kinds <= _NUMBERS:
            self._widen("text" if column is None else _kind_of(column, kinds))
        elif kinds:
            self._widen("number", *_digits(column, kinds))

    def add(self, other: ColumnType) -> None:
        if other.kind:
            self._widen(other.kind, other.digits, other.scale)

    def data_type(self) -> dict[str, dict[str, str]] | None:
        """Returns the type as in the manifest of a table; None if all values are null."""
        if self.kind != "number":
            return _DATA_TYPES.get(self.kind)
        if not self.scale:
            return {"base": {"type": "INTEGER"}}
        return {"base": {"type": "NUMERIC", "length": f"{PRECISION},{self.scale}"}}

    def _widen(self, kind: Kind, digits: int = 0, scale: int = 0) -> None:
        self.digits, self.scale = max(self.digits, digits), max(self.scale, scale)
        is_fit = self.kind in ("", kind) and self.digits + self.scale <= PRECISION
        self.kind = kind if is_fit else "text"


class Types:
    """The types of all columns of a bucket, by table. Each of its writers has a separate part."""

    def __init__(self) -> None:
        self._tables: dict[str, dict[str, ColumnType]] = {}
        self._parts: list[Types] = []

    def part(self) -> Types:
        part = Types()
        self._parts.append(part)
        return part

    def learn(self, layout: Layout, columns: Sequence[Column | None]) -> None:
        """`columns` are those of the header, in its order."""
        types = self._tables.setdefault(layout.name, {})
        for name, column in zip(layout.header, columns, strict=True):
            types.setdefault(name, ColumnType()).learn(column)

    def discard(self) -> None:
        """Call it when a layout has changed: the rows are added again."""
        self._tables.clear()

    def schema(self, layout: Layout, primary_key: Sequence[str]) -> list[dict[str, Any]]:
        """Returns the schema as in the manifest of the table."""
        return [_column(name, self._type_of(layout.name, name), name in primary_key) for name in layout.header]

    def _type_of(self, table: str, column: str) -> ColumnType:
        kind = ColumnType()
        for part in (self, *self._parts):
            if column_type := part._tables.get(table, {}).get(column):
                kind.add(column_type)
        return kind


def _column(name: str, kind: ColumnType, is_key: bool) -> dict[str, Any]:
    facts: dict[str, Any] = {"name": name}
    if data_type := kind.data_type():
        facts["data_type"] = data_type
    return {**facts, "nullable": not is_key, "primary_key": is_key}


def _digits(column: Column, kinds: set[type]) -> tuple[int, int]:
    """Returns the most digits before and after the point."""
    cells = column.cells
    if kinds == {int}:
        return _longest(cells), 0
    joined = "".join(cells)
    if "E" in joined or "e" in joined:
        pairs = [_exact_digits(cell) for cell in cells if cell]
        return max(pair[0] for pair in pairs), max(pair[1] for pair in pairs)
    parts = [cell.partition(".") for cell in cells]
    return _longest([integer for integer, _point, _fraction in parts]), max(len(part[2]) for part in parts)


def _longest(cells: Sequence[str]) -> int:
    """Returns the most digits of whole numbers; a sign is counted only where that makes no difference."""
    longest = max(map(len, cells))
    return longest if longest < PRECISION // 2 else max(len(cell.lstrip("-")) for cell in cells)


def _exact_digits(cell: str) -> tuple[int, int]:
    try:
        _sign, figures, exponent = Decimal(cell).as_tuple()
    except ArithmeticError:
        return PRECISION + 1, 0
    is_inexact = "E" in cell.upper() and len(figures) > EXPONENT_DIGITS
    if is_inexact or not isinstance(exponent, int):
        return PRECISION + 1, 0
    return max(len(figures) + exponent, 1), max(-exponent, 0)


def _kind_of(column: Column, kinds: set[type]) -> Kind:
    if kinds == {bool}:
        return "boolean"
    if kinds != {str}:
        return "text"
    texts: Sequence[str] = [text for text in column.values if text is not None]
    # The first one decides for most columns, so that no other text is examined.
    return _kind_of_texts(texts) if texts and _SHAPE(texts[0].translate(_ZEROS)) else "text"


def _kind_of_texts(texts: Sequence[str]) -> Kind:
    shapes = list(map(_SHAPE, set("\n".join(texts).translate(_ZEROS).split("\n"))))
    kinds: set[Kind] = {"text" if shape is None else _kind_of_shape(shape) for shape in shapes}
    if len(kinds) > 1 or "text" in kinds:
        return "text"
    (kind,) = kinds
    return kind if _are_moments(texts, kind) else "text"


def _kind_of_shape(shape: re.Match[str]) -> Kind:
    time, _fraction, zone = shape.groups()
    return "date" if not time else "zoned timestamp" if zone else "timestamp"


def _are_moments(texts: Sequence[str], kind: Kind) -> bool:
    """Returns whether the calendar has them; without the hour 24, which the engine turns into the next day."""
    read = date.fromisoformat if kind == "date" else datetime.fromisoformat
    try:
        list(map(read, texts))
    except ValueError:
        return False
    return kind == "date" or not any(text.startswith("24", 11) for text in texts)
