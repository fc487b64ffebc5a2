"""Programs that people use: psql, asyncpg, SQLAlchemy and pandas."""

from __future__ import annotations

import asyncio
import shutil
import subprocess
from collections.abc import Generator
from datetime import date, datetime
from decimal import Decimal
from typing import Any

import asyncpg
import pandas as pd
import psycopg
import pytest
import sqlalchemy

from tests.unit.pgwire.sql_server import Login, SqlServer

SHOP = """
    CREATE OR REPLACE TABLE prices (id INTEGER PRIMARY KEY, price DECIMAL(10,2) DEFAULT 3, since TIMESTAMP);
    CREATE OR REPLACE VIEW cheap AS SELECT * FROM prices WHERE price < 5;
    INSERT INTO prices VALUES (1, 1.5, '2024-01-01'), (2, NULL, NULL)
"""


@pytest.fixture(scope="module")
def shop(sql_server: SqlServer) -> Login:
    login = sql_server.new_workspace()
    with sql_server.connect(login) as client:
        client.execute(SHOP)
    return login


def psql(server: SqlServer, login: Login, *commands: str) -> str:
    """What it prints, without decoration."""
    program = shutil.which("psql")
    if not program:
        pytest.skip("psql is not installed (Debian: postgresql-client)")
    address = f"host=127.0.0.1 port={server.port} user={login.user} dbname={login.database} sslmode=require"
    words = [program, address, "-X", "-A", "-t", "-v", "ON_ERROR_STOP=1"]
    for command in commands:
        words += ["-c", command]
    ended = subprocess.run(words, env={"PGPASSWORD": login.password}, capture_output=True, text=True)
    assert ended.returncode == 0, ended.stderr
    return ended.stdout


def test_psql_lists_tables_of_the_workspace_and_of_the_project(sql_server: SqlServer, shop: Login):
    tables = psql(sql_server, shop, "\\d").splitlines()

    assert f"{shop.schema}|cheap|view|{shop.user}" in tables
    assert f"{shop.schema}|prices|table|{shop.user}" in tables
    assert f"in.c-shop|orders|view|{shop.user}" in tables


def test_psql_describes_a_table(sql_server: SqlServer, shop: Login):
    shown = psql(sql_server, shop, "\\d prices", '\\d "in.c-shop".orders').splitlines()

    assert "id|integer||not null|" in shown
    assert "price|numeric(10,2)|||3" in shown
    assert "since|timestamp without time zone|||" in shown
    assert "customer|text|||" in shown


def test_psql_knows_the_catalog(sql_server: SqlServer, shop: Login):
    commands = [*["dt", "dv", "di", "l", "dn", "du", "df", "dT", "dx", "dp", "dt+"], "d+ prices", "d+ cheap"]

    psql(sql_server, shop, *(f"\\{each}" for each in commands))


def test_psql_runs_queries(sql_server: SqlServer, shop: Login):
    shown = psql(sql_server, shop, "SELECT *, price IS NULL FROM prices ORDER BY id", "SELECT current_user, version()")

    assert shown.splitlines() == [
        "1|1.50|2024-01-01 00:00:00|f",
        "2|||t",
        f"{shop.user}|PostgreSQL 15.0 (Penstock: DuckDB in a workspace)",
    ]


def test_asyncpg_reads_and_writes(sql_server: SqlServer, shop: Login):
    async def run() -> tuple[Any, ...]:
        address: dict[str, Any] = {"host": "127.0.0.1", "port": sql_server.port, "ssl": False}
        login: dict[str, Any] = {"user": shop.user, "password": shop.password, "database": shop.database}
        async with asyncpg.create_pool(**address, **login, min_size=1, max_size=1) as pool:
            row = await pool.fetchrow(
                "SELECT price, since, [id], $1::date, $2 FROM prices WHERE id = $3::int LIMIT $4",
                *(date(2024, 2, 29), "text", 1, 5),
            )
            insert = "INSERT INTO prices (id, price) VALUES ($1::int, $2) RETURNING id"
            added = await pool.fetchval(insert, 9, "1.25")
            status = await pool.execute("DELETE FROM prices WHERE id = $1::int", 9)
            async with pool.acquire() as connection, connection.transaction():
                numbers = [each[0] async for each in connection.cursor("SELECT * FROM range(120)", prefetch=50)]
            with pytest.raises(asyncpg.UndefinedTableError):
                await pool.fetch("SELECT * FROM missing")
            return tuple(row), added, status, len(numbers)

    row, added, status, count = asyncio.run(run())

    assert row == (Decimal("1.50"), datetime(2024, 1, 1), [1], date(2024, 2, 29), "text")
    assert (added, status, count) == (9, "DELETE 1", 120)


@pytest.fixture(scope="module")
def engine(sql_server: SqlServer, shop: Login) -> Generator[sqlalchemy.Engine]:
    made = sqlalchemy.create_engine("postgresql+psycopg://", creator=lambda: sql_server.connect(shop, autocommit=False))
    yield made
    made.dispose()


def test_sqlalchemy_reflects_tables(engine: sqlalchemy.Engine, shop: Login):
    found = sqlalchemy.inspect(engine)

    assert found.get_schema_names() == [shop.schema, "in.c-shop", "information_schema"]
    assert "prices" in found.get_table_names()
    assert "cheap" in found.get_view_names()
    assert found.get_table_names(schema="in.c-shop") == []
    assert found.get_view_names(schema="in.c-shop") == ["orders"]
    assert [(each["name"], str(each["type"]), each["nullable"]) for each in found.get_columns("prices")] == [
        ("id", "INTEGER", False),
        ("price", "NUMERIC(10, 2)", True),
        ("since", "TIMESTAMP", True),
    ]
    assert found.get_pk_constraint("prices")["constrained_columns"] == ["id"]
    assert found.get_foreign_keys("prices") == []
    assert [each["name"] for each in found.get_columns("orders", schema="in.c-shop")] == ["id", "customer"]


def test_pandas_writes_and_reads_a_frame(engine: sqlalchemy.Engine):
    frame = pd.DataFrame({"number": [1, 2], "text": ["x", None]})

    frame.to_sql("frame", engine, if_exists="replace", index=False)

    assert pd.read_sql("SELECT number * 2 AS twice, text FROM frame ORDER BY 1", engine)["twice"].tolist() == [2, 4]


def test_a_query_that_names_nothing_of_the_catalog_stays_as_it_is(sql_server: SqlServer, shop: Login):
    with sql_server.connect(shop) as client:
        found = client.execute("FROM prices SELECT COLUMNS('^id$'), 'pg_class' AS pg_class, current_date IS NULL")
        rows = found.fetchall()

    assert sorted(rows) == [(1, "pg_class", False), (2, "pg_class", False)]


def test_queries_of_other_tools_are_understood(sql_server: SqlServer, shop: Login):
    with sql_server.connect(shop) as client:
        keys = client.execute(PRIMARY_KEYS, ("prices",)).fetchall()
        keywords = client.execute(
            "SELECT string_agg(word, ',') FROM pg_catalog.pg_get_keywords() WHERE word <> ALL ('{a,abs}'::text[])"
        ).fetchone()
        with pytest.raises(psycopg.errors.UndefinedTable):
            client.execute("SELECT * FROM pg_catalog.pg_nothing")

    assert keys == [(shop.schema, "prices", "id", 1, "prices_pkey")]
    assert "select" in (keywords or [""])[0].split(",")


PRIMARY_KEYS = """
    SELECT result.table_schem, result.table_name, result.column_name, result.key_seq, result.pk_name FROM (
        SELECT n.nspname AS table_schem, ct.relname AS table_name, a.attname AS column_name,
            (information_schema._pg_expandarray(i.indkey)).n AS key_seq, ci.relname AS pk_name,
            information_schema._pg_expandarray(i.indkey) AS keys, a.attnum AS a_attnum
        FROM pg_catalog.pg_class ct JOIN pg_catalog.pg_attribute a ON (ct.oid = a.attrelid)
        JOIN pg_catalog.pg_namespace n ON (ct.relnamespace = n.oid)
        JOIN pg_catalog.pg_index i ON (a.attrelid = i.indrelid)
        JOIN pg_catalog.pg_class ci ON (ci.oid = i.indexrelid)
        WHERE ct.relname = %s AND i.indisprimary) result
    WHERE result.a_attnum = (result.keys).x ORDER BY result.table_name, result.pk_name, result.key_seq
"""
"""As the JDBC driver asks for them, and with it DBeaver and Metabase."""
