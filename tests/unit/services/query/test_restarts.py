"""Queries that run while their server stops or is killed: they fail, say why, and the workspace goes on."""

from __future__ import annotations

import shutil
import signal
from contextlib import closing
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest

from penstock.sql import sockets
from penstock.sql.folders import folder_of
from penstock.sql.messages import Stop, receive_hello, send
from tests.support.http import Http
from tests.support.stacks import ONE_WORKER, RunningStack, ServicesOnly, wait_for
from tests.unit.services.query.workspaces import SqlWorkspace, finish

ENDLESS = "SELECT count(*) FROM range(1000000000) a, range(1000000000) b WHERE a.range % 7 = b.range % 5"


def check_failed(job: dict[str, Any]) -> None:
    assert job["status"] == "failed"
    assert [each["status"] for each in job["statements"]] == ["completed", "failed", "notExecuted"]
    assert "server was restarted" in job["statements"][1]["error"]


def is_at_second(query: Http, job_id: str) -> bool:
    return query.get(f"/api/v1/queries/{job_id}").json["statements"][1]["status"] == "processing"


def test_a_query_fails_when_its_server_stops(new_data_folder: Path, tmp_path: Path) -> None:
    folder = Path(shutil.copytree(new_data_folder, tmp_path / "data"))
    with closing(ServicesOnly(folder)) as services:
        workspace = SqlWorkspace(services)
        statements = ('CREATE TABLE "kept" AS SELECT 7 AS n', ENDLESS, "SELECT 1")
        job_id = workspace.submit(*statements, dialect="duckdb").json["queryJobId"]
        wait_for(lambda: is_at_second(workspace.query, job_id))

    with closing(ServicesOnly(folder)) as services:
        query = services.service("query")
        check_failed(query.get(f"/api/v1/queries/{job_id}").json)
        again = query.post(workspace.path, {"statements": ['SELECT n FROM "kept"'], "dialect": "duckdb"})
        assert finish(query, again.json["queryJobId"])["status"] == "completed"


def test_a_transaction_that_was_lost_with_its_server_is_not_continued_silently(
    new_data_folder: Path, tmp_path: Path
) -> None:
    folder = Path(shutil.copytree(new_data_folder, tmp_path / "data"))
    with closing(ServicesOnly(folder)) as services:
        workspace = SqlWorkspace(services)
        workspace.run('CREATE TABLE "t" (n INT)', dialect="duckdb")
        session, ended = ({"sessionId": str(uuid4()), "dialect": "duckdb"} for _ in range(2))
        workspace.run("BEGIN", 'INSERT INTO "t" VALUES (1)', **session)
        assert workspace.rows('SELECT count(*) FROM "t"', **session) == [["1"]]
        workspace.run("BEGIN", 'INSERT INTO "t" VALUES (5)', "COMMIT", **ended)

    with closing(ServicesOnly(folder)) as services:
        workspace.query = services.service("query")
        lost = workspace.results('INSERT INTO "t" VALUES (2)', **session)
        assert lost["status"] == "failed"
        assert "what a transaction in it did not commit was rolled back" in lost["message"]
        assert workspace.rows('SELECT n FROM "t"', **session) == [["5"]]
        assert workspace.rows('SELECT n FROM "t"', **ended) == [["5"]]


@pytest.mark.parametrize("made", ["CREATE TEMPORARY TABLE mine AS SELECT 7 AS n", "SET mine = 7"])
def test_what_was_lost_with_a_session_is_told_once(shared: ServicesOnly, made: str) -> None:
    workspace = SqlWorkspace(shared)
    workspace.run("CREATE TABLE kept AS SELECT 1 AS n")
    session, other = ({"sessionId": str(uuid4())} for _ in range(2))
    workspace.run(made, **session)
    workspace.run("CREATE TEMPORARY TABLE mine AS SELECT 7 AS n", "DROP TABLE mine", **other)
    stop_engine(shared, workspace)

    lost = workspace.run("SELECT n FROM kept", "SELECT 2", **session)
    assert [each["status"] for each in lost["statements"]] == ["failed", "notExecuted"]
    assert "Its temporary tables and variables are gone" in lost["statements"][0]["error"]
    assert workspace.rows("SELECT n FROM kept", **session) == [["1"]]
    assert workspace.rows("SELECT n FROM kept", **other) == [["1"]]


def test_it_is_told_in_a_session_of_the_editor(shared: ServicesOnly) -> None:
    workspace, editor = SqlWorkspace(shared), shared.service("editor")
    made = editor.post("/sql/sessions", {"branchId": str(workspace.branch_id)}).json
    workspace.id = int(editor.get(f"/sql/sessions/{made['id']}").json["workspaceId"])

    def run(*queries: str) -> dict[str, Any]:
        started = editor.post(f"/sql/sessions/{made['id']}/run-query", {"queries": list(queries)}).json
        return finish(workspace.query, started["queryJobId"])

    run("CREATE TABLE mine AS SELECT 1 AS n", "CREATE TEMPORARY TABLE other AS SELECT 7 AS n")
    stop_engine(shared, workspace)
    assert "has ended" in run("SELECT n FROM mine")["statements"][0]["error"]
    assert run("SELECT n FROM mine")["status"] == "completed"


def stop_engine(services: ServicesOnly, workspace: SqlWorkspace) -> None:
    """As when it was idle for long."""
    folder = folder_of(services.stack.folder, workspace.id)
    with sockets.connect(folder.socket, 10) as line:
        receive_hello(line)
        send(line, Stop())
        receive_hello(line)
    wait_for(lambda: not folder.socket.exists())


@pytest.mark.faults
def test_a_query_fails_when_its_server_is_killed(tmp_path: Path) -> None:
    stack = RunningStack(tmp_path / "data", *ONE_WORKER)
    path, query = new_workspace(stack)
    body = {"statements": ["SELECT 1", ENDLESS, "SELECT 2"], "dialect": "duckdb"}
    job_id = query.post(path, body).json["queryJobId"]
    wait_for(lambda: is_at_second(query, job_id))
    stack.stop(signal.SIGKILL)

    restarted = RunningStack(tmp_path / "data", *ONE_WORKER)
    try:
        query = query_of(restarted)
        check_failed(finish(query, job_id))
        again = query.post(path, {"statements": ["SELECT 1"]})
        assert finish(query, again.json["queryJobId"])["status"] == "completed"
    finally:
        restarted.stop()


def new_workspace(stack: RunningStack) -> tuple[str, Http]:
    """The path of its queries, and the service."""
    branches = stack.storage.get("/v2/storage/dev-branches").json
    made = stack.storage.post("/v2/storage/workspaces", {"backend": "snowflake"}).json
    branch_id = next(each["id"] for each in branches if each["isDefault"])
    return f"/api/v1/branches/{branch_id}/workspaces/{made['id']}/queries", query_of(stack)


def query_of(stack: RunningStack) -> Http:
    return Http(stack.greeting["storageUrl"].replace("storage", "query"), stack.greeting["token"])
