"""Types of a workspace's columns, as types of a Storage table."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from penstock.foundation.lake import to_native_type
from penstock.services.storage.models.column_types import ColumnType, GivenType, read_type
from penstock.sql import ResultColumn


def read_types(names: Sequence[str], columns: Sequence[ResultColumn]) -> dict[str, ColumnType]:
    """Return types by the names that the columns have in Storage."""
    return {name: _read_type(name, column) for name, column in zip(names, columns, strict=True)}


def _read_type(name: str, column: ResultColumn) -> ColumnType:
    native = to_native_type(column.type)
    found = read_type(name, GivenType(type=native.type, length=native.length), None)
    assert found
    return msgspec.structs.replace(found, nullable=column.nullable)
