"""Query jobs through HTTP, on both databases: submit, poll, results, history."""

from __future__ import annotations

from uuid import UUID

import pytest

from penstock.services.query import store
from tests.support.stacks import ServicesOnly
from tests.unit.services.each_database import shared
from tests.unit.services.fill import load_table
from tests.unit.services.query.workspaces import SqlWorkspace, read_results

__all__ = ["shared"]


@pytest.fixture(scope="module")
def workspace(shared: ServicesOnly) -> SqlWorkspace:
    return SqlWorkspace(shared)


def test_a_query_is_submitted_polled_and_read(shared: ServicesOnly, workspace: SqlWorkspace) -> None:
    load_table(shared, "in.c-shop.orders", "id,price\n1,10\n2,\n")
    table = f'"{workspace.database}"."in.c-shop"."orders"'

    submitted = workspace.submit(f'SELECT "id", "price" AS cost FROM {table} ORDER BY 1')
    assert submitted.status == 201
    assert set(submitted.json) == {"queryJobId", "sessionId"}
    assert UUID(submitted.json["sessionId"])

    job = workspace.run(f'SELECT "id", "price" AS cost FROM {table} ORDER BY 1')
    [statement] = job["statements"]
    assert (job["status"], job["actorType"], statement["status"]) == ("completed", "user", "completed")
    assert job["createdAt"] <= job["changedAt"] < job["expiration"]
    assert statement["numberOfRows"] == 2
    assert "error" not in statement

    results = read_results(workspace.query, job).json
    assert results["data"] == [["1", "10"], ["2", ""]]
    assert [column["name"] for column in results["columns"]] == ["id", "COST"]
    assert set(results) == {"status", "message", "columns", "data", "numberOfRows", "rowsAffected"}


def test_every_key_of_results_is_there_without_rows_and_after_a_failure(workspace: SqlWorkspace) -> None:
    created = workspace.results('CREATE TABLE "made" AS SELECT 1 AS n')
    failed = workspace.results("INVALID SQL SYNTAX HERE")

    for results in (created, failed):
        keys = {"status", "message", "columns", "data", "numberOfRows", "rowsAffected"}
        assert set(results) - {"errorPosition", "errorCode", "sqlState"} == keys
        assert (results["columns"], results["data"]) == ([], [])
        assert isinstance(results["numberOfRows"], int)
        assert isinstance(results["rowsAffected"], int)
    assert created["status"] == "completed"
    assert failed["status"] == "failed"
    assert failed["message"] == "SQL compilation error:\nsyntax error line 1 at position 0 unexpected 'INVALID'."


def test_later_statements_are_not_executed_after_a_failure(workspace: SqlWorkspace) -> None:
    job = workspace.run('CREATE TABLE "t" (n INT)', "SELECT nonsense", 'DROP TABLE "t"')

    assert job["status"] == "failed"
    assert [each["status"] for each in job["statements"]] == ["completed", "failed", "notExecuted"]
    assert job["statements"][1]["error"]
    assert workspace.rows('SELECT count(*) FROM "t"') == [["0"]]


def test_an_error_has_its_position(workspace: SqlWorkspace) -> None:
    failed = workspace.run("SELECT 1", "SELECT *\n  FROM nonsense", dialect="duckdb")

    assert [each.get("errorPosition") for each in failed["statements"]] == [None, {"line": 2, "column": 8}]
    assert read_results(workspace.query, failed).json["errorPosition"] == {"line": 2, "column": 8}
    assert "errorPosition" not in read_results(workspace.query, failed, 0).json


def test_what_does_not_exist_is_said_in_the_words_and_codes_of_the_dialect(workspace: SqlWorkspace) -> None:
    [table] = workspace.run("SELECT *\n  FROM nonsense")["statements"]
    column = workspace.results("SELECT 1 AS n, nonsense")
    syntax = workspace.results("SELECT FROM WHERE")
    duckdb = workspace.results("SELECT * FROM nonsense", dialect="duckdb")

    assert table["error"] == "SQL compilation error:\nObject 'NONSENSE' does not exist or not authorized."
    assert (table["errorCode"], table["sqlState"]) == ("002003", "42S02")
    assert table["errorPosition"] == {"line": 2, "column": 8}
    assert column["message"] == ("SQL compilation error: error line 1 at position 15\ninvalid identifier 'NONSENSE'")
    assert (column["errorCode"], column["sqlState"]) == ("000904", "42000")
    assert (syntax["errorCode"], syntax["sqlState"]) == ("001003", "42000")
    assert duckdb["message"].startswith("Catalog Error: Table with name nonsense does not exist!")
    assert not duckdb.keys() & {"errorCode", "sqlState"}


def test_a_transactional_job_that_fails_has_no_effect(workspace: SqlWorkspace) -> None:
    statements = ('CREATE TABLE "all" (n INT)', "SELECT nonsense")
    assert workspace.run(*statements, transactional=True)["status"] == "failed"

    assert workspace.run('SELECT * FROM "all"')["status"] == "failed"
    assert (
        workspace.run('CREATE TABLE "all" (n INT)', 'SELECT * FROM "all"', transactional=True)["status"] == "completed"
    )


def test_a_session_keeps_temporary_tables(workspace: SqlWorkspace) -> None:
    submitted = workspace.submit("CREATE TEMPORARY TABLE mine AS SELECT 7 AS n").json

    assert workspace.rows("SELECT n FROM mine", sessionId=submitted["sessionId"]) == [["7"]]
    assert workspace.run("SELECT n FROM mine")["status"] == "failed"


def test_history_is_newest_first_and_goes_on_after_an_id(shared: ServicesOnly) -> None:
    workspace = SqlWorkspace(shared)
    for number in range(3):
        workspace.run(f"SELECT {number}", f"SELECT {number} + 10")
    first = workspace.query.get(f"{workspace.path}?pageSize=4").json["statements"]
    rest = workspace.query.get(f"{workspace.path}?afterId={first[-1]['id']}").json["statements"]

    assert [each["query"] for each in (*first, *rest)] == [
        *("SELECT 2 + 10", "SELECT 2", "SELECT 1 + 10", "SELECT 1"),
        *("SELECT 0 + 10", "SELECT 0"),
    ]
    assert all(each["queryJobId"] for each in first)


def test_duckdb_is_available_beside_snowflake(workspace: SqlWorkspace) -> None:
    assert workspace.rows("SELECT list_sum([1, 2]) AS n", dialect="duckdb") == [["3"]]
    assert workspace.results("SELECT 1 AS n", dialect="duckdb")["columns"][0]["name"] == "n"
    assert workspace.results("SELECT 1 AS n")["columns"][0]["name"] == "N"


def test_a_page_of_the_history_has_no_more_text_than_it_may(
    workspace: SqlWorkspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(store, "HISTORY_CHARACTERS", 5_000)
    workspace.run(*(f"SELECT {number} -- {'x' * 950}" for number in range(8)), dialect="duckdb")
    first = workspace.query.get(workspace.path).json["statements"]
    second = workspace.query.get(f"{workspace.path}?afterId={first[-1]['id']}").json["statements"]

    assert [each["query"].split()[1] for each in first] == ["7", "6", "5", "4", "3", "2"]
    assert [each["query"].split()[1] for each in second][:2] == ["1", "0"]
