"""DROP of several objects, and of the sequences that belong to columns of a table."""

from __future__ import annotations

from collections.abc import Sequence

import duckdb

from penstock.sql.process.definitions.catalog import find_owned_sequences
from penstock.sql.process.definitions.reading import Definition, Reader
from penstock.sql.process.tokens import Token

_KINDS = ("table", "view", "sequence", "index", "schema")


def translate_drop(cursor: duckdb.DuckDBPyConnection, sql: str, tokens: Sequence[Token]) -> Definition | None:
    reader = Reader(sql, tokens, 2)
    kind = tokens[1].word if len(tokens) > 1 else ""
    if kind not in _KINDS:
        return None
    reader.skip("concurrently")
    if_exists = "IF EXISTS " if reader.skip("if", "exists") else ""
    names = reader.read_names()
    sequences = [each for name in names for each in find_owned_sequences(cursor, name)] if kind == "table" else []
    if len(names) == 1 and not sequences:
        return None
    first, *others = [f"DROP {kind.upper()} {if_exists}{name} {reader.rest()}" for name in names]
    return Definition(first, after=[*others, *(f"DROP SEQUENCE IF EXISTS {each}" for each in sequences)])
