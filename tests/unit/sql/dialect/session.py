"""A database as a workspace has it, for translated SQL."""

from __future__ import annotations

from typing import Any

import duckdb
import msgspec

from penstock.sql.dialect import PREPARATION, translate

DATABASE, SCHEMA = "KBC_1", "WORKSPACE_5"
ITEMS = '{"s":"x","n":10,"a":{"b":[1,2]},"z":null,"items":[{"k":"p"},{"k":"q"}]}'
_PREPARED = (
    f"ATTACH ':memory:' AS \"{DATABASE}\"",
    f'USE "{DATABASE}"',
    f'CREATE SCHEMA "{SCHEMA}"',
    'CREATE SCHEMA "in.c-main"',
    'CREATE TABLE "in.c-main"."orders" AS SELECT \'1\' AS "id", \'Ann\' AS "name"',
    f'USE "{DATABASE}"."{SCHEMA}"',
    f"CREATE TABLE T AS SELECT * FROM (VALUES (1, 'Ann', '{ITEMS}'::JSON), "
    '(2, \'Bob\', \'{"s":"y","n":9,"items":[]}\'), (3, NULL, NULL)) AS v("ID", "NAME", "DATA")',
)


class Result(msgspec.Struct):
    columns: list[str]
    rows: list[list[str | None]]


class Session:
    def __init__(self) -> None:
        self._connection = duckdb.connect()
        for statement in (*PREPARATION, *_PREPARED):
            self._connection.execute(statement)

    def run(self, sql: str) -> Result:
        """The result of the last statement, as texts."""
        result = Result([], [])
        for statement in translate(sql, database=DATABASE, schema=SCHEMA):
            result = self._run(statement.sql)
        return result

    def value(self, expression: str) -> str | None:
        [[value]] = self.run(f"SELECT {expression}").rows
        return value

    def _run(self, sql: str) -> Result:
        found = self._connection.execute(sql)
        columns = [column[0] for column in found.description or []]
        types = [str(column[1]) for column in found.description or []]
        return Result(
            columns, [[_text(value, kind) for value, kind in zip(row, types, strict=True)] for row in found.fetchall()]
        )


def _text(value: Any, kind: str) -> str | None:
    if value is None or isinstance(value, str):
        return value
    return str(value).lower() if isinstance(value, bool) else _shortened(str(value), kind)


def _shortened(text: str, kind: str) -> str:
    """Fractions of seconds as DuckDB writes them."""
    return text.rstrip("0") if kind.startswith("TIMESTAMP") and "." in text else text
