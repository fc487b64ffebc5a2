"""Rows through the SQL port, beside the same rows from PostgreSQL: one client reads both, in turns."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import psycopg

from tests.benchmarks.lines import Line
from tests.benchmarks.sql.work import Desk
from tests.support.postgresql import PostgresServer
from tests.unit.pgwire.sql_server import SqlServer

ROWS = 1_000_000
TABLE = f"""CREATE TABLE bench AS SELECT number::BIGINT AS id, (number % 1000)::INTEGER AS small,
    number / 7.0::FLOAT8 AS ratio, (number * 1.25)::NUMERIC(18, 2) AS price, 'customer ' || number AS name,
    number % 3 = 0 AS flag, DATE '2020-01-01' + (number % 1000)::INTEGER AS day,
    TIMESTAMP '2020-01-01' + number * INTERVAL '1 second' AS moment
    FROM generate_series(0, {ROWS - 1}) AS numbers(number)"""
SLOWEST = 1 / 0.3
"""At least 0.3 of the rows that PostgreSQL gives in the same time."""
MICROSECONDS = 1_000_000 / 300_000
"""Of a row, at 300,000 rows in a second."""


def measure_port(desk: Desk) -> Iterator[Line]:
    server, postgresql = SqlServer(desk.services, desk.folder), PostgresServer()
    try:
        with (
            server.connect(server.new_workspace()) as ours,
            psycopg.connect(postgresql.url(), autocommit=True) as theirs,
        ):
            for each in (ours, theirs):
                each.execute(TABLE.encode())
            for name, is_binary in {"text": False, "binary": True}.items():
                mine, beside = desk.compare(lambda b=is_binary: read(ours, b), lambda b=is_binary: read(theirs, b))
                yield Line(f"1M rows × 8 columns as {name}, beside PostgreSQL", mine, SLOWEST, beside)
                yield Line(f"a row of them as {name}", 1_000_000 * mine / ROWS, MICROSECONDS, unit="µs")
    finally:
        server.stop()
        postgresql.close()


def read(connection: psycopg.Connection[Any], is_binary: bool) -> None:
    cursor = connection.cursor(binary=is_binary)
    cursor.execute("SELECT * FROM bench")
    rows = 0
    while page := cursor.fetchmany(50_000):
        rows += len(page)
    assert rows == ROWS
