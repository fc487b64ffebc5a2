"""The protocol itself, message by message."""

from __future__ import annotations

import logging
import socket
import struct
from contextlib import suppress

import psycopg
import pytest
from hypothesis import given
from hypothesis import strategies as st

from penstock.pgwire.descriptions import find_query
from penstock.pgwire.errors import ClientError, ProtocolViolation
from penstock.pgwire.parameters import find_types, to_literals
from penstock.pgwire.requests import Bind, parse_request, parse_startup
from penstock.pgwire.running import to_fields
from penstock.pgwire.statements import split_query
from penstock.pgwire.types import ARRAYS, ENGINE_TYPES
from penstock.sql import ResultColumn
from tests.support.examples import examples
from tests.unit.pgwire.raw_client import SSL_REQUEST, RawClient, code_of, message, startup
from tests.unit.pgwire.sql_server import OTHER_PROGRAM, Login, SqlServer

pytestmark = pytest.mark.fuzz

KINDS = st.sampled_from([bytes([number]) for number in b"QPBDECpHSXdcfFRZ\0\xff"])


@examples(400)
@given(KINDS, st.binary(max_size=200))
def test_any_message_is_parsed_or_refused(kind: bytes, content: bytes):
    with suppress(ProtocolViolation):
        parse_request(kind, content)


@examples(200)
@given(st.binary(max_size=200))
def test_any_startup_message_is_parsed_or_refused(content: bytes):
    with suppress(ProtocolViolation):
        parse_startup(content)


@examples(400)
@given(st.sampled_from([*ENGINE_TYPES, *ARRAYS, 1700, 25, 0, 99999]), st.sampled_from([0, 1]), st.binary(max_size=64))
def test_any_value_of_a_parameter_is_sql_or_refused(oid: int, form: int, value: bytes):
    with suppress(ClientError):
        (literal,) = to_literals(Bind("", "", [form], [value], []), [oid])
        # It is a value and nothing more: what follows is not in its quotes, and no parameter of the statement is.
        (statement,) = split_query(f"SELECT {literal}, $1")
        assert statement.highest_parameter == 1
        assert len(statement.parameters) == 1


@examples(400)
@given(st.text(alphabet="'\"$;-/*\\aE1 \n", max_size=40))
def test_texts_are_split_without_losing_anything(text: str):
    found = list(split_query(text))

    assert all(text[each.start : each.start + len(each.text)] == each.text for each in found)
    names = [f"${number + 1}" for number in range(11)]
    assert all(each.with_values(names) == each.text for each in found if each.highest_parameter <= len(names))


@pytest.mark.parametrize(
    ("text", "statements"),
    [
        ("SELECT 1; SELECT 2;", ["SELECT 1", "SELECT 2"]),
        ("SELECT ';' -- ;\n; /* ; /* ; */ ; */ SELECT $$;$$, $a$;$$;$a$", ["SELECT ';'", "SELECT $$;$$, $a$;$$;$a$"]),
        ("SELECT E'\\';', \";\"", ["SELECT E'\\';', \";\""]),
        (" ; -- nothing\n;", []),
        ("SELECT 'no end ; ", ["SELECT 'no end ; "]),
    ],
)
def test_statements_end_at_semicolons_outside_of_quotes_and_comments(text: str, statements: list[str]):
    assert [each.text for each in split_query(text)] == statements


def test_parameters_are_replaced_outside_of_quotes_only():
    (statement,) = split_query("SELECT $1, '$1', \"$1\", $2::int, a$1, $$ $1 $$ LIMIT $3 -- $1")

    assert statement.with_values(["'x'", "2", "3"]) == "SELECT 'x', '$1', \"$1\", 2::int, a$1, $$ $1 $$ LIMIT 3"
    assert find_types(statement, []) == [25, 23, 20]
    assert find_types(statement, [1043]) == [1043, 23, 20]


@pytest.mark.parametrize(
    "first",
    [
        b"GET / HTTP/1.1\r\nHost: a\r\n\r\n",
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + b"a" * 600,
        struct.pack(">II", 4, 3 << 16),
        struct.pack(">II", 2**31, 3 << 16),
        struct.pack(">II", 8, 2 << 16),
        struct.pack(">II", 9, 3 << 16) + b"a",
        struct.pack(">II", 16, 80877102) + b"12345678",
        startup(user="a", replication="true") + message(b"p", b"x\0"),
        startup(user="a") + message(b"Q", b"SELECT 1\0"),
        startup(user="a") + b"p" + struct.pack(">I", 2**31),
        SSL_REQUEST + SSL_REQUEST + SSL_REQUEST,
    ],
)
def test_whatever_is_not_a_login_ends_the_connection(
    sql_server: SqlServer, first: bytes, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
):
    monkeypatch.setattr("penstock.pgwire.listener.FAILED_SECONDS", 0.0)
    with caplog.at_level(logging.ERROR), RawClient(sql_server) as client:
        client.send(first)
        client.line.shutdown(socket.SHUT_WR)
        while client.line.recv(1000):
            pass

    assert not caplog.records


@examples(30)
@given(st.lists(st.tuples(KINDS, st.binary(max_size=30)), max_size=5))
def test_any_message_after_the_login_is_answered_or_ends_the_connection(
    sql_server: SqlServer, workspace: Login, sent: list[tuple[bytes, bytes]]
):
    with RawClient(sql_server) as client:
        client.log_in(workspace)
        client.send(b"".join(message(*each) for each in sent) + message(b"S") + message(b"X"))
        found = list(client.messages())

    assert all(kind in b"123tTnCDIEZsSN" for kind, _ in found)
    assert not any(b"no fault of yours" in content for _, content in found)


def test_bytes_before_tls_do_not_count_as_those_of_the_client(sql_server: SqlServer, workspace: Login):
    with RawClient(sql_server) as client:
        client.send(SSL_REQUEST + startup(user=workspace.user) + message(b"p", workspace.password.encode() + b"\0"))

        assert client.line.recv(1) == b"S"
        assert b"R" not in client.line.recv(1)


def test_an_error_skips_what_follows_until_sync(sql_server: SqlServer, workspace: Login):
    with RawClient(sql_server) as client:
        client.log_in(workspace)
        broken = message(b"B", b"\0missing\0" + b"\0" * 6)
        client.send(broken + message(b"E", b"\0" + b"\0" * 4) + message(b"S") + message(b"Q", b"SELECT 1\0"))

        assert [kind for kind, _ in client.until_ready()] == [b"E", b"Z"]
        assert [kind for kind, _ in client.until_ready()] == [b"T", b"D", b"C", b"Z"]


def test_a_portal_is_read_in_parts(sql_server: SqlServer, workspace: Login):
    def execute(rows: int) -> bytes:
        return message(b"E", b"p\0" + struct.pack(">i", rows))

    with RawClient(sql_server) as client:
        client.log_in(workspace)
        client.send(message(b"Q", b"BEGIN\0"))
        client.until_ready()
        client.send(message(b"P", b"\0SELECT * FROM range(5)\0\0\0") + message(b"B", b"p\0\0" + b"\0" * 6))
        client.send(execute(2) + message(b"S") + execute(2) + message(b"S") + execute(9) + message(b"S"))

        assert [kind for kind, _ in client.until_ready()] == [b"1", b"2", b"D", b"D", b"s", b"Z"]
        assert [kind for kind, _ in client.until_ready()] == [b"D", b"D", b"s", b"Z"]
        assert [kind for kind, _ in client.until_ready()] == [b"D", b"C", b"Z"]


def test_several_statements_in_one_query_stop_at_the_first_error(sql_server: SqlServer, workspace: Login):
    with RawClient(sql_server) as client:
        client.log_in(workspace)
        client.send(message(b"Q", b"SELECT 1; SELEC 2; SELECT 3\0"))
        found = client.until_ready()

        assert [kind for kind, _ in found] == [b"T", b"D", b"C", b"E", b"Z"]
        assert code_of(found[3][1]) == "42601"
        assert b"P11\0" in found[3][1]


def test_prepared_statements_are_deallocated(sql_server: SqlServer, workspace: Login):
    with sql_server.connect(workspace) as client:

        def prepare(name: str) -> bool:
            return client.pgconn.prepare(name.encode(), b"SELECT 1").status == psycopg.pq.ExecStatus.COMMAND_OK

        assert prepare("one")
        assert prepare("Other")
        assert not prepare("one")
        assert client.execute("DEALLOCATE PREPARE One").statusmessage == "DEALLOCATE"
        assert prepare("one")
        assert not prepare("Other")
        client.execute('DEALLOCATE "Other"')
        assert prepare("Other")
        assert client.execute("DEALLOCATE ALL").statusmessage == "DEALLOCATE ALL"
        assert prepare("one")
        assert prepare("Other")
        with pytest.raises(psycopg.errors.InvalidSqlStatementName):
            client.execute("DEALLOCATE missing")


def test_discard_leaves_a_connection_as_it_began(sql_server: SqlServer, workspace: Login):
    with sql_server.connect(workspace) as client:
        client.pgconn.prepare(b"one", b"SELECT 1")
        client.execute("SET statement_timeout = '9s'")
        client.execute("SET application_name = 'other'")
        client.execute("CREATE TEMP TABLE mine (id INTEGER)")
        assert client.execute("DISCARD PLANS").statusmessage == "DISCARD PLANS"
        client.execute("SELECT * FROM mine")
        with pytest.raises(psycopg.errors.ActiveSqlTransaction), client.transaction():
            client.execute("DISCARD ALL")

        assert client.execute("DISCARD ALL").statusmessage == "DISCARD ALL"

        assert client.pgconn.prepare(b"one", b"SELECT 1").status == psycopg.pq.ExecStatus.COMMAND_OK
        assert client.execute("SHOW statement_timeout").fetchone() == ("0",)
        assert client.info.parameter_status("application_name") == OTHER_PROGRAM
        with pytest.raises(psycopg.errors.UndefinedTable):
            client.execute("SELECT * FROM mine")


def test_more_parameters_than_can_be_counted_are_refused(sql_server: SqlServer, workspace: Login):
    with RawClient(sql_server) as client:
        client.log_in(workspace)
        client.send(message(b"P", b"\0SELECT $70000\0\0\0") + message(b"D", b"S\0") + message(b"S"))
        found = client.until_ready()

        assert [kind for kind, _ in found] == [b"E", b"Z"]
        assert code_of(found[0][1]) == "54000"


def test_more_columns_than_can_be_counted_are_refused():
    with pytest.raises(ClientError) as caught:
        to_fields([ResultColumn("a", "VARCHAR")] * 65_536)

    assert caught.value.sqlstate == "54000"


def test_a_statement_may_have_40000_parameters():
    values = struct.pack(">H", 40_000) + struct.pack(">i", -1) * 40_000
    bind = parse_request(b"B", b"\0\0\0\0" + values + b"\0\0")

    assert isinstance(bind, Bind)
    assert bind.values == [None] * 40_000


@pytest.mark.parametrize(
    ("sql", "described"),
    [
        ("INSERT INTO t VALUES ('returning soon')", None),
        ("INSERT INTO t VALUES ('a') -- returning 1", None),
        ('INSERT INTO t SELECT 1 AS "returning" FROM (SELECT 1 AS a) b', None),
        (
            "INSERT INTO s.\"T x\" AS a VALUES ('returning') RETURNING a.id, 'b'",
            " SELECT  a.id, 'b' FROM s.\"T x\" AS a",
        ),
        ("INSERT /* x */ OR REPLACE INTO t VALUES (1) RETURNING *", " SELECT  * FROM t"),
        ("UPDATE t SET a = 'returning' RETURNING id", " SELECT  id FROM t"),
        ("DELETE FROM t RETURNING (SELECT 1)", " SELECT  (SELECT 1) FROM t"),
        ("WITH a AS (SELECT 1) INSERT INTO t SELECT * FROM a", None),
        ("WITH a(b) AS (SELECT 1) DELETE FROM t RETURNING id", "WITH a(b) AS (SELECT 1)  SELECT  id FROM t"),
        ("WITH update AS (SELECT 1) SELECT * FROM update", "WITH update AS (SELECT 1) SELECT * FROM update"),
        ("CREATE TABLE t AS SELECT 1", None),
    ],
)
def test_the_columns_of_a_change_are_those_after_returning(sql: str, described: str | None):
    (statement,) = split_query(sql)

    assert find_query(statement, statement.text) == described


def test_values_of_parameters_do_not_count_as_a_clause():
    (statement,) = split_query("UPDATE t SET a = $1 RETURNING id, $2")

    assert find_query(statement, statement.with_values(["'returning soon'", "2"])) == " SELECT  id, 2 FROM t"


def test_changes_are_described_before_they_run(sql_server: SqlServer, workspace: Login):
    def describe(client: RawClient, sql: bytes) -> list[tuple[bytes, bytes]]:
        client.send(message(b"P", b"\0" + sql + b"\0\0\0") + message(b"D", b"S\0") + message(b"S"))
        return client.until_ready()[1:-1]

    with RawClient(sql_server) as client:
        client.log_in(workspace)
        client.send(message(b"Q", b"CREATE OR REPLACE TABLE texts (text VARCHAR)\0"))
        client.until_ready()
        nothing = describe(client, b"INSERT INTO texts VALUES ('returning soon')")
        columns = describe(client, b"WITH a AS (SELECT $1 AS b) INSERT INTO texts SELECT b FROM a RETURNING text")

    assert nothing == [(b"t", b"\0\0"), (b"n", b"")]
    assert columns[-1][0] == b"T"
    assert columns[-1][1].startswith(b"\0\1text\0")
