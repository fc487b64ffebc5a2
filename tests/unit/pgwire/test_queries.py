"""Statements through psycopg, which uses the extended protocol."""

from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta
from decimal import Decimal
from typing import Any
from uuid import UUID

import psycopg
import pytest

from tests.unit.pgwire.sql_server import Login, SqlServer

Client = psycopg.Connection[Any]
VALUES = [
    (True, "BOOLEAN"),
    (-5, "SMALLINT"),
    (2**40, "BIGINT"),
    (1.5, "DOUBLE"),
    (float("-inf"), "DOUBLE"),
    (Decimal("-12345.6700"), "DECIMAL(18,4)"),
    (Decimal("0.0001"), "DECIMAL(18,4)"),
    (Decimal("170141183460469231731687303715884105727"), "HUGEINT"),
    ("it's; a $1 'text' ☂", "VARCHAR"),
    (b"\x00\\ab\xff", "BLOB"),
    (date(1969, 12, 31), "DATE"),
    (time(23, 59, 59, 999_999), "TIME"),
    (datetime(1999, 12, 31, 23, 59, 59, 1), "TIMESTAMP"),
    (datetime(2024, 2, 29, 12, tzinfo=UTC), "TIMESTAMPTZ"),
    (timedelta(days=400, hours=-3, microseconds=5), "INTERVAL"),
    (UUID("12345678-1234-5678-1234-567812345678"), "UUID"),
]


@pytest.mark.parametrize("is_binary", [False, True], ids=["text", "binary"])
@pytest.mark.parametrize("placeholder", ["%t", "%b"], ids=["as text", "as binary"])
def test_values_keep_their_types_in_both_formats(client: Client, placeholder: str, is_binary: bool):
    casts = ", ".join(f"{placeholder}::{kind}" for _, kind in VALUES)
    wanted = tuple(value for value, _ in VALUES)

    found = client.execute(f"SELECT {casts}".encode(), wanted, binary=is_binary).fetchone()

    assert found == wanted
    assert found is not None
    assert [type(each) for each in found] == [type(each) for each in wanted]


@pytest.mark.parametrize("is_binary", [False, True])
def test_null_is_null_in_every_type(client: Client, is_binary: bool):
    nulls = ", ".join(f"NULL::{kind}" for _, kind in VALUES)

    assert client.execute(f"SELECT {nulls}".encode(), binary=is_binary).fetchone() == (None,) * len(VALUES)


def test_a_list_is_a_parameter(client: Client):
    query = "SELECT range FROM range(5) WHERE range = ANY(%s) ORDER BY 1"

    assert client.execute(query, ([1, 3, 9],)).fetchall() == [(1,), (3,)]
    texts = ["x", 'a,"b', None]
    assert client.execute("SELECT unnest(%s)", (texts,)).fetchall() == [(each,) for each in texts]


@pytest.mark.parametrize("is_binary", [False, True])
def test_lists_are_arrays(client: Client, is_binary: bool):
    query = """SELECT [1, NULL, 3], ['a, b', 'it''s', NULL, 'NULL', '', 'q"\\'], []::DATE[], [1.5, 2.25], [{'a': 1}]"""

    found = client.execute(query, binary=is_binary).fetchone()

    texts = ["a, b", "it's", None, "NULL", "", 'q"\\']
    assert found == ([1, None, 3], texts, [], [Decimal("1.50"), Decimal("2.25")], "[{'a': 1}]")


def test_columns_have_names_types_and_precision(client: Client):
    described = client.execute("SELECT 1 AS number, 'a' AS text, 1.25::DECIMAL(10,2) AS price").description or []

    assert [(each.name, each.type_display, each.precision, each.scale) for each in described] == [
        ("number", "int4", None, None),
        ("text", "text", None, None),
        ("price", "numeric(10,2)", 10, 2),
    ]


def test_tables_of_the_project_are_read(client: Client):
    assert client.execute('SELECT * FROM "in.c-shop".orders ORDER BY id').fetchall() == [("1", "Ada"), ("2", "Bob")]


def test_a_large_result_comes_in_pages(client: Client):
    rows = client.execute("SELECT range, 'row ' || range FROM range(25000)").fetchall()

    assert len(rows) == 25_000
    assert rows[-1] == (24_999, "row 24999")


def test_changes_say_how_many_rows_they_changed(client: Client):
    client.execute("CREATE OR REPLACE TABLE counted (id INTEGER, name VARCHAR)")

    added = client.execute("INSERT INTO counted VALUES (1, 'a'), (2, 'b')")
    assert (added.statusmessage, added.rowcount) == ("INSERT 0 2", 2)
    assert client.execute("UPDATE counted SET name = %s WHERE id = %s", ("c", 2)).rowcount == 1
    returned = client.execute("DELETE FROM counted RETURNING id, name")
    assert sorted(returned.fetchall()) == [(1, "a"), (2, "c")]


def test_changes_after_with_are_counted(client: Client):
    client.execute("CREATE OR REPLACE TABLE texts (text VARCHAR)")

    added = client.execute("WITH a AS (SELECT 'returning soon' AS b) INSERT INTO texts SELECT b FROM a")

    assert added.statusmessage == "INSERT 0 1"


def test_a_transaction_is_rolled_back(client: Client):
    client.execute("CREATE OR REPLACE TABLE undone (id INTEGER)")

    with client.transaction(force_rollback=True):
        client.execute("INSERT INTO undone VALUES (1)")
        assert client.execute("SELECT count(*) FROM undone").fetchone() == (1,)

    assert client.execute("SELECT count(*) FROM undone").fetchone() == (0,)


def test_a_transaction_that_failed_runs_nothing_more(client: Client):
    client.execute("BEGIN")
    with pytest.raises(psycopg.errors.UndefinedTable):
        client.execute("SELECT * FROM missing")

    with pytest.raises(psycopg.errors.InFailedSqlTransaction):
        client.execute("SELECT 1")
    assert client.execute("COMMIT").statusmessage == "ROLLBACK"
    assert client.execute("SELECT 1").fetchone() == (1,)


def test_a_read_only_transaction_changes_nothing(client: Client):
    client.execute("CREATE OR REPLACE TABLE kept (id INTEGER)")

    client.execute("BEGIN READ ONLY")
    with pytest.raises(psycopg.errors.ReadOnlySqlTransaction):
        client.execute("INSERT INTO kept VALUES (1)")
    client.execute("ROLLBACK")

    client.execute("SET SESSION CHARACTERISTICS AS TRANSACTION READ ONLY")
    with pytest.raises(psycopg.errors.ReadOnlySqlTransaction):
        client.execute("DROP TABLE kept")


def test_a_workspace_for_readers_changes_nothing(sql_server: SqlServer):
    with sql_server.connect(sql_server.new_workspace(useCase="reader")) as client:
        with pytest.raises(psycopg.errors.ReadOnlySqlTransaction):
            client.execute("CREATE TABLE mine (id INTEGER)")
        assert client.execute('SELECT count(*) FROM "in.c-shop".orders').fetchone() == (2,)


@pytest.mark.parametrize(
    ("sql", "error", "position"),
    [
        ("SELECT 1 FRO x", psycopg.errors.SyntaxError, "14"),
        ("SELECT 1,\n  2 FRO x", psycopg.errors.SyntaxError, "19"),
        ("SELECT nope FROM range(3)", psycopg.errors.UndefinedColumn, None),
        ("SELECT nope(1)", psycopg.errors.UndefinedFunction, None),
        ("SELECT 'a'::INTEGER", psycopg.errors.InvalidTextRepresentation, None),
        ('SELECT * FROM "in.c-shop".missing', psycopg.errors.UndefinedTable, None),
        ("COPY (SELECT 1) TO '/tmp/stolen'", psycopg.errors.FeatureNotSupported, None),
        ("ROLLBACK TO a", psycopg.errors.FeatureNotSupported, None),
    ],
)
def test_errors_have_a_code_and_a_position(client: Client, sql: str, error: type[Exception], position: str | None):
    with pytest.raises(psycopg.Error) as caught:
        client.execute(sql.encode())

    assert type(caught.value) is error
    if position:
        assert caught.value.diag.statement_position == position
        assert "LINE" not in (caught.value.diag.message_primary or "")
    assert client.execute("SELECT 1").fetchone() == (1,)


def test_a_prepared_statement_is_used_again(client: Client):
    found = [client.execute("SELECT %s::INTEGER * 2", (each,), prepare=True).fetchone() for each in range(5)]

    assert found == [(0,), (2,), (4,), (6,), (8,)]


def test_many_statements_are_sent_before_the_first_answer(client: Client):
    with client.pipeline():
        cursors = [client.execute("SELECT %s::INTEGER", (number,)) for number in range(5)]

    assert [each.fetchone() for each in cursors] == [(number,) for number in range(5)]


def test_a_session_keeps_temporary_tables_to_itself(sql_server: SqlServer, workspace: Login, client: Client):
    client.execute("CREATE TEMP TABLE mine AS SELECT 1 AS id")

    assert client.execute("SELECT id FROM mine").fetchone() == (1,)
    with sql_server.connect(workspace) as other, pytest.raises(psycopg.errors.UndefinedTable):
        other.execute("SELECT id FROM mine")
