"""Values in the binary formats of PostgreSQL: SQL over a column of a result."""

from __future__ import annotations

from typing import NamedTuple

from penstock.sql.wire.numeric import find_numeric
from penstock.sql.wire.texts import COMMON_DAYS, COMMON_MOMENTS, MOMENTS


class Binary(NamedTuple):
    sql: str
    """A blob."""
    length: int | None
    """In bytes, if it is always the same."""
    ordinary: str = ""
    """As that of a Text."""
    steps: tuple[tuple[str, ...], ...] = ()
    """Columns that it is made of: those of the next step are made of those of the last one."""


AS_TEXT = "text"
"""Types whose binary format is their text."""
_MICROSECONDS = "(epoch_us({0}::{kind}) - 946684800000000)::BIT::BLOB"
"""Since 2000, when time begins for PostgreSQL."""
_BINARY = {
    "BOOLEAN": Binary("CASE WHEN {0} THEN '\\x01'::BLOB WHEN NOT {0} THEN '\\x00'::BLOB END", 1),
    **dict.fromkeys(("TINYINT", "UTINYINT", "SMALLINT"), Binary("{0}::SMALLINT::BIT::BLOB", 2)),
    **dict.fromkeys(("USMALLINT", "INTEGER"), Binary("{0}::INTEGER::BIT::BLOB", 4)),
    **dict.fromkeys(("UINTEGER", "BIGINT"), Binary("{0}::BIGINT::BIT::BLOB", 8)),
    "FLOAT": Binary("{0}::BIT::BLOB", 4, "isfinite({0})"),
    "DOUBLE": Binary("{0}::BIT::BLOB", 8, "isfinite({0})"),
    "DATE": Binary("({0} - '2000-01-01'::DATE)::INTEGER::BIT::BLOB", 4, COMMON_DAYS),
    "TIME": Binary("epoch_us({0})::BIT::BLOB", 8),
    **{
        kind: Binary(
            _MICROSECONDS.replace("{kind}", kind if "ZONE" in kind else "TIMESTAMP"),
            8,
            COMMON_MOMENTS.replace("{kind}", kind),
        )
        for kind in MOMENTS
    },
    "UUID": Binary("unhex(replace({0}::VARCHAR, '-', ''))", 16),
    "BLOB": Binary("{0}", None),
}
_NOT_HERE = ("UBIGINT", "HUGEINT", "UHUGEINT", "TIME WITH TIME ZONE", "INTERVAL", "TIMESTAMP_NS")


def is_stored(kind: str) -> bool:
    """Whether the file of a result holds values of this type, and not their texts."""
    return kind in _BINARY or kind.startswith("DECIMAL(")


def find_binary(name: str, column: str, kind: str) -> Binary | str | None:
    """AS_TEXT if it is that; None if the database does not make this format. `column` is SQL."""
    if kind.startswith("DECIMAL("):
        numeric = find_numeric(name, column, kind)
        return Binary(numeric.sql, None, steps=numeric.steps) if numeric else None
    if kind in _NOT_HERE or kind.endswith("]"):
        return None
    binary = _BINARY.get(kind)
    if binary is None:
        return AS_TEXT
    return binary._replace(sql=binary.sql.format(column), ordinary=binary.ordinary.format(column))
