"""Statements with functions of PostgreSQL: the same columns and rows as from PostgreSQL itself, or an error."""

from __future__ import annotations

from collections.abc import Generator
from typing import Any

import psycopg
import pytest

from tests.support.postgresql import PostgresServer

SAME = [
    "SELECT to_char(DATE '2024-02-09', 'YYYY-MM-DD'), 1 AS one",
    "SELECT to_char(DATE '2024-02-09', 'YYYY-MM-DD') AS day, pg_is_in_recovery()",
    """SELECT to_char(TIMESTAMP '2024-02-29 15:04:05.678', 'YYYY-MM-DD"T"HH24:MI:SS.MS') AS iso""",
    "SELECT to_char(TIMESTAMP '2024-02-29 15:04:05.678', 'DD Mon YY, HH12:MI AM, US, DDD, 100%')",
    "SELECT to_char(TIMESTAMP '2024-02-09 05:04:05', 'FMDD/FMMM/YYYY FMHH24') AS short",
    "SELECT to_date('20240229', 'YYYYMMDD')",
    "SELECT 'Penstock' ~* 'STOCK', 'a' !~* 'A' AS other",
    "SELECT json_agg(number ORDER BY number DESC) FROM (VALUES (1), (2)) AS numbers(number)",
    "SELECT json_agg(number) FROM (VALUES (1)) AS numbers(number) WHERE number > 5",
    "SELECT generate_series(1, 3)",
    "SELECT generate_series(2, 6, 2) AS even",
    "SELECT number FROM generate_series(1, 3) AS series(number)",
    "SELECT format('%s: %s %%', 'a', 2)",
    "SELECT format('%I.%I', 'a b', 'orders')",
    "SELECT count(*), max(number), to_char(DATE '2024-01-01', 'YYYY') FROM (VALUES (1)) AS numbers(number) GROUP BY 3",
]
REFUSED = [
    "SELECT to_char(DATE '2024-02-09', template) FROM (VALUES ('YYYY-MM-DD')) AS templates(template)",
    "SELECT to_char(DATE '2024-02-09', template), version() FROM (VALUES ('YYYY-MM-DD')) AS templates(template)",
    "SELECT to_char(DATE '2024-02-09', 'Day')",
    "SELECT to_char(DATE '2024-02-09', 'Month D')",
    "SELECT to_char(DATE '2024-02-09', 'WW')",
    "SELECT to_char(1234.5, '9,999.99')",
    "SELECT format('%L', 'a b')",
    "SELECT format('%s %s', 'a')",
]
"""Whose results would be other ones."""


@pytest.fixture(scope="module")
def postgresql() -> Generator[psycopg.Connection[Any]]:
    server = PostgresServer()
    with psycopg.connect(server.url(), autocommit=True) as connection:
        yield connection
    server.close()


@pytest.mark.parametrize("sql", SAME)
def test_columns_and_rows_are_those_of_postgresql(
    client: psycopg.Connection[Any], postgresql: psycopg.Connection[Any], sql: str
):
    ours, theirs = client.execute(sql.encode()), postgresql.execute(sql.encode())

    assert [each.name for each in ours.description or []] == [each.name for each in theirs.description or []]
    assert ours.fetchall() == theirs.fetchall()


@pytest.mark.parametrize("sql", REFUSED)
def test_a_function_that_would_give_another_result_is_refused(client: psycopg.Connection[Any], sql: str):
    with pytest.raises(psycopg.Error):
        client.execute(sql.encode())


@pytest.mark.parametrize("name", ["version()", "current_user", "session_user", "current_schema()", "pg_backend_pid()"])
def test_columns_of_functions_of_the_session_have_their_names(client: psycopg.Connection[Any], name: str):
    [column] = client.execute(f"SELECT {name}".encode()).description or []

    assert column.name == name.removesuffix("()")


def test_the_current_schema_is_also_a_table(client: psycopg.Connection[Any]):
    found = client.execute("SELECT * FROM current_schema()")

    assert [each.name for each in found.description or []] == ["current_schema"]
    assert found.fetchall() == client.execute("SELECT current_schema()").fetchall()
