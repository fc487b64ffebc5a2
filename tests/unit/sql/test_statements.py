from __future__ import annotations

import threading
import time

import pytest

from penstock.sql import ResultGone, SessionGone, StatementCanceled, StatementFailed, StatementTimedOut
from penstock.sql.errors import Position
from penstock.sql.folders import folder_of
from tests.support.patience import PATIENCE
from tests.support.stacks import wait_for
from tests.unit.sql.workbench import Workbench

ENDLESS = "SELECT count(*) FROM range(10000000) AS a, range(10000000) AS b"


def test_a_query_returns_its_columns_and_rows(bench: Workbench) -> None:
    outcome = bench.run("SELECT 1 AS a, 'x' AS b UNION ALL SELECT NULL, 'y' ORDER BY b")

    assert [(column.name, column.type) for column in outcome.columns] == [("a", "INTEGER"), ("b", "VARCHAR")]
    assert outcome.number_of_rows == 2
    assert bench.page().rows == [["1", "x"], [None, "y"]]


def test_a_result_is_read_in_pages(bench: Workbench) -> None:
    bench.run("SELECT range FROM range(25) ORDER BY range DESC")

    assert [row[0] for row in bench.page(offset=20, limit=10).rows] == ["4", "3", "2", "1", "0"]
    assert bench.page(offset=25).rows == []
    assert bench.page(offset=5, limit=1).number_of_rows == 25


def test_columns_with_the_same_name_and_large_numbers_stay_as_they_are(bench: Workbench) -> None:
    large = "170141183460469231731687303715884105727"

    assert bench.rows(f"SELECT sum(x) AS a, {large}::HUGEINT AS a FROM (VALUES (9007199254740993)) AS t(x)") == [
        ["9007199254740993", large]
    ]


def test_changes_count_the_rows(bench: Workbench) -> None:
    created = bench.run("CREATE TABLE counted AS SELECT range AS a FROM range(10)")
    deleted = bench.run("DELETE FROM counted WHERE a < 3;")

    assert (created.rows_affected, created.columns) == (10, [])
    assert (deleted.rows_affected, deleted.message) == (3, "3 rows affected")
    assert bench.page().rows == []


def test_changed_rows_can_be_returned(bench: Workbench) -> None:
    bench.run("CREATE TABLE returned(a INTEGER)")

    assert bench.rows("INSERT INTO returned VALUES (1), (2) RETURNING a * 2 AS b") == [["2"], ["4"]]


@pytest.mark.parametrize(
    "sql", ["SHOW TABLES", "DESCRIBE SELECT 1", "EXPLAIN SELECT 1", "PIVOT (SELECT 1 AS a) ON a USING sum(a)"]
)
def test_statements_that_describe_return_rows(bench: Workbench, sql: str) -> None:
    bench.run("CREATE TABLE IF NOT EXISTS shown(a INTEGER)")

    assert bench.run(sql).number_of_rows > 0
    assert bench.page().rows


def test_an_error_has_its_position(bench: Workbench) -> None:
    with pytest.raises(StatementFailed, match="syntax error") as caught:
        bench.run("SELECT 1,\n  2 FROM FROM x")

    assert caught.value.position == Position(2, 10)


NUMBERS = ", ".join(f"{number} AS n{number}" for number in range(60))


@pytest.mark.parametrize(
    "before",
    [
        f"SELECT {NUMBERS}, ",
        f"SELECT 1,\n  2,\n{NUMBERS}, ",
        "SELECT\t1,\n\t\t2,\t",
        "SELECT 'é日本', ",
    ],
)
@pytest.mark.parametrize("after", ["", f", {NUMBERS}", f"\n, {NUMBERS}"])
def test_the_position_is_that_in_the_line_however_long_and_wide_it_is(
    bench: Workbench, before: str, after: str
) -> None:
    with pytest.raises(StatementFailed, match="nope") as caught:
        bench.run(f"CREATE TABLE never AS\n{before}nope{after}")

    lines = f"\n{before}".split("\n")
    assert caught.value.position == Position(len(lines), len(lines[-1]) + 1)


def test_a_place_that_is_more_than_once_in_a_long_line_has_no_position(bench: Workbench) -> None:
    same = f"{'1, ' * 200}nope, {'1, ' * 200}1"
    with pytest.raises(StatementFailed, match="nope") as caught:
        bench.run(f"CREATE TABLE never AS SELECT {same} UNION ALL SELECT {same}")

    assert caught.value.position is None


@pytest.mark.parametrize(
    ("sql", "message"),
    [
        ("", "is empty"),
        (" -- nothing", "is empty"),
        ("SELECT 1; SELECT 2", "one statement at a time"),
        ("COPY (SELECT 1) TO 'x'", "COPY is not available"),
        ("EXPLAIN ANALYZE COPY (SELECT 1) TO 'results/x'", "COPY is not available"),
        ("CREATE SCHEMA other", 'Only the schema "WORKSPACE_'),
        ("CREATE TABLE main.other(a INTEGER)", 'Only the schema "WORKSPACE_'),
        ("SELECT 'a\0b'", r"U\+0000"),
    ],
)
def test_what_is_not_allowed_is_said(bench: Workbench, sql: str, message: str) -> None:
    with pytest.raises(StatementFailed, match=message):
        bench.run(sql)


def test_semicolons_in_texts_and_comments_do_not_count(bench: Workbench) -> None:
    assert bench.rows("/* a; */ SELECT ';é' AS x -- ;\n;;") == [[";é"]]


def test_temporary_tables_and_variables_live_in_a_session(bench: Workbench) -> None:
    bench.run("CREATE TEMP TABLE mine AS SELECT 7 AS a", session_id="one")
    bench.run("SET VARIABLE b = 8", session_id="one")

    assert bench.rows("SELECT a, getvariable('b') FROM mine", session_id="one") == [["7", "8"]]
    with pytest.raises(StatementFailed, match="mine does not exist"):
        bench.run("SELECT * FROM mine", session_id="two")


def test_a_statement_that_needs_its_session_is_refused_without_it(bench: Workbench) -> None:
    bench.run("CREATE TABLE guarded(a INTEGER)")
    bench.run("BEGIN", session_id="guarding")
    bench.run("INSERT INTO guarded VALUES (1)", session_id="guarding", needs_session=True)
    with bench.engines.open(bench.workspace) as engine:
        engine.end_session("guarding")

    with pytest.raises(SessionGone, match="guarding has ended"):
        bench.run("INSERT INTO guarded VALUES (2)", session_id="guarding", needs_session=True)
    assert bench.rows("SELECT count(*) FROM guarded") == [["0"]]


def test_results_that_are_named_by_a_session_go_with_it(bench: Workbench) -> None:
    bench.run("SELECT 1", id="ending-1", session_id="ending")
    bench.run("SELECT 2", id="other-1", session_id="ending")
    with bench.engines.open(bench.workspace) as engine:
        engine.end_session("ending")

    assert bench.page().rows == [["2"]]
    assert not list(folder_of(bench.stack.folder, bench.workspace.id).results.glob("ending*"))


def test_a_transaction_is_rolled_back(bench: Workbench) -> None:
    bench.run("CREATE TABLE rolled(a INTEGER)")
    for sql in ("BEGIN", "INSERT INTO rolled VALUES (1)", "ROLLBACK"):
        bench.run(sql, session_id="rolling")

    assert bench.rows("SELECT count(*) FROM rolled") == [["0"]]


def test_the_database_itself_refuses_changes_of_a_read_only_statement(bench: Workbench) -> None:
    bench.run("CREATE TABLE IF NOT EXISTS kept(a INTEGER)")
    for sql in ("INSERT INTO kept VALUES (1)", "DROP TABLE kept", "CREATE TABLE another(a INTEGER)"):
        with pytest.raises(StatementFailed, match="read-only"):
            bench.run(sql, is_read_only=True)

    assert bench.rows("SELECT count(*) FROM kept", is_read_only=True) == [["0"]]


def test_a_statement_is_stopped_at_its_timeout(bench: Workbench) -> None:
    begun = time.monotonic()
    with pytest.raises(StatementTimedOut, match=r"longer than 0\.5 s"):
        bench.run(ENDLESS, timeout_seconds=0.5)

    assert time.monotonic() - begun < PATIENCE
    assert bench.rows("SELECT 1") == [["1"]]


def test_a_running_statement_is_canceled(bench: Workbench) -> None:
    bench.run("SELECT 1")

    def cancel() -> None:
        with bench.engines.open(bench.workspace) as engine:
            wait_for(lambda: engine.cancel("endless"))

    thread = threading.Thread(target=cancel)
    thread.start()
    with pytest.raises(StatementCanceled):
        bench.run(ENDLESS, id="endless")
    thread.join()


def test_nothing_is_canceled_that_does_not_run(bench: Workbench) -> None:
    with bench.engines.open(bench.workspace) as engine:
        assert not engine.cancel("unknown")


def test_an_unknown_result_is_gone(bench: Workbench) -> None:
    bench.last_id = "unknown"
    with pytest.raises(ResultGone, match="24 hours"):
        bench.page()


def test_a_removed_workspace_leaves_nothing(new_bench: Workbench) -> None:
    new_bench.run("CREATE TABLE t AS SELECT 1 AS a")
    folder = new_bench.stack.folder / "workspaces"
    new_bench.engines.remove(new_bench.workspace)

    assert not list(folder.glob(f"{new_bench.workspace.id}*"))
    with pytest.raises(StatementFailed, match="does not exist"):
        new_bench.run("SELECT * FROM t")
