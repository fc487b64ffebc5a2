"""Columns: their types, conversion from text, and the hidden columns."""

from __future__ import annotations

import re

import msgspec

from penstock.foundation.text.quoting import quote_name, quote_value

TIMESTAMP = "_timestamp"
"""When the row was last written; used by "changed since"."""

DIGEST = "_digest"
"""A hash of the row's values: two rows with the same key are compared by it, without reading all their columns."""

HIDDEN = {TIMESTAMP: "TIMESTAMP", DIGEST: "UBIGINT"}
TEXT = "VARCHAR"
_NAMES = {"TIMESTAMP WITH TIME ZONE": "TIMESTAMPTZ"}
_TYPE = re.compile(r"[A-Z][A-Z0-9_ ]*(\([0-9]{1,9}(, *[0-9]{1,2})?\))?")


class Column(msgspec.Struct, frozen=True):
    """A column as the lake stores it. `default` is the text of a value, for rows written without one."""

    name: str
    type: str = TEXT
    nullable: bool = True
    default: str | None = None
    is_typed: bool = False
    """Whether it is in a typed table, where NULL and the empty string are two values."""

    def __post_init__(self) -> None:
        if not _TYPE.fullmatch(self.type):
            raise ValueError(f"{self.type!r} is not a column type.")

    @property
    def storage_type(self) -> str:
        """The type under one name: the engine returns some types under another one than it was given."""
        return _NAMES.get(self.type, self.type)

    @property
    def definition(self) -> str:
        """Return the definition for CREATE TABLE and ADD COLUMN. Loads check whether values may be missing."""
        default = "" if self.default is None else f" DEFAULT {quote_value(self.default)}"
        return f"{quote_name(self.name)} {self.type}{default}"

    @property
    def filler(self) -> str:
        """The value for rows without one."""
        value = "NULL" if self.default is None else quote_value(self.default)
        return f"CAST({value} AS {self.type})"


def digest_of(columns: list[Column], prefix: str = "") -> str:
    """SQL for the digest of a row. The value that old rows have in a new column is ignored, so that adding a column
    changes no digest: NULL, and in an untyped table the empty string."""
    return _combine([_digest_of_value(column, prefix) for column in columns])


def _digest_of_value(column: Column, prefix: str) -> str:
    name = f"{prefix}{quote_name(column.name)}"
    value = f"nullif({name}, '')" if column.type == TEXT and not column.is_typed else name
    return f"CASE WHEN {value} IS NULL THEN 0::UBIGINT ELSE hash({name}, {quote_value(column.name)}) END"


def _combine(parts: list[str]) -> str:
    """A balanced tree, since the parser cannot nest expressions a thousand levels deep."""
    if len(parts) <= 1:
        return parts[0] if parts else "0::UBIGINT"
    half = len(parts) // 2
    return f"xor({_combine(parts[:half])}, {_combine(parts[half:])})"
