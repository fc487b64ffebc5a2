"""Types of columns: as clients send them, as stored and returned, and as the lake stores values.

Storage returns the types of the engine that official clients know; each maps to a type of the lake.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from typing import Any

import msgspec

from penstock.foundation.lake import to_engine_type
from penstock.services.storage.errors.tables import InvalidTable

_TEXTS = ("STRING", "TEXT", "VARCHAR", "CHAR", "CHARACTER", "NCHAR", "NVARCHAR", "NVARCHAR2")
_WHOLE = ("INT", "INTEGER", "BIGINT", "SMALLINT", "TINYINT", "BYTEINT")
_DECIMALS = ("NUMBER", "DECIMAL", "NUMERIC")
_FLOATS = ("FLOAT", "FLOAT4", "FLOAT8", "DOUBLE", "DOUBLE PRECISION", "REAL")
_MOMENTS = {
    "TIMESTAMP": "TIMESTAMP_NTZ",
    "DATETIME": "TIMESTAMP_NTZ",
    "TIMESTAMP_NTZ": "TIMESTAMP_NTZ",
    "TIMESTAMP_LTZ": "TIMESTAMP_LTZ",
    "TIMESTAMP_TZ": "TIMESTAMP_TZ",
}
_KEPT = ("VARIANT", "OBJECT", "ARRAY", "BINARY", "VARBINARY", "TIME", "GEOGRAPHY")
_BASE = {
    "STRING": ("VARCHAR", ""),
    "INTEGER": ("INTEGER", ""),
    "NUMERIC": ("NUMBER", "38,9"),
    "FLOAT": ("FLOAT", ""),
    "BOOLEAN": ("BOOLEAN", ""),
    "DATE": ("DATE", ""),
    "TIMESTAMP": ("TIMESTAMP_NTZ", ""),
}
TEXT_LENGTH = "16777216"
PRECISION = 38
_LENGTH = re.compile(r"[0-9]{1,8}( *, *[0-9]{1,2})?")


class ColumnType(msgspec.Struct, frozen=True, kw_only=True):
    """The type of one column, as stored and returned."""

    type: str
    basetype: str
    length: str | None = None
    nullable: bool = True
    default: str | None = None

    @property
    def lake_type(self) -> str:
        """The lake's type for its values; types that the lake lacks are stored as text."""
        return to_engine_type(self.type, self.length)


class GivenType(msgspec.Struct, frozen=True, kw_only=True):
    """The type of a column. Empty texts mean that a field is not set."""

    type: str = ""
    """Type in the terms of the engine, such as `VARCHAR`, `NUMBER`, `TIMESTAMP_NTZ`, `BOOLEAN` or `VARIANT`."""
    length: str | int | None = None
    """Length of the type, such as `255`, or precision and scale, such as `38,2`."""
    nullable: bool = True
    """Whether the column may be NULL. Columns of the primary key never are."""
    default: Any = None
    """The value of rows that do not give one, as text."""


def without_null(types: Mapping[str, ColumnType], key: Collection[str]) -> dict[str, ColumnType]:
    """Columns of the primary key are never NULL."""
    return {
        name: msgspec.structs.replace(kind, nullable=kind.nullable and name not in key) for name, kind in types.items()
    }


def read_type(name: str, definition: GivenType | None, basetype: str | None) -> ColumnType | None:
    """The type of a column; None if none is given. A definition is more specific than a base type, and takes
    precedence."""
    if definition and definition.type:
        return _resolve(name, definition)
    if not basetype:
        return None
    if basetype.upper() not in _BASE:
        raise InvalidTable(f'The column "{name}" has the base type "{basetype}"; use one of {", ".join(_BASE)}.')
    kind, length = _BASE[basetype.upper()]
    given = definition or GivenType()
    return _resolve(name, msgspec.structs.replace(given, type=kind, length=given.length or length))


def _resolve(name: str, given_type: GivenType) -> ColumnType:
    kind, basetype, length = _known(name, given_type.type.strip().upper(), _read_length(name, given_type.length))
    default = None if given_type.default in (None, "") else _text(given_type.default)
    return ColumnType(type=kind, basetype=basetype, length=length, nullable=given_type.nullable, default=default)


def _known(name: str, kind: str, length: str) -> tuple[str, str, str | None]:
    """Type, base type and length as they are returned."""
    if kind in _WHOLE:
        return "NUMBER", "INTEGER", "38,0"
    if kind in _DECIMALS:
        exact = _exact(name, length)
        return "NUMBER", "INTEGER" if exact == "38,0" else "NUMERIC", exact
    if kind in _TEXTS:
        return "VARCHAR", "STRING", length or TEXT_LENGTH
    if kind in _MOMENTS:
        return _MOMENTS[kind], "TIMESTAMP", length or "9"
    if kind in _FLOATS:
        return "FLOAT", "FLOAT", None
    if kind in ("BOOLEAN", "DATE"):
        return kind, kind, None
    if kind in _KEPT:
        return kind, "STRING", length or None
    raise InvalidTable(f'The column "{name}" has the type "{kind}", which is not supported.')


def _exact(name: str, length: str) -> str:
    """`37` → `37,0`; a number without a length is an integer."""
    precision, _, scale = (length or f"{PRECISION},0").partition(",")
    if not 1 <= int(precision) <= PRECISION or int(scale or 0) > int(precision):
        raise InvalidTable(f'The column "{name}" has the length "{length}"; a number has at most {PRECISION} digits.')
    return f"{int(precision)},{int(scale or 0)}"


def _read_length(name: str, value: str | int | None) -> str:
    length = "" if value is None else str(value).strip()
    if length and not _LENGTH.fullmatch(length):
        raise InvalidTable(f'The column "{name}" has the length "{length}", which is not a valid length.')
    return length.replace(" ", "")


def _text(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return value if isinstance(value, str) else str(value)
