"""SQL of Snowflake through an engine process."""

from __future__ import annotations

import pytest

from penstock.sql import StatementFailed
from penstock.sql.errors import Position
from tests.unit.sql.workbench import Workbench


def test_a_statement_of_snowflake_reads_a_table_of_the_project(bench: Workbench) -> None:
    bench.load("orders", [["id", "name"], ["1", "Ann"]])

    outcome = bench.run('select count(*) as row_count from "KBC_1"."in.c-main"."orders"', dialect="snowflake")

    assert [column.name for column in outcome.columns] == ["ROW_COUNT"]
    assert bench.page().rows == [["1"]]


def test_show_and_the_names_of_the_session(bench: Workbench) -> None:
    bench.load("orders", [["id", "name"], ["1", "Ann"]])
    tables = bench.rows("show terse tables", dialect="snowflake")

    assert ["orders", "TABLE", "KBC_1", "in.c-main"] in [row[1:] for row in tables]
    assert bench.rows("select current_schema()", dialect="snowflake") == [[bench.workspace.schema]]


def test_an_error_has_the_words_of_snowflake_and_a_position(bench: Workbench) -> None:
    with pytest.raises(StatementFailed) as raised:
        bench.run("INVALID SQL", dialect="snowflake")

    assert str(raised.value) == "SQL compilation error:\nsyntax error line 1 at position 0 unexpected 'INVALID'."
    assert raised.value.position == Position(1, 1)


def test_a_table_and_a_column_that_do_not_exist_have_the_words_of_snowflake(bench: Workbench) -> None:
    bench.run("CREATE OR REPLACE TABLE there AS SELECT 1 AS n", dialect="snowflake")

    with pytest.raises(StatementFailed) as table:
        bench.run("SELECT nvl(1, 2)\n FROM nonsense", dialect="snowflake")
    with pytest.raises(StatementFailed) as column:
        bench.run("SELECT nvl(n, 2),\n  t.nonsense FROM there t", dialect="snowflake")

    assert str(table.value) == "SQL compilation error:\nObject 'NONSENSE' does not exist or not authorized."
    assert (table.value.position, table.value.error_code) == (Position(2, 7), "002003")
    assert str(column.value) == ("SQL compilation error: error line 2 at position 2\ninvalid identifier 'T.NONSENSE'")
    assert (column.value.position, column.value.sql_state) == (Position(2, 3), "42000")


def test_a_statement_of_duckdb_has_the_words_of_duckdb(bench: Workbench) -> None:
    with pytest.raises(StatementFailed, match="Catalog Error: Table with name nonsense") as raised:
        bench.run("SELECT * FROM nonsense", dialect="duckdb")

    assert (raised.value.position, raised.value.error_code) == (Position(1, 15), "")


def test_other_errors_of_the_database_in_a_translated_statement_have_no_position(bench: Workbench) -> None:
    with pytest.raises(StatementFailed, match="Cannot mix values") as raised:
        bench.run("SELECT nvl('a'::DATE, 2)", dialect="snowflake")

    assert raised.value.position is None


def test_a_variable_that_was_never_set_fails_the_statement_that_reads_it(bench: Workbench) -> None:
    bench.run("CREATE OR REPLACE TABLE kept AS SELECT 1 AS n", dialect="snowflake")
    bench.run("SET lmt = 0", dialect="snowflake", session_id="variables")

    with pytest.raises(StatementFailed) as raised:
        bench.run("DELETE FROM kept\nWHERE n <= $lmi", dialect="snowflake", session_id="variables")

    assert str(raised.value).endswith("error line 2 at position 11\nSession variable '$LMI' does not exist")
    assert raised.value.position == Position(2, 12)
    assert (raised.value.error_code, raised.value.sql_state) == ("002211", "02000")
    assert bench.rows("SELECT COUNT(*) FROM kept WHERE n > $lmt", dialect="snowflake", session_id="variables") == [
        ["1"]
    ]


def test_a_variable_may_be_set_to_null_in_the_other_dialect_and_unset(bench: Workbench) -> None:
    session = {"dialect": "snowflake", "session_id": "nulls"}
    bench.run("SET VARIABLE other = 2", dialect="duckdb", session_id="nulls")
    bench.run("SET nothing = (SELECT MAX(1) WHERE FALSE)", **session)

    assert bench.rows("SELECT $nothing, $other", **session) == [[None, "2"]]
    bench.run("UNSET nothing", **session)
    with pytest.raises(StatementFailed, match="'\\$NOTHING' does not exist"):
        bench.run("SELECT $nothing", **session)


def test_a_rollback_works_where_variables_cannot_be_read(bench: Workbench) -> None:
    session = {"dialect": "snowflake", "session_id": "aborted"}
    bench.run("BEGIN", **session)
    with pytest.raises(StatementFailed):
        bench.run("SELECT 1 / 0", **session)
    with pytest.raises(StatementFailed, match="aborted"):
        bench.run("SELECT $never", **session)

    bench.run("ROLLBACK", **session)
    assert bench.rows("SELECT 1", **session) == [["1"]]
