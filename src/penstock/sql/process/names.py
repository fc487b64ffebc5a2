"""The tables that a statement names, besides those of the workspace: project tables have to be there when it runs."""

from __future__ import annotations

from collections.abc import Mapping

from penstock.foundation.text.quoting import folded
from penstock.sql.messages import Setup
from penstock.sql.models import Names, TableName
from penstock.sql.process.parsing import Parsed
from penstock.sql.process.tokens import qualified_names, read_tokens

_LISTS = ("information_schema", "pg_catalog", "pg_class", "pg_tables", "pg_views", "sqlite_master", "sqlite_schema")
_DEPTH = 20
"""How many views may be inside each other."""


def find_names(parsed: Parsed, setup: Setup, views: Mapping[str, str]) -> Names:
    """Find the names of a statement, with the texts of the workspace's own views, by their names."""
    lists = parsed.first_word == "show" or any(_lists(token.word) for token in parsed.tokens)
    return Names(all=lists, tables=_find_tables(parsed, setup, views))


def _lists(word: str) -> bool:
    """Whether it is a table or a function that lists tables."""
    name = word.strip('"')
    return name in _LISTS or name.startswith(("duckdb_", "pragma_", "show_"))


def _find_tables(parsed: Parsed, setup: Setup, views: Mapping[str, str]) -> tuple[TableName, ...]:
    """Every qualified name in the text may be one, also in the views that it uses."""
    found: dict[TableName, None] = {}
    tokens, seen = parsed.tokens, set[str]()
    for _ in range(_DEPTH):
        found |= dict.fromkeys(_to_tables(qualified_names(tokens), setup))
        used = {folded(token.name) for token in tokens if token.is_name} & (views.keys() - seen)
        if not used:
            break
        seen |= used
        tokens = [token for name in used for token in read_tokens(views[name])]
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
