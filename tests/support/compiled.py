"""Statements that stacks of one process share as SQLAlchemy has compiled them.

It keeps them by engine, and every stack has an engine of its own: hundreds of small stacks, one after another, would
spend more time on writing the same SQL again than on all else that they do.
"""

from __future__ import annotations

from sqlalchemy import Engine
from sqlalchemy.util import LRUCache

from penstock.foundation.database import Database

STATEMENTS = 2000
"""More than a stack has, on both databases."""

_first: dict[str, Engine] = {}


def share_statements(database: Database) -> None:
    """From here on it uses the dialect and the statements of the first stack on such a database, which is connected:
    a dialect learns from its first connection what the server is."""
    first = _first.setdefault(database.engine.dialect.name, database.engine)
    if first is database.engine:
        first._compiled_cache = LRUCache(STATEMENTS)  # pyright: ignore[reportPrivateUsage]
    for engine in engines_of(database):
        engine.dialect = first.dialect
        engine._compiled_cache = first._compiled_cache  # pyright: ignore[reportPrivateUsage]


def engines_of(database: Database) -> list[Engine]:
    """One, with the options of those who read, write and claim."""
    return [each for each in vars(database).values() if isinstance(each, Engine)]
