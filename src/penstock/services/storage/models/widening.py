"""The narrowest type that holds the values of two types exactly: integer → decimal → text, everything else → text."""

from __future__ import annotations

import msgspec

from penstock.services.storage.models.column_types import PRECISION, TEXT_LENGTH, ColumnType

_NUMBER, _TEXT = "NUMBER", "VARCHAR"


def widen(current: ColumnType, other: ColumnType) -> ColumnType:
    """The type of a column that has the type `current` and gets values of the type `other`."""
    if current.type == other.type == _NUMBER:
        return _wider_number(current, other)
    if current.type == other.type == _TEXT:
        return msgspec.structs.replace(current, length=max(current.length, other.length, key=_size))
    if current.type == other.type or current.lake_type == "VARCHAR":
        return current
    return msgspec.structs.replace(current, type=_TEXT, basetype="STRING", length=TEXT_LENGTH)


def _wider_number(current: ColumnType, other: ColumnType) -> ColumnType:
    (digits, scale), (more_digits, more_scale) = _digits(current), _digits(other)
    scale = max(scale, more_scale)
    # More digits than a number can have: then rows whose values have so many are refused, see the lake.
    length = f"{min(PRECISION, max(digits, more_digits) + scale)},{scale}"
    basetype = "INTEGER" if length == f"{PRECISION},0" else "NUMERIC"
    return msgspec.structs.replace(current, length=length, basetype=basetype)


def _digits(kind: ColumnType) -> tuple[int, int]:
    """The digits before and after the decimal point."""
    precision, _, scale = (kind.length or f"{PRECISION},0").partition(",")
    return int(precision) - int(scale or 0), int(scale or 0)


def _size(length: str | None) -> int:
    return int(length or TEXT_LENGTH)
