"""Tables and columns that do not exist: the words, codes and places are those of Snowflake."""

from __future__ import annotations

import duckdb
import pytest

from penstock.sql.dialect import SqlError, explain_failure, translate
from tests.unit.sql.dialect.session import DATABASE, SCHEMA, Session


@pytest.fixture(scope="module")
def session() -> Session:
    return Session()


def fail(session: Session, sql: str) -> SqlError:
    [statement] = translate(sql, database=DATABASE, schema=SCHEMA)
    with pytest.raises(duckdb.Error) as raised:
        session.run(sql)
    error = explain_failure(str(raised.value), sql, statement.sql)
    assert error, str(raised.value)
    return error


@pytest.mark.parametrize(
    ("sql", "name", "position"),
    [
        ("SELECT * FROM nope", "NOPE", 14),
        ('SELECT * FROM "nope"', '"nope"', 14),
        ("SELECT * FROM KBC_1.WORKSPACE_5.nope", "KBC_1.WORKSPACE_5.NOPE", 14),
        ('SELECT 1 FROM t JOIN "KBC_1"."in.c-main"."nope" n ON TRUE', 'KBC_1."in.c-main"."nope"', 21),
        ('SELECT * FROM "in.c-other"."orders"', '"in.c-other"."orders"', 14),
        ("SELECT * FROM other.public.nope", "OTHER.PUBLIC.NOPE", 14),
        ("INSERT INTO nope VALUES (1)", "NOPE", 12),
        ("UPDATE nope SET a = 1", "NOPE", 7),
        ("DELETE FROM nope", "NOPE", 12),
        ("CREATE TABLE made AS SELECT nvl(id, 0) FROM nope", "NOPE", 44),
        ("WITH a AS (SELECT 1 AS nope) SELECT a.nope FROM a, nope", "NOPE", 51),
    ],
)
def test_a_table_that_does_not_exist(session: Session, sql: str, name: str, position: int) -> None:
    error = fail(session, sql)

    assert str(error) == f"SQL compilation error:\nObject '{name}' does not exist or not authorized."
    assert (error.number, error.sql_state) == ("002003", "42S02")
    assert (error.line, error.position) == (1, position)


@pytest.mark.parametrize(("sql", "kind"), [("DROP TABLE nope", "Table"), ("DROP VIEW nope", "View")])
def test_a_definition_names_what_is_missing(session: Session, sql: str, kind: str) -> None:
    assert str(fail(session, sql)).endswith(f"\n{kind} 'NOPE' does not exist or not authorized.")


@pytest.mark.parametrize(
    ("sql", "name", "position"),
    [
        ("SELECT nope FROM t", "NOPE", 7),
        ('SELECT "nope" FROM t', '"nope"', 7),
        ("SELECT id, t.nope FROM t", "T.NOPE", 11),
        ("SELECT other.id FROM t", "OTHER.ID", 7),
        ("SELECT nvl(nope, 1) FROM t", "NOPE", 11),
        ("SELECT nope::INT FROM t", "NOPE", 7),
        ("SELECT 'nope', 1 /* nope */ FROM t WHERE nope = 1", "NOPE", 41),
        ("SELECT a.id FROM t a JOIN t b ON a.id = b.nope", "B.NOPE", 40),
        ("SELECT nope FROM (SELECT 1 AS nope) x JOIN t ON t.nope = 1", "T.NOPE", 48),
        ("SELECT (SELECT MAX(nope) FROM (SELECT 1 AS nope)), nope FROM t", "NOPE", 51),
        ("INSERT INTO t (nope) VALUES (1)", "NOPE", 15),
        ("UPDATE t SET nope = 1", "NOPE", 13),
        ("SELECT nope", "NOPE", 7),
        ("SELECT COUNT(*) FROM t GROUP BY nope", "NOPE", 32),
        ("SELECT x.nope FROM (SELECT 1 AS n) x", "X.NOPE", 7),
    ],
)
def test_a_column_that_does_not_exist(session: Session, sql: str, name: str, position: int) -> None:
    error = fail(session, sql)

    assert str(error) == (f"SQL compilation error: error line 1 at position {position}\ninvalid identifier '{name}'")
    assert (error.number, error.sql_state) == ("000904", "42000")


def test_the_line_is_that_of_the_statement_as_written(session: Session) -> None:
    error = fail(session, "-- nope\nSELECT id,\n  NOPE\nFROM t")

    assert (error.line, error.position) == (3, 2)


def test_a_table_that_only_a_view_names_has_no_place(session: Session) -> None:
    session.run("CREATE TABLE gone AS SELECT 1 AS n; CREATE VIEW seen AS SELECT * FROM gone; DROP TABLE gone")
    error = fail(session, "SELECT * FROM seen")

    assert str(error).endswith("\nObject 'GONE' does not exist or not authorized.")
    assert error.line is None


def test_other_errors_keep_their_words() -> None:
    assert explain_failure("Conversion Error: Could not convert string 'a' to INT32", "SELECT 1", "SELECT 1") is None
