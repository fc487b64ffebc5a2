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


def test_an_error_of_the_database_in_a_translated_statement_has_no_position(bench: Workbench) -> None:
    with pytest.raises(StatementFailed, match="NONSENSE") as raised:
        bench.run("SELECT nvl(1, 2)\n FROM nonsense", dialect="snowflake")

    assert raised.value.position is None
