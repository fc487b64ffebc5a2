"""Values as the texts of PostgreSQL: SQL over a column of a result."""

from __future__ import annotations

from typing import NamedTuple


class Text(NamedTuple):
    sql: str
    """Has as many bytes as the client gets."""
    length: int | None = None
    """In bytes, if it is always the same."""
    is_short: bool = True
    """Whether it always has less than 128 bytes."""
    ordinary: str = ""
    """A condition that values of this text meet; others are encoded cell by cell."""


_ENGINE_TEXT = "CAST({0} AS VARCHAR)"
_NUMBERS = (
    *("TINYINT", "SMALLINT", "INTEGER", "BIGINT", "HUGEINT"),
    *("UTINYINT", "USMALLINT", "UINTEGER", "UBIGINT", "UHUGEINT", "TIME", "TIME WITH TIME ZONE"),
)
COMMON_DAYS = "{0} BETWEEN '0001-01-01'::DATE AND '9999-12-31'::DATE"
COMMON_MOMENTS = "{0} BETWEEN '0001-01-01'::{kind} AND '9999-12-31'::{kind}"
"""Neither before Christ nor infinite."""
MOMENTS = ("TIMESTAMP", "TIMESTAMP_S", "TIMESTAMP_MS", "TIMESTAMP WITH TIME ZONE")
_TEXTS = {
    **dict.fromkeys(_NUMBERS, Text(_ENGINE_TEXT)),
    **dict.fromkeys(("FLOAT", "DOUBLE"), Text(_ENGINE_TEXT, ordinary="isfinite({0})")),
    **{kind: Text(_ENGINE_TEXT, ordinary=COMMON_MOMENTS.replace("{kind}", kind)) for kind in MOMENTS},
    "BOOLEAN": Text("CASE WHEN {0} THEN 't' ELSE 'f' END", 1),
    "DATE": Text(_ENGINE_TEXT, 10, ordinary=COMMON_DAYS),
    "UUID": Text(_ENGINE_TEXT, 36),
    "BLOB": Text("'\\x' || lower(hex({0}))", is_short=False),
    "INTERVAL": Text("replace(CAST({0} AS VARCHAR), 'month', 'mon')"),
}


def find_text(column: str, kind: str) -> Text | None:
    """Return None if the database does not make the text of PostgreSQL: of arrays, and of fractions of a
    microsecond."""
    if kind.endswith("]") or kind == "TIMESTAMP_NS":
        return None
    is_decimal = kind.startswith("DECIMAL(")
    text = Text(_ENGINE_TEXT) if is_decimal else _TEXTS.get(kind, Text(_ENGINE_TEXT, is_short=False))
    return text._replace(sql=text.sql.format(column), ordinary=text.ordinary.format(column))
