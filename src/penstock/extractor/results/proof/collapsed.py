"""A full load whose primary key is shared by many rows: only one of them stays."""

from __future__ import annotations

from collections.abc import Sequence

from penstock.foundation import repeated_keys


def explain_collapse(table: str, key: Sequence[str], rows: int, duplicates: int) -> str:
    """Empty if few rows share a key."""
    if not repeated_keys.are_many(duplicates, rows):
        return ""
    left = rows - duplicates
    return f"{rows:,} rows of the table {table} become {left:,} when they are loaded, {repeated_keys.explain(key)}"
