"""COPY over the connection, by psycopg and by DuckDB."""

from __future__ import annotations

import importlib
import struct
from collections.abc import Generator
from datetime import date
from decimal import Decimal
from pathlib import Path
from typing import Any

import duckdb
import psycopg
import pytest

from tests.unit.pgwire.sql_server import Login, SqlServer

ROWS = [
    (1, "Ada\tLovelace\\", Decimal("1.50"), True, date(2024, 2, 29), [1, 2]),
    (2, None, None, False, None, None),
]
COLUMNS = "id INTEGER, name VARCHAR, price DECIMAL(10,2), flag BOOLEAN, day DATE, numbers INTEGER[]"
TYPES = ["int4", "text", "numeric", "bool", "date", "int4[]"]


@pytest.fixture
def table(client: psycopg.Connection[Any]) -> Generator[psycopg.Connection[Any]]:
    client.execute(f"CREATE OR REPLACE TABLE copied ({COLUMNS})".encode())
    yield client
    client.execute("DROP TABLE IF EXISTS copied")


def read(client: psycopg.Connection[Any]) -> list[Any]:
    return client.execute("SELECT * FROM copied ORDER BY id").fetchall()


@pytest.mark.parametrize("form", ["text", "binary", "csv"])
def test_rows_of_the_client_arrive_and_come_back(table: psycopg.Connection[Any], form: str):
    command = f"COPY copied FROM STDIN (FORMAT {form})"
    with table.cursor() as cursor:
        with cursor.copy(command.encode()) as copy:
            if form == "csv":
                copy.write('1,Ada\tLovelace\\,1.50,t,2024-02-29,"{1,2}"\n2,,,f,,\n')
            else:
                copy.set_types(TYPES)
                for row in ROWS:
                    copy.write_row(row)
        assert cursor.statusmessage == "COPY 2"
        assert read(table) == ROWS

        with cursor.copy(f"COPY (SELECT * FROM copied ORDER BY id) TO STDOUT (FORMAT {form})".encode()) as copy:
            if form == "csv":
                content = b"".join(copy)
                assert content == b'1,Ada\tLovelace\\,1.50,t,2024-02-29,"{1,2}"\n2,,,f,,\n'
            else:
                copy.set_types(TYPES)
                assert list(copy.rows()) == ROWS


def test_a_row_that_is_not_valid_leaves_nothing_of_its_copy(table: psycopg.Connection[Any]):
    with (
        pytest.raises(psycopg.DataError),
        table.cursor() as cursor,
        cursor.copy("COPY copied (id) FROM STDIN") as copy,
    ):
        copy.write("1\n" * 6_000 + "x\n")

    assert read(table) == []
    assert table.info.transaction_status == psycopg.pq.TransactionStatus.IDLE


def test_a_copy_that_the_client_ends_leaves_nothing(table: psycopg.Connection[Any]):
    with table.cursor() as cursor, pytest.raises(ValueError, match="enough"):
        give_up(cursor)

    assert read(table) == []


def give_up(cursor: psycopg.Cursor[Any]) -> None:
    with cursor.copy("COPY copied (id) FROM STDIN") as copy:
        copy.write("1\n")
        raise ValueError("enough")


def test_a_copy_belongs_to_the_open_transaction(table: psycopg.Connection[Any]):
    table.execute("BEGIN")
    with table.cursor() as cursor, cursor.copy("COPY copied (id) FROM STDIN") as copy:
        copy.write("1\n2\n")
    assert len(read(table)) == 2
    table.execute("ROLLBACK")

    assert read(table) == []


def test_data_in_binary_that_is_cut_off_is_refused(table: psycopg.Connection[Any]):
    header = b"PGCOPY\n\xff\r\n\0" + b"\0" * 8
    with (
        pytest.raises(psycopg.DataError, match="does not end"),
        table.cursor() as cursor,
        cursor.copy("COPY copied (id) FROM STDIN (FORMAT binary)") as copy,
    ):
        copy.write(header + struct.pack(">hiih", 1, 4, 7, 1))

    assert read(table) == []


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("[1, NULL, 2]", "{1,NULL,2}"),
        ("[true, false]", "{t,f}"),
        ("[DATE '2024-02-29']", "{2024-02-29}"),
        ("[1.5::DECIMAL(4,2)]", "{1.50}"),
        ("['a b', 'null', '', 'plain', 'x,y']", '{"a b","null","",plain,"x,y"}'),
        ("[TIMESTAMP '2024-02-29 10:00:00']", '{"2024-02-29 10:00:00"}'),
    ],
)
def test_arrays_have_quotes_only_where_they_need_them(client: psycopg.Connection[Any], value: str, text: str):
    with client.cursor() as cursor, cursor.copy(f"COPY (SELECT {value}) TO STDOUT".encode()) as copy:
        assert b"".join(copy).decode() == f"{text}\n"


def test_duckdb_attaches_a_workspace(sql_server: SqlServer, workspace: Login, table: psycopg.Connection[Any]):
    package = importlib.import_module("duckdb_extension_postgres_scanner")
    [file] = Path(package.__path__[0]).rglob("postgres_scanner.duckdb_extension")
    address = f"host=127.0.0.1 port={sql_server.port} user={workspace.user} password={workspace.password}"
    with duckdb.connect(config={"allow_unsigned_extensions": "true"}) as database:
        database.load_extension(str(file))
        database.execute(f"ATTACH '{address} dbname={workspace.database} sslmode=disable' AS shop (TYPE postgres)")
        database.execute(f"USE shop.{workspace.schema}")

        database.execute(
            "INSERT INTO copied VALUES (1, 'Ada', 1.5, true, '2024-02-29', [1, 2]), (2, NULL, NULL, false, NULL, NULL)"
        )
        database.execute("CREATE TABLE copied_again AS SELECT id, name FROM copied")
        joined = database.execute("SELECT copied.name, price FROM copied JOIN copied_again USING (id)").fetchall()
        with pytest.raises(duckdb.Error, match="have no ctid"):
            database.execute("UPDATE copied SET name = 'x'")
        database.execute("DROP TABLE copied_again")

    assert joined == [("Ada", Decimal("1.50")), (None, None)]
    assert [row[5] for row in read(table)] == [[1, 2], None]
