"""ALTER TABLE and CREATE INDEX as PostgreSQL writes them."""

from __future__ import annotations

from collections.abc import Sequence

import duckdb

from penstock.foundation.text.quoting import quote_name
from penstock.sql.process.definitions.catalog import current_schema, find_indexes, find_relation
from penstock.sql.process.definitions.reading import Definition, ObjectName, Reader, find_closing, split_list
from penstock.sql.process.tokens import Token, read_tokens

_METHODS = ("btree", "hash")
"""Of indexes: how it is built changes no result."""


def translate_alter_table(cursor: duckdb.DuckDBPyConnection, sql: str, tokens: Sequence[Token]) -> Definition | None:
    """A view is altered as a view, an index does not keep its table from being renamed, and several actions are
    several statements."""
    reader = Reader(sql, tokens, 2)
    if_exists = "IF EXISTS " if reader.skip("if", "exists") else ""
    reader.skip("only")
    name = reader.read_name()
    relation = find_relation(cursor, name)
    kind = "VIEW" if relation and relation.is_view and not relation.is_clone else "TABLE"
    actions = [
        sql[tokens[start].start : tokens[end].start if end < len(tokens) else len(sql)]
        for start, end in split_list(tokens, reader.position, len(tokens))
        if start < len(tokens)
    ]
    if not actions:
        return None
    first, *others = [f"ALTER {kind} {if_exists}{name} {action}" for action in actions]
    if relation and not relation.is_view and reader.skip("rename", "to"):
        return _rename(cursor, name, first, reader.read_identifier())
    return Definition(first, after=others)


def _rename(cursor: duckdb.DuckDBPyConnection, name: ObjectName, statement: str, new: str) -> Definition:
    indexes = find_indexes(cursor, name)
    schema = name.schema or current_schema(cursor)
    drops = [f"DROP INDEX {quote_name(schema)}.{quote_name(index)}" for index, _ in indexes]
    return Definition(statement, drops, [_on_table(sql, index, ObjectName(schema, new)) for index, sql in indexes])


def _on_table(sql: str, index: str, table: ObjectName) -> str:
    """The statement of an index, for another table. The database keeps the name of a unique index until the
    transaction ends, so it gets another one."""
    tokens = read_tokens(sql)
    reader = Reader(sql, tokens, next(number for number, each in enumerate(tokens) if each.word == "on") + 1)
    reader.read_name()
    is_unique = tokens[1].word == "unique"
    name = quote_name(f"{index}1" if is_unique else index)
    return f"CREATE {'UNIQUE ' * is_unique}INDEX {name} ON {table} {reader.rest()}"


def translate_create_index(sql: str, tokens: Sequence[Token]) -> Definition | None:
    """A name if it has none, as PostgreSQL makes it; without the method."""
    reader = Reader(sql, tokens, 1)
    unique = "UNIQUE " if reader.skip("unique") else ""
    reader.skip("index")
    reader.skip("concurrently")
    if_missing = "IF NOT EXISTS " if reader.skip("if", "not", "exists") else ""
    index = "" if reader.word == "on" else reader.read_identifier()
    if not reader.skip("on"):
        return None
    reader.skip("only")
    table = reader.read_name()
    if reader.skip("using") and reader.word in _METHODS:
        reader.position += 1
    if reader.word != "(":
        return None
    index = index or _name_index(table, tokens[reader.position : find_closing(tokens, reader.position)])
    return Definition(f"CREATE {unique}INDEX {if_missing}{quote_name(index)} ON {table} {reader.rest()}")


def _name_index(table: ObjectName, columns: Sequence[Token]) -> str:
    return "_".join([table.name, *(each.name for each in columns if each.is_name), "idx"])[:63]
