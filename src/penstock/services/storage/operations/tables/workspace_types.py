"""Types of a workspace's columns, as types of a Storage table."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from penstock.services.storage.models.column_types import ColumnType, GivenType, read_type
from penstock.sql import ResultColumn

_WHOLE = ("TINYINT", "SMALLINT", "INTEGER", "BIGINT", "HUGEINT")
_WHOLE_TYPES = {*_WHOLE, *(f"U{name}" for name in _WHOLE)}
_TYPES = {
    "FLOAT": "FLOAT",
    "DOUBLE": "FLOAT",
    "BOOLEAN": "BOOLEAN",
    "DATE": "DATE",
    "TIME": "TIME",
    "TIMESTAMP": "TIMESTAMP_NTZ",
    "TIMESTAMP_S": "TIMESTAMP_NTZ",
    "TIMESTAMP_MS": "TIMESTAMP_NTZ",
    "TIMESTAMP_NS": "TIMESTAMP_NTZ",
    "TIMESTAMP WITH TIME ZONE": "TIMESTAMP_TZ",
    "TIMESTAMPTZ": "TIMESTAMP_TZ",
}
"""Every other type becomes text."""
_DECIMAL = "DECIMAL"


def read_types(names: Sequence[str], columns: Sequence[ResultColumn]) -> dict[str, ColumnType]:
    """By the names that the columns have in Storage."""
    return {name: _read_type(name, column) for name, column in zip(names, columns, strict=True)}


def _read_type(name: str, column: ResultColumn) -> ColumnType:
    kind, _, length = column.type.removesuffix(")").partition("(")
    found = read_type(name, GivenType(type=_name(kind), length=length if kind == _DECIMAL else None), None)
    assert found
    return msgspec.structs.replace(found, nullable=column.nullable)


def _name(kind: str) -> str:
    if kind in _WHOLE_TYPES:
        return "INTEGER"
    return "NUMBER" if kind == _DECIMAL else _TYPES.get(kind, "VARCHAR")
