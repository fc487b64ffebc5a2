"""Named cursors, as they are in PostgreSQL, and as drivers use them to read large results in parts."""

from __future__ import annotations

from collections.abc import Generator
from typing import Any

import pandas as pd
import psycopg
import pytest
import sqlalchemy

from tests.support.postgresql import PostgresServer
from tests.unit.pgwire.sql_server import Login, SqlServer

Client = psycopg.Connection[Any]
NUMBERS = "SELECT number, 'n' || number AS text FROM generate_series(1, 5) AS numbers(number)"
WAYS = [
    ["FETCH c", "FETCH 2 FROM c", "FETCH NEXT IN c", "FETCH ALL c", "FETCH c"],
    ["FETCH LAST c", "FETCH PRIOR FROM c", "FETCH FIRST c", "FETCH BACKWARD 1 c", "FETCH 1 c"],
    ["FETCH ABSOLUTE 3 c", "FETCH RELATIVE -1 c", "FETCH RELATIVE 2 c", "FETCH ABSOLUTE -2 c", "FETCH ABSOLUTE 9 c"],
    [
        "FETCH ABSOLUTE 0 c",
        "FETCH 0 c",
        "FETCH FORWARD 4 c",
        "FETCH 0 c",
        "FETCH BACKWARD ALL c",
        "FETCH FORWARD ALL c",
    ],
    ["MOVE 2 c", "FETCH -1 c", "FETCH FORWARD -1 c", "MOVE FORWARD ALL c", "FETCH BACKWARD 2 c", "MOVE 0 c"],
    ["MOVE BACKWARD ALL c", "FETCH 2 c", "FETCH BACKWARD -2 c", "MOVE ABSOLUTE 5 c", "MOVE LAST c", "FETCH PRIOR c"],
]


@pytest.fixture(scope="module")
def postgresql() -> Generator[Client]:
    server = PostgresServer()
    with psycopg.connect(server.url(), autocommit=True) as connection:
        yield connection
    server.close()


def walk(client: Client, ways: list[str]) -> list[Any]:
    with client.transaction():
        client.execute(f"DECLARE c SCROLL CURSOR FOR {NUMBERS}".encode())
        shown: list[Any] = []
        for way in ways:
            done = client.execute(way.encode())
            shown.append((done.statusmessage, done.fetchall() if done.description else None))
        return shown


@pytest.mark.parametrize("ways", WAYS)
def test_a_cursor_is_read_as_in_postgresql(client: Client, postgresql: Client, ways: list[str]):
    assert walk(client, ways) == walk(postgresql, ways)


ENDINGS = [
    ["DECLARE c CURSOR FOR SELECT 1"],
    ["BEGIN", "DECLARE c CURSOR FOR SELECT 1", "COMMIT", "FETCH c"],
    ["BEGIN", "DECLARE c CURSOR WITH HOLD FOR SELECT 1", "COMMIT", "FETCH c", "CLOSE c", "FETCH c"],
    ["BEGIN", "DECLARE c CURSOR WITH HOLD FOR SELECT 1", "ROLLBACK", "FETCH c"],
    ["DECLARE c CURSOR WITH HOLD FOR SELECT 1", "BEGIN", "ROLLBACK", "FETCH c", "CLOSE ALL", "CLOSE c"],
    ["BEGIN", "DECLARE c CURSOR FOR SELECT 1", "DECLARE c CURSOR FOR SELECT 2"],
    ["BEGIN", "DECLARE c NO SCROLL CURSOR FOR SELECT 1", "FETCH 2 c", "FETCH PRIOR c"],
    ["BEGIN", "DECLARE c CURSOR FOR SELECT missing"],
    ["FETCH 2 FROM missing"],
    ["FETCH SIDEWAYS 1 FROM missing"],
    ["DECLARE c CURSOR FOR DELETE FROM missing"],
    ["DECLARE c CURSOR WITH HOLD FOR SELECT 1", "DISCARD ALL", "FETCH c"],
    ["BEGIN", 'DECLARE "My ""c""" CURSOR FOR SELECT 1', 'FETCH "My ""c"""', 'CLOSE "My ""c"""', "FETCH c"],
]


def run_all(client: Client, statements: list[str]) -> list[Any]:
    shown: list[Any] = []
    for each in statements:
        try:
            done = client.execute(each.encode())
            shown.append((done.statusmessage, done.fetchall() if done.description else None))
        except psycopg.Error as error:
            shown.append(error.sqlstate)
    client.execute("ROLLBACK")
    client.execute("CLOSE ALL")
    return shown


@pytest.mark.parametrize("statements", ENDINGS)
def test_a_cursor_ends_as_in_postgresql(client: Client, postgresql: Client, statements: list[str]):
    assert run_all(client, statements) == run_all(postgresql, statements)


def test_a_cursor_does_not_see_later_changes(client: Client):
    with client.transaction():
        client.execute("CREATE OR REPLACE TEMP TABLE seen AS SELECT 1 AS one")
        client.execute("DECLARE c CURSOR FOR SELECT * FROM seen")
        client.execute("DELETE FROM seen")

        assert client.execute("FETCH ALL c").fetchall() == [(1,)]


@pytest.mark.parametrize("is_binary", [False, True])
def test_psycopg_reads_a_large_result_in_parts(client: Client, is_binary: bool):
    with client.transaction(), client.cursor("parts", binary=is_binary) as cursor:
        cursor.itersize = 700
        cursor.execute("SELECT number, %s AS text FROM range(3000) AS numbers(number)", ["a text"])
        rows, names = list(cursor), [each.name for each in cursor.description or []]

    assert rows == [(number, "a text") for number in range(3000)]
    assert names == ["number", "text"]


def test_psycopg_scrolls(client: Client):
    with client.transaction(), client.cursor("scrolled", scrollable=True) as cursor:
        cursor.execute("SELECT * FROM range(10)")
        cursor.scroll(9, mode="absolute")
        assert cursor.fetchall() == [(9,)]
        cursor.scroll(-4)
        assert cursor.fetchone() == (7,)


def test_sqlalchemy_and_pandas_stream_results(sql_server: SqlServer, workspace: Login):
    engine = sqlalchemy.create_engine(
        "postgresql+psycopg://", creator=lambda: sql_server.connect(workspace, autocommit=False)
    )
    with engine.connect().execution_options(stream_results=True, max_row_buffer=100) as connection:
        streamed = sum(row[0] for row in connection.execute(sqlalchemy.text("SELECT * FROM range(5000)")))
        chunks = [len(each) for each in pd.read_sql("SELECT * FROM range(2500)", connection, chunksize=1000)]
    engine.dispose()

    assert streamed == sum(range(5000))
    assert chunks == [1000, 1000, 500]
