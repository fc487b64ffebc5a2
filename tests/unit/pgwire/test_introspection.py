"""What programs ask the catalog for: psql's commands, SQLAlchemy's inspector, recorded queries of other programs."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
from collections.abc import Callable, Generator
from pathlib import Path
from typing import Any

import psycopg
import pytest
import sqlalchemy

from tests.support.postgresql import PostgresServer
from tests.unit.pgwire.sql_server import Login, SqlServer

Client = psycopg.Connection[Any]
QUERIES: dict[str, list[str]] = json.loads(Path(__file__).with_name("introspection.json").read_text())
"""Of programs, as they sent them; `{schema}` and `{table}` stand for the names."""
SHOP = (
    "CREATE TABLE prices (id INTEGER PRIMARY KEY, price NUMERIC(10,2) DEFAULT 3, since TIMESTAMP, name TEXT NOT NULL)",
    "CREATE TABLE orders (id BIGSERIAL PRIMARY KEY, price_id INTEGER REFERENCES prices (id), note TEXT UNIQUE)",
    "CREATE INDEX orders_price_idx ON orders (price_id)",
    "CREATE VIEW cheap AS SELECT id, price FROM prices WHERE price < 5",
    "COMMENT ON TABLE prices IS 'What things cost'",
    "COMMENT ON COLUMN prices.id IS 'Counted'",
    "GRANT SELECT ON prices TO PUBLIC",
)
SAME_ROWS = ("metabase", "pgjdbc", "prisma")
"""Programs whose queries have the rows of PostgreSQL, and not only its columns."""
DIFFERENT = ("oid", "PAGES", "pages", "opclass", "opcdefault")
"""Columns with numbers of objects, sizes, and classes of operators, which only PostgreSQL has."""
SEQUENCE = re.compile(r"(?<=nextval\().*(?=::regclass)")
META = (
    *(
        "d",
        "d prices",
        "d orders",
        "d cheap",
        "d+ prices",
        "d+ cheap",
        "dt",
        "dt+",
        "dv",
        "dv+",
        "di",
        "di+",
        "ds",
        "dm",
    ),
    *(
        "dn",
        "dn+",
        "df",
        "dT",
        "dx",
        "dp",
        "z",
        "ddp",
        "du",
        "dg",
        "l",
        "l+",
        "db",
        "db+",
        "dc",
        "dC",
        "dD",
        "dE",
        "dF",
    ),
    *("dL", "do", "dO", "dP", "drds", "dRp", "dRs", "dy", "dA", "dAc", "dAf", "des", "dew", "det", "deu", "da", "dd"),
    *("dconfig work_mem", "sv cheap", "conninfo", "encoding", "dl", "dX"),
)


@pytest.fixture(scope="module")
def shop(sql_server: SqlServer) -> Login:
    login = sql_server.new_workspace()
    with sql_server.connect(login) as client:
        for each in SHOP:
            client.execute(each.encode())
    return login


@pytest.fixture
def client(sql_server: SqlServer, shop: Login) -> Generator[Client]:
    with sql_server.connect(shop) as connection:
        yield connection


@pytest.fixture(scope="module")
def postgresql(shop: Login) -> Generator[Client]:
    """The same tables in a schema with the same name."""
    server = PostgresServer()
    with psycopg.connect(server.url(), autocommit=True) as connection:
        for each in (f'CREATE SCHEMA "{shop.schema}"', f'SET search_path = "{shop.schema}"', *SHOP):
            connection.execute(each.encode())
        yield connection
    server.close()


@pytest.mark.parametrize(
    "query",
    [
        pytest.param(query, id=f"{name}-{number}")
        for name, queries in QUERIES.items()
        for number, query in enumerate(queries)
    ],
)
def test_a_query_of_a_program_has_the_columns_of_postgresql(
    client: Client, postgresql: Client, shop: Login, query: str
):
    text = query.replace("{schema}", shop.schema).replace("{table}", "orders")
    ours = client.execute(text.replace("{database}", shop.database).encode())
    theirs = postgresql.execute(text.replace("{database}", "postgres").encode())

    assert [each.name for each in ours.description or []] == [each.name for each in theirs.description or []]
    if "{table}" in query:
        # Since PostgreSQL 18, that a column is not null is a constraint, too.
        others = [row for row in theirs.fetchall() if not any(str(each).startswith("NOT NULL ") for each in row)]
        assert len(ours.fetchall()) == len(others)


@pytest.mark.parametrize(
    "query",
    [
        pytest.param(query, id=f"{name}-{number}")
        for name in SAME_ROWS
        for number, query in enumerate(QUERIES[name])
        if "{schema}" in query and "typtype='c' then" not in query  # tables are no types here
    ],
)
def test_a_query_for_tables_columns_and_keys_has_the_rows_of_postgresql(
    client: Client, postgresql: Client, shop: Login, query: str
):
    text = query.replace("{schema}", shop.schema).replace("{table}", "orders").encode()

    assert _show(client, text, shop.user) == _show(postgresql, text, "postgres")


def _show(client: Client, query: bytes, owner: str) -> list[list[str]]:
    """The rows as a program sees them: with any owner, and sequences as the search path shows them. Since PostgreSQL
    18, that a column is not null is a constraint, too."""
    found = client.execute(query)
    names = [each.name for each in found.description or []]
    rows = [[each for name, each in zip(names, row, strict=True) if name not in DIFFERENT] for row in found]
    return sorted(
        [SEQUENCE.sub("", str(each).replace(owner, "owner")) for each in row] for row in rows if "n" not in row
    )


@pytest.mark.parametrize("order", ["ORDER BY ALL", "order by all desc", "GROUP BY ALL ORDER BY ALL"])
def test_the_catalog_is_ordered_by_all_columns(client: Client, shop: Login, order: str):
    tables = f"SELECT table_name FROM information_schema.tables WHERE table_schema = '{shop.schema}'"
    found = [name for (name,) in client.execute(f"{tables} {order}".encode())]

    assert found == sorted(["cheap", "orders", "prices"], reverse="desc" in order)


def test_a_column_with_the_name_all_is_no_keyword(client: Client):
    query = 'SELECT nspname AS other, -oid AS "ALL" FROM pg_namespace ORDER BY "ALL"'

    assert [row[0] for row in client.execute(query.encode())][-1] == "pg_catalog"


def test_psql_has_its_commands(sql_server: SqlServer, shop: Login):
    program = shutil.which("psql")
    if not program:
        pytest.skip("psql is not installed (Debian: postgresql-client)")
    address = f"host=127.0.0.1 port={sql_server.port} user={shop.user} dbname={shop.database} sslmode=disable"
    words = [program, address, "-X", "-v", "ON_ERROR_STOP=1", *(word for each in META for word in ("-c", f"\\{each}"))]
    ended = subprocess.run(words, env={**os.environ, "PGPASSWORD": shop.password}, capture_output=True, text=True)

    assert ended.returncode == 0, ended.stderr
    assert "ERROR" not in ended.stderr
    assert '"orders_price_idx" btree (price_id)' in ended.stdout
    assert "What things cost" in ended.stdout
    assert f"=r/{shop.user}" in ended.stdout


def test_the_inspector_of_sqlalchemy_sees_what_it_sees_in_postgresql(
    sql_server: SqlServer, shop: Login, postgresql: Client
):
    ours = _inspect(lambda: sql_server.connect(shop), shop.schema)
    theirs = _inspect(lambda: psycopg.connect(postgresql.info.dsn), shop.schema)

    assert ours == theirs


def _inspect(connect: Callable[[], Client], schema: str) -> dict[str, Any]:
    engine = sqlalchemy.create_engine("postgresql+psycopg://", creator=connect)
    try:
        return _describe(sqlalchemy.inspect(engine), schema)
    finally:
        engine.dispose()


def _describe(inspector: sqlalchemy.Inspector, schema: str) -> dict[str, Any]:
    """Describe the tables without the names of keys, which differ here, and without defaults that name a sequence."""
    shown: dict[str, Any] = {
        "tables": sorted(inspector.get_table_names(schema)),
        "views": inspector.get_view_names(schema),
        "sequences": inspector.get_sequence_names(schema),
    }
    for table in ("prices", "orders"):
        keys = inspector.get_foreign_keys(table, schema)
        shown[table] = {
            "columns": [
                (each["name"], str(each["type"]), each["nullable"], each.get("autoincrement"), each.get("comment"))
                for each in inspector.get_columns(table, schema)
            ],
            "key": inspector.get_pk_constraint(table, schema)["constrained_columns"],
            "references": [
                (each["constrained_columns"], each["referred_table"], each["referred_columns"]) for each in keys
            ],
            "indexes": [(each["column_names"], each["unique"]) for each in inspector.get_indexes(table, schema)],
            "unique": [each["column_names"] for each in inspector.get_unique_constraints(table, schema)],
            "comment": inspector.get_table_comment(table, schema),
        }
    return shown
