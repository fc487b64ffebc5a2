"""Rows out of a table."""

from __future__ import annotations

from penstock.foundation.lake.engine import Lake, LakeTable, quote_name


def read_rows(lake: Lake, table: LakeTable, columns: tuple[str, ...], limit: int) -> list[tuple[str, ...]]:
    """The first rows, values as text; a column that a row never had is the empty text."""
    names = ", ".join(f"coalesce({quote_name(name)}, '')" for name in columns)
    with lake.session(table) as duck:
        return duck.execute(f"SELECT {names} FROM {table.address} LIMIT {int(limit)}").fetchall()
