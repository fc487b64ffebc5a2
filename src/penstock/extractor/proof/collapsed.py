"""A full load whose primary key is shared by many rows: only one of them stays."""

from __future__ import annotations

from collections.abc import Sequence

MOST_REPEATED = 0.1
"""The share of rows with repeated keys that is not reported: pages of an API may overlap a little."""


def explain_collapse(table: str, key: Sequence[str], rows: int, duplicates: int) -> str:
    """Empty if few rows share a key."""
    if duplicates <= MOST_REPEATED * rows:
        return ""
    names = ", ".join(f"`{column}`" for column in key)
    return (
        f"{rows:,} rows of the table {table} become {rows - duplicates:,} when they are loaded, because rows with the "
        f"same primary key {names} replace each other. If they are different rows, choose columns that identify a row."
    )
