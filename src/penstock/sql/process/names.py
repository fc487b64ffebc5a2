"""The tables that a statement names, besides those of the workspace: project tables have to be there when it runs."""

from __future__ import annotations

from contextlib import suppress

import duckdb

from penstock.foundation.lake.sql import folded
from penstock.sql.messages import Setup
from penstock.sql.models import Names, TableName
from penstock.sql.process.parsing import Parsed
from penstock.sql.process.tokens import qualified_names, read_tokens

_LISTS = ("information_schema", "pg_catalog", "pg_class", "pg_tables", "pg_views", "sqlite_master", "sqlite_schema")
_DEPTH = 20
"""How many views may be inside each other."""


def find_names(cursor: duckdb.DuckDBPyConnection, parsed: Parsed, setup: Setup) -> Names:
    if parsed.first_word == "show" or any(_lists(token.word) for token in parsed.tokens):
        return Names(all=True, tables=_find_tables(cursor, parsed.text, setup))
    return Names(tables=_find_tables(cursor, parsed.text, setup))


def _lists(word: str) -> bool:
    """Whether it is a table or a function that lists tables."""
    name = word.strip('"')
    return name in _LISTS or name.startswith(("duckdb_", "pragma_", "show_"))


def _find_tables(cursor: duckdb.DuckDBPyConnection, sql: str, setup: Setup) -> tuple[TableName, ...]:
    """Every qualified name in the text may be one, also in the views that it uses."""
    found: dict[TableName, None] = {}
    views = _read_views(cursor, setup)
    texts, seen = [sql], set[str]()
    for _ in range(_DEPTH):
        tokens = [token for text in texts for token in read_tokens(text)]
        found |= dict.fromkeys(_to_tables(qualified_names(tokens), setup))
        used = {folded(token.name) for token in tokens if token.is_name} & (views.keys() - seen)
        if not used:
            break
        seen |= used
        texts = [views[name] for name in used]
    return tuple(found)


def _to_tables(names: list[tuple[str, ...]], setup: Setup) -> list[TableName]:
    """The last two parts of a name with a catalog, the first two of others: the rest may be a column."""
    found: list[TableName] = []
    for parts in names:
        if folded(parts[0]) == folded(setup.database):
            parts = parts[1:]
        if len(parts) > 1 and folded(parts[0]) != folded(setup.schema):
            found.append(TableName(parts[0], parts[1]))
    return found


def _read_views(cursor: duckdb.DuckDBPyConnection, setup: Setup) -> dict[str, str]:
    """The views of the workspace itself, by their names."""
    query = "SELECT view_name, sql FROM duckdb_views() WHERE database_name = ? AND schema_name = ?"
    with suppress(duckdb.Error):
        return {folded(name): sql for name, sql in cursor.execute(query, [setup.database, setup.schema]).fetchall()}
    return {}
