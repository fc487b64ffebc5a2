"""A session variable that was never set fails a job before any of its statements runs."""

from __future__ import annotations

import pytest

from tests.support.stacks import ServicesOnly
from tests.unit.services.query.workspaces import SqlWorkspace, finish

TYPO = 'DELETE FROM "kept" WHERE n <= $lmi'


@pytest.fixture(scope="module")
def workspace(shared: ServicesOnly) -> SqlWorkspace:
    made = SqlWorkspace(shared)
    made.run('CREATE TABLE "kept" AS SELECT 1 AS n')
    return made


@pytest.mark.parametrize("is_transactional", [False, True])
def test_no_statement_has_run_if_a_later_one_reads_an_unknown_variable(
    workspace: SqlWorkspace, is_transactional: bool
) -> None:
    statements = ("SET lmt = 5", 'DELETE FROM "kept"', TYPO, "SELECT 1")
    job = workspace.run(*statements, transactional=is_transactional)

    assert job["status"] == "failed"
    assert [each["status"] for each in job["statements"]] == ["notExecuted", "notExecuted", "failed", "notExecuted"]
    failed = job["statements"][2]
    assert failed["error"].endswith("error line 1 at position 30\nSession variable '$LMI' does not exist")
    assert failed["errorPosition"] == {"line": 1, "column": 31}
    assert workspace.rows('SELECT n FROM "kept"') == [["1"]]


def test_variables_of_the_job_and_of_the_session_are_known(workspace: SqlWorkspace) -> None:
    session = {"sessionId": workspace.submit("SET a = 1").json["sessionId"]}

    assert workspace.rows("SET b = $a + 1", "SET c = $b + 1", "SELECT $a, $b, $c", **session) == [["1", "2", "3"]]
    assert workspace.rows("UNSET c", "SELECT $b", **session) == [["2"]]
    assert "'$C'" in workspace.run("SELECT 1", "SELECT $c", **session)["statements"][1]["error"]


def test_a_statement_that_cannot_be_read_fails_itself(workspace: SqlWorkspace) -> None:
    job = workspace.run("SELECT 1", "SELECT 'no end", "SELECT $never")

    assert [each["status"] for each in job["statements"]] == ["completed", "failed", "notExecuted"]


def test_it_is_the_same_in_a_session_of_the_editor(shared: ServicesOnly, workspace: SqlWorkspace) -> None:
    editor = shared.service("editor")
    session = editor.post("/sql/sessions", {"branchId": str(workspace.branch_id)}).json["id"]
    queries = ["CREATE TABLE made AS SELECT 1 AS n", "SELECT * FROM made WHERE n <= $lmi"]
    started = editor.post(f"/sql/sessions/{session}/run-query", {"queries": queries}).json

    job = finish(workspace.query, started["queryJobId"])
    assert [each["status"] for each in job["statements"]] == ["notExecuted", "failed"]
