"""Types of the engine as types of PostgreSQL, and their values as text.

Lists of such types are arrays. Types that PostgreSQL does not have, structs, maps and lists of those are `text`.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NamedTuple

from penstock.pgwire.responses import Field
from penstock.sql import ResultColumn

BOOL, BYTEA, INT8, INT2, INT4, TEXT, OID, JSON = 16, 17, 20, 21, 23, 25, 26, 114
FLOAT4, FLOAT8, UNKNOWN, VARCHAR, BPCHAR, NAME = 700, 701, 705, 1043, 1042, 19
DATE, TIME, TIMESTAMP, TIMESTAMPTZ, INTERVAL, TIMETZ = 1082, 1083, 1114, 1184, 1186, 1266
NUMERIC, UUID, JSONB, TEXT_ARRAY = 1700, 2950, 3802, 1009


class Type(NamedTuple):
    oid: int
    size: int = -1


_TYPES = {
    "BOOLEAN": Type(BOOL, 1),
    "TINYINT": Type(INT2, 2),
    "SMALLINT": Type(INT2, 2),
    "INTEGER": Type(INT4, 4),
    "BIGINT": Type(INT8, 8),
    "UTINYINT": Type(INT2, 2),
    "USMALLINT": Type(INT4, 4),
    "UINTEGER": Type(INT8, 8),
    "UBIGINT": Type(NUMERIC),
    "HUGEINT": Type(NUMERIC),
    "UHUGEINT": Type(NUMERIC),
    "FLOAT": Type(FLOAT4, 4),
    "DOUBLE": Type(FLOAT8, 8),
    "DECIMAL": Type(NUMERIC),
    "VARCHAR": Type(TEXT),
    "BLOB": Type(BYTEA),
    "DATE": Type(DATE, 4),
    "TIME": Type(TIME, 8),
    "TIME WITH TIME ZONE": Type(TIMETZ, 12),
    "TIMESTAMP": Type(TIMESTAMP, 8),
    "TIMESTAMP_S": Type(TIMESTAMP, 8),
    "TIMESTAMP_MS": Type(TIMESTAMP, 8),
    "TIMESTAMP_NS": Type(TIMESTAMP, 8),
    "TIMESTAMP WITH TIME ZONE": Type(TIMESTAMPTZ, 8),
    "INTERVAL": Type(INTERVAL, 16),
    "UUID": Type(UUID, 16),
    "JSON": Type(JSON),
}
ENGINE_TYPES = {
    BOOL: "BOOLEAN",
    BYTEA: "BLOB",
    INT2: "SMALLINT",
    INT4: "INTEGER",
    INT8: "BIGINT",
    OID: "BIGINT",
    FLOAT4: "FLOAT",
    FLOAT8: "DOUBLE",
    DATE: "DATE",
    TIME: "TIME",
    TIMETZ: "TIME WITH TIME ZONE",
    TIMESTAMP: "TIMESTAMP",
    TIMESTAMPTZ: "TIMESTAMP WITH TIME ZONE",
    INTERVAL: "INTERVAL",
    UUID: "UUID",
    JSON: "JSON",
    JSONB: "JSON",
}
"""Types of parameters. A NUMERIC has no precision, so its values are numbers of the engine as they are written, and
texts have the type that their place asks for."""
ARRAYS = {
    1000: BOOL,
    1001: BYTEA,
    1005: INT2,
    1007: INT4,
    1016: INT8,
    1021: FLOAT4,
    1022: FLOAT8,
    1028: OID,
    TEXT_ARRAY: TEXT,
    1015: VARCHAR,
    1115: TIMESTAMP,
    1182: DATE,
    1183: TIME,
    1185: TIMESTAMPTZ,
    1231: NUMERIC,
    2951: UUID,
}
ARRAY_OF = {element: array for array, element in ARRAYS.items()}
_DECIMAL = re.compile(r"DECIMAL\((\d+),\s*(\d+)\)")
_SPECIAL = {"nan": "NaN", "-nan": "NaN", "inf": "Infinity", "-inf": "-Infinity"}
_ESCAPED = re.compile(r"\\x([0-9A-Fa-f]{2})")
_NANOSECONDS = re.compile(r"(\.\d{6})\d+")


def to_field(column: ResultColumn) -> Field:
    if found := _DECIMAL.fullmatch(column.type):
        precision, scale = int(found[1]), int(found[2])
        return Field(column.name, NUMERIC, -1, (precision << 16 | scale) + 4)
    known = _find_array(column.type) or _TYPES.get(column.type, Type(TEXT))
    return Field(column.name, known.oid, known.size)


def _find_array(kind: str) -> Type | None:
    """Return the type of a list whose items have a type of PostgreSQL."""
    if not kind.endswith("[]"):
        return None
    inside = kind.removesuffix("[]")
    item = Type(NUMERIC) if _DECIMAL.fullmatch(inside) else Type(OID) if inside == "UINTEGER" else _TYPES.get(inside)
    return Type(ARRAY_OF[item.oid]) if item and item.oid in ARRAY_OF else None


def to_bytes(value: str) -> bytes:
    """A BLOB, which the engine writes with escapes for what is not ASCII."""
    pieces = _ESCAPED.split(value)
    return b"".join(bytes.fromhex(each) if number % 2 else each.encode() for number, each in enumerate(pieces))


def _moment(value: str) -> str:
    shorter = _NANOSECONDS.sub(r"\1", value)
    return shorter.replace(" (BC)", "") + " BC" if " (BC)" in shorter else shorter


_TEXTS: dict[int, Callable[[str], str]] = {
    BOOL: lambda value: value[:1],
    BYTEA: lambda value: f"\\x{to_bytes(value).hex()}",
    FLOAT4: lambda value: _SPECIAL.get(value, value),
    FLOAT8: lambda value: _SPECIAL.get(value, value),
    DATE: _moment,
    TIMESTAMP: _moment,
    TIMESTAMPTZ: _moment,
    INTERVAL: lambda value: value.replace("month", "mon"),
}


def text_encoder(oid: int) -> Callable[[str], bytes]:
    """Return the encoder from the text of the engine to that of PostgreSQL."""
    convert = _TEXTS.get(oid)
    return str.encode if convert is None else lambda value: convert(value).encode()
