"""The narrowest type that holds the values of two types exactly: integer → decimal → text, everything else → text."""

from __future__ import annotations

import msgspec

from penstock.services.storage.models.column_types import PRECISION, TEXT_LENGTH, ColumnType

_NUMBER, _TEXT = "NUMBER", "VARCHAR"


def widen(known: ColumnType, given: ColumnType) -> ColumnType:
    """The type of a column that has the type `known` and gets values of the type `given`."""
    if known.type == given.type == _NUMBER:
        return _wider_number(known, given)
    if known.type == given.type == _TEXT:
        return msgspec.structs.replace(known, length=max(known.length, given.length, key=_size))
    if known.type == given.type or known.lake_type == "VARCHAR":
        return known
    return msgspec.structs.replace(known, type=_TEXT, basetype="STRING", length=TEXT_LENGTH)


def _wider_number(known: ColumnType, given: ColumnType) -> ColumnType:
    (digits, scale), (more_digits, more_scale) = _digits(known), _digits(given)
    scale = max(scale, more_scale)
    # More digits than a number can have: then rows whose values have so many are refused, see the lake.
    length = f"{min(PRECISION, max(digits, more_digits) + scale)},{scale}"
    basetype = "INTEGER" if length == f"{PRECISION},0" else "NUMERIC"
    return msgspec.structs.replace(known, length=length, basetype=basetype)


def _digits(kind: ColumnType) -> tuple[int, int]:
    """The digits before and after the decimal point."""
    precision, _, scale = (kind.length or f"{PRECISION},0").partition(",")
    return int(precision) - int(scale or 0), int(scale or 0)


def _size(length: str | None) -> int:
    return int(length or TEXT_LENGTH)
