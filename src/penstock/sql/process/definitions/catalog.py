"""What the catalog of the database knows of the tables and views that a definition names."""

from __future__ import annotations

import re
from typing import Any, NamedTuple

import duckdb

from penstock.sql.process.definitions.reading import ObjectName

_IN_SCHEMA = "database_name IN (current_database(), 'temp') AND lower(schema_name) IN (lower($schema), $temporary)"
_RELATION = f"""
    SELECT false AS is_view, schema_name, comment FROM duckdb_tables() WHERE {_IN_SCHEMA} AND lower(table_name) = $name
    UNION ALL SELECT true, schema_name, comment FROM duckdb_views() WHERE {_IN_SCHEMA} AND lower(view_name) = $name
    LIMIT 1"""
_INDEXES = f"SELECT index_name, sql FROM duckdb_indexes() WHERE {_IN_SCHEMA} AND lower(table_name) = $name"
_DEFAULTS = f"""
    SELECT column_name, column_default FROM duckdb_columns()
    WHERE {_IN_SCHEMA} AND lower(table_name) = $name AND column_default LIKE 'nextval(%'"""
_OWNED = f"""
    SELECT sequence_name FROM duckdb_sequences() WHERE {_IN_SCHEMA} AND starts_with(comment, $mark)"""
_SEQUENCE = re.compile(r"""nextval\('(?:"(?:[^"]|"")*"\.)*"((?:[^"]|"")*)"'\)""")
CLONE = "A clone of a project table."
"""The comment of a view that is a clone, by which it is known."""
OWNED, IDENTITY = "Owned by a column", "Owned by a column: identity"
"""Comments of sequences that belong to a column of a table, and are dropped with it."""


class Relation(NamedTuple):
    is_view: bool
    schema: str
    comment: str | None

    @property
    def is_clone(self) -> bool:
        return self.is_view and self.comment == CLONE


def find_relation(cursor: duckdb.DuckDBPyConnection, name: ObjectName) -> Relation | None:
    row = _query(cursor, _RELATION, name)
    return Relation(*row[0]) if row else None


def list_relations(cursor: duckdb.DuckDBPyConnection, schema: str) -> list[str]:
    """The tables and views of a schema."""
    own = "database_name = current_database() AND lower(schema_name) = lower($schema)"
    query = f"""SELECT table_name FROM duckdb_tables() WHERE {own}
        UNION ALL SELECT view_name FROM duckdb_views() WHERE {own} AND NOT internal ORDER BY 1"""
    return [name for (name,) in cursor.execute(query, {"schema": schema}).fetchall()]


def find_indexes(cursor: duckdb.DuckDBPyConnection, name: ObjectName) -> list[tuple[str, str]]:
    """Return the indexes made by CREATE INDEX: their names and their statements."""
    return [(index, sql) for index, sql in _query(cursor, _INDEXES, name)]


def find_owned_sequences(cursor: duckdb.DuckDBPyConnection, name: ObjectName) -> list[ObjectName]:
    relation = find_relation(cursor, name)
    if not relation or relation.is_view:
        return []
    used = [
        found[1].replace('""', '"') for _, text in _query(cursor, _DEFAULTS, name) if (found := _SEQUENCE.search(text))
    ]
    owned = {each for (each,) in _query(cursor, _OWNED, name, mark=OWNED)} if used else set[str]()
    return [ObjectName(relation.schema, each) for each in used if each in owned]


def sequence_exists(cursor: duckdb.DuckDBPyConnection, name: ObjectName) -> bool:
    query = f"SELECT 1 FROM duckdb_sequences() WHERE {_IN_SCHEMA} AND lower(sequence_name) = $name"
    return bool(_query(cursor, query, name))


def current_schema(cursor: duckdb.DuckDBPyConnection) -> str:
    [(schema,)] = cursor.execute("SELECT current_schema()").fetchall()
    return str(schema)


def _query(cursor: duckdb.DuckDBPyConnection, query: str, name: ObjectName, **values: str) -> list[tuple[Any, ...]]:
    schema = name.schema or current_schema(cursor)
    temporary = schema if name.schema else "main"
    known = {"schema": schema, "temporary": temporary, "name": name.name.lower(), **values}
    used = {each: value for each, value in known.items() if f"${each}" in query}
    return cursor.execute(query, used).fetchall()
