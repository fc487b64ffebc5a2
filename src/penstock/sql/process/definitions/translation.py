"""Which statements are definitions, and what becomes of each of them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from contextlib import suppress

import duckdb

from penstock.sql.process.definitions.alterations import translate_alter_table, translate_create_index
from penstock.sql.process.definitions.catalog import find_owned_sequences
from penstock.sql.process.definitions.columns import translate_create_sequence, translate_create_table
from penstock.sql.process.definitions.grants import translate_comment, translate_grant
from penstock.sql.process.definitions.reading import Definition, Reader
from penstock.sql.process.tokens import Token, read_tokens

_DEFINITION = re.compile(
    r"(?:\s++|--[^\n]*+\n|(?>/\*.*?\*/))*+(?:alter|grant|revoke|comment|create|drop)\b", re.IGNORECASE | re.DOTALL
)
_TEMPORARY = ("temp", "temporary", "unlogged", "local", "global")
_KINDS = ("table", "view", "sequence", "index", "schema")


def translate_definition(cursor: duckdb.DuckDBPyConnection, sql: str) -> Definition | None:
    """Return None for other statements, and for those that the database understands as they are."""
    if not _DEFINITION.match(sql):
        return None
    tokens = read_tokens(sql)
    while tokens and tokens[-1].text == ";":
        sql = sql[: tokens.pop().start]
    if len(tokens) < 3 or any(each.text == ";" and not each.is_literal for each in tokens):
        return None
    with suppress(duckdb.TransactionException):  # of a transaction that has failed, which the statement will say
        return _translate(cursor, sql, tokens)
    return None


def _translate(cursor: duckdb.DuckDBPyConnection, sql: str, tokens: list[Token]) -> Definition | None:
    words = [each.word for each in tokens[:5]]
    kind = next((each for each in words[1:] if each not in _TEMPORARY), "")
    match words[0], kind:
        case "grant" | "revoke", _:
            return translate_grant(cursor, sql, tokens)
        case "comment", _:
            return translate_comment(cursor, sql, tokens)
        case "drop", _:
            return translate_drop(cursor, sql, tokens)
        case "alter", "table":
            return translate_alter_table(cursor, sql, tokens)
        case "create", "table":
            return translate_create_table(cursor, sql, tokens)
        case "create", "sequence":
            return translate_create_sequence(sql, tokens)
        case "create", "index" | "unique":
            return translate_create_index(sql, tokens)
        case _:
            return None


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
