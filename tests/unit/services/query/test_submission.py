"""What is refused when a query is submitted, and what the timeout and the cancellation of a job do."""

from __future__ import annotations

import time
from typing import Any

import pytest

from tests.support.patience import PATIENCE
from tests.support.stacks import ServicesOnly, wait_for
from tests.unit.services.fill import add_project, load_table
from tests.unit.services.query.workspaces import SqlWorkspace, finish, statement_path

ENDLESS = "SELECT count(*) FROM range(1000000000) a, range(1000000000) b WHERE a.range % 7 = b.range % 5"


@pytest.fixture(scope="module")
def workspace(shared: ServicesOnly) -> SqlWorkspace:
    return SqlWorkspace(shared)


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"statements": []},
        {"statements": "SELECT 1"},
        {"statements": [""]},
        {"statements": ["SELECT 1", " ; "]},
        {"statements": ["SELECT 1"], "timeout": "soon"},
        {"statements": ["SELECT 1"], "sessionId": "not-a-uuid"},
        {"statements": ["SELECT 1"], "dialect": "oracle"},
        {"statements": ["SELECT 1"], "actorType": "robot"},
    ],
)
def test_a_body_that_makes_no_sense_is_refused(workspace: SqlWorkspace, body: dict[str, Any]) -> None:
    response = workspace.query.post(workspace.path, body)

    assert response.status == 400
    assert response.json["exception"]
    assert set(response.json) == {"exception", "error", "code", "exceptionId", "status", "context", "trace"}


@pytest.mark.parametrize("branch", ["default", "999999", "x"])
def test_a_branch_is_named_by_its_number(workspace: SqlWorkspace, branch: str) -> None:
    path = workspace.path.replace(f"/{workspace.branch_id}/", f"/{branch}/")
    response = workspace.query.post(path, {"statements": ["SELECT 1"]})

    assert response.status == 404


def test_an_unknown_workspace_is_not_found(workspace: SqlWorkspace) -> None:
    path = workspace.path.replace(f"/{workspace.id}/", "/999999/")

    assert workspace.query.post(path, {"statements": ["SELECT 1"]}).status == 404
    assert workspace.query.get(path).status == 404


def test_another_project_sees_nothing_of_a_job(shared: ServicesOnly, workspace: SqlWorkspace) -> None:
    job = workspace.run("SELECT 1")
    other = shared.service("query", add_project(shared).token)

    path = f"/api/v1/queries/{job['queryJobId']}"
    assert other.get(path).status == 404
    assert other.post(f"{path}/cancel", {}).status == 404
    for what in ("results", "results/stream", "export?fileType=csv", "profile"):
        assert other.get(f"{statement_path(job)}/{what}").status == 404
    assert other.get(workspace.path).status == 404


def test_a_limited_token_sees_its_own_jobs_only(shared: ServicesOnly, workspace: SqlWorkspace) -> None:
    token = workspace.storage.post("/v2/storage/tokens", {"description": "limited"}).json["token"]
    limited = SqlWorkspace(shared, token)
    own, foreign = limited.run("SELECT 1"), workspace.run("SELECT 1")

    assert own["status"] == "completed"
    assert limited.query.get(f"/api/v1/queries/{foreign['queryJobId']}").status == 404
    assert workspace.query.get(f"/api/v1/queries/{own['queryJobId']}").status == 200


def test_a_limited_token_reads_its_buckets_only(shared: ServicesOnly, workspace: SqlWorkspace) -> None:
    load_table(shared, "in.c-open.t", "id\n1\n")
    load_table(shared, "in.c-closed.t", "id\n2\n")
    rights = {"description": "one bucket", "bucketPermissions": {"in.c-open": "read"}}
    limited = SqlWorkspace(shared, workspace.storage.post("/v2/storage/tokens", rights).json["token"])

    assert limited.rows('SELECT * FROM "in.c-open"."t"') == [["1"]]
    assert limited.run('SELECT * FROM "in.c-closed"."t"')["status"] == "failed"
    assert workspace.rows('SELECT * FROM "in.c-closed"."t"') == [["2"]]


def test_what_another_token_may_read_is_not_left_in_a_workspace(shared: ServicesOnly, workspace: SqlWorkspace) -> None:
    load_table(shared, "in.c-shut.t", "id\n3\n")
    token = workspace.storage.post("/v2/storage/tokens", {"description": "nothing"}).json["token"]
    limited = SqlWorkspace(shared, token)
    sql = 'SELECT * FROM "in.c-shut"."t"'
    by_admin = workspace.query.post(limited.path, {"statements": [sql]}).json["queryJobId"]

    assert finish(workspace.query, by_admin)["status"] == "failed"
    assert limited.run(sql)["status"] == "failed"
    assert workspace.rows(sql) == [["3"]]


def test_results_of_a_running_statement_are_not_there_yet(workspace: SqlWorkspace) -> None:
    submitted = workspace.submit(ENDLESS, dialect="duckdb").json
    job = workspace.query.get(f"/api/v1/queries/{submitted['queryJobId']}").json
    response = workspace.query.get(f"{statement_path(job)}/results")

    assert job["status"] == "processing"
    assert response.status == 400
    assert "not completed yet" in response.json["exception"]
    assert workspace.query.post(f"/api/v1/queries/{submitted['queryJobId']}/cancel", {}).status == 200


def test_a_running_job_is_canceled(workspace: SqlWorkspace) -> None:
    job_id = workspace.submit(ENDLESS, "SELECT 2", dialect="duckdb").json["queryJobId"]
    response = workspace.query.post(f"/api/v1/queries/{job_id}/cancel", {"reason": "too slow"})
    job = finish(workspace.query, job_id)

    assert (response.status, response.json) == (200, {"queryJobId": job_id})
    assert (job["status"], job["cancellationReason"]) == ("canceled", "too slow")
    assert job["canceledAt"]
    assert [each["status"] for each in job["statements"]] == ["canceled", "canceled"]
    again = workspace.query.post(f"/api/v1/queries/{job_id}/cancel", {})
    assert again.status == 400
    # The engine is free again.
    assert workspace.rows("SELECT 1") == [["1"]]


def test_a_job_that_takes_too_long_fails(workspace: SqlWorkspace) -> None:
    started = time.monotonic()
    job = workspace.run(ENDLESS, timeout="300ms", dialect="duckdb")

    assert job["status"] == "failed"
    assert "longer than 0.3 s" in job["statements"][0]["error"]
    assert time.monotonic() - started < PATIENCE


def test_a_statement_has_the_timeout_of_its_workspace(shared: ServicesOnly) -> None:
    workspace = SqlWorkspace(shared, statementTimeoutSeconds=1)
    job = workspace.run(ENDLESS, timeout="1h", dialect="duckdb")

    assert job["status"] == "failed"
    assert "longer than 1 s" in job["statements"][0]["error"]


def test_many_queries_at_once_all_end(workspace: SqlWorkspace) -> None:
    jobs = [workspace.submit(f"SELECT {number}").json["queryJobId"] for number in range(30)]

    assert {finish(workspace.query, job_id)["status"] for job_id in jobs} == {"completed"}


def test_the_documentation_is_the_specification(workspace: SqlWorkspace) -> None:
    document = workspace.query.get("/api/v1/documentation").json

    assert "/api/v1/queries/{job_id}/cancel" in document["paths"]


def test_a_job_whose_server_is_gone_fails(shared: ServicesOnly, workspace: SqlWorkspace) -> None:
    from sqlalchemy import update

    from penstock.services.query import store

    job_id = workspace.submit("SELECT 1").json["queryJobId"]
    finish(workspace.query, job_id)
    with shared.stack.database.writing() as tx:
        lost = {"is_finished": False, "status": "processing", "worker": "elsewhere/query/1", "lease_until": None}
        tx.change(update(store.jobs).where(store.jobs.c.id == int(job_id)).values(**lost))
        of_job = store.statements.c.job_id == int(job_id)
        tx.change(update(store.statements).where(of_job).values(status="processing"))

    job = wait_for(lambda: workspace.query.get(f"/api/v1/queries/{job_id}").json)
    assert job["status"] == "failed"
    assert "server was restarted" in job["statements"][0]["error"]
