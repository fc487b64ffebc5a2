"""Full loads whose primary key is shared by many rows, of which only one stays: when to warn, and what to say."""

from __future__ import annotations

from collections.abc import Sequence

MAX_REPEATED = 0.1
"""The share of rows with repeated keys that is not reported: pages of an API may overlap a little."""


def are_many(repeated: int, rows: int) -> bool:
    return repeated > MAX_REPEATED * rows


def explain(key: Sequence[str]) -> str:
    """The end of a sentence about rows that are gone, and what to do."""
    return (
        f"because rows with the same primary key {show_names(key)} replace each other. If they are different rows, "
        "choose columns that identify a row."
    )


def show_names(columns: Sequence[str]) -> str:
    return ", ".join(f"`{column}`" for column in columns)
