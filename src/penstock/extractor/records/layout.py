"""A table as all three parsers describe it to those who write it: its name, its columns, its primary key."""

from __future__ import annotations

from collections.abc import Callable

import msgspec


class Layout(msgspec.Struct, frozen=True):
    """A table: where in the records its rows are, its name, its columns and those that identify a row."""

    path: str
    """For messages; of a mapped table, its name."""
    name: str
    header: tuple[str, ...]
    primary_key: tuple[str, ...] = ()


Emit = Callable[[Layout, bytes, int], None]
"""Takes rows of a table as CSV lines, and how many they are; none for a table that is to exist without rows."""
