"""Who may do what: every row of the table with wrong tokens, of another project, and with tokens that may do little."""

from __future__ import annotations

from collections.abc import Generator
from typing import Any

import pytest

from penstock.foundation.callers import Right
from penstock.services.queue.routes import routes
from penstock.web.routing import Route
from tests.support.corpora import read_lines
from tests.support.http import Http
from tests.support.stacks import ServicesOnly
from tests.unit.services.fill import add_project
from tests.unit.services.queue.jobs import ORDERS, add_job, look_up
from tests.unit.services.wrong_tokens import INVALID, SENTENCES, wrong_tokens

CLOSED = [row for row in routes() if row.needs is not Right.PUBLIC]
NO_JSON, JSON = b"not even json", {"Content-Type": "application/json"}
HOSTILE = ("..", *read_lines("hostile_segments.txt"), "x" * 5000)

FIRSTS = list({row.method: row for row in reversed(CLOSED)}.values())
"""One of each method: test_authorization.py has those of all services."""

each_closed_row = pytest.mark.parametrize("row", CLOSED, ids=[f"{row.method} {row.path}" for row in CLOSED])


@pytest.fixture(scope="module")
def wrong(shared: ServicesOnly, tmp_path_factory: pytest.TempPathFactory) -> Generator[dict[str, str | None]]:
    there = ServicesOnly(tmp_path_factory.mktemp("there") / "data")
    yield wrong_tokens(shared, there.project.token)
    there.close()


def fill(row: Route, job_id: object) -> str:
    return row.path.replace("{job_id}", str(job_id))


@pytest.mark.parametrize("row", FIRSTS, ids=lambda row: f"{row.method} {row.path}")
def test_a_row_refuses_every_wrong_token_before_it_reads_the_body(
    shared: ServicesOnly, wrong: dict[str, str | None], row: Route
) -> None:
    job = add_job(shared)
    for kind, token in wrong.items():
        response = Http(shared.service("queue").base, token).send(row.method, fill(row, job.id), NO_JSON, JSON)
        assert response.status == 401, kind
        assert (response.json["error"], response.json["code"]) == (SENTENCES.get(kind, INVALID), 401), kind
        assert response.json["exceptionId"]
    assert look_up(shared, job) == job


@each_closed_row
def test_a_job_of_another_project_is_as_one_that_is_not_there(shared: ServicesOnly, row: Route) -> None:
    job = add_job(shared)
    foreign = shared.service("queue", add_project(shared).token)
    if row.parameters:
        seen, absent = (foreign.send(row.method, fill(row, number), None, JSON) for number in (job.id, 987654))
        assert (seen.status, absent.status) == (404, 404)
        assert seen.json["error"].replace(str(job.id), "987654") == absent.json["error"]
    elif row.method == "GET":
        assert f'"{job.id}"' not in foreign.get(f"{row.path}?groupBy=configId").text
    assert look_up(shared, job) == job


@each_closed_row
def test_a_token_that_may_do_nothing_sees_nothing_and_changes_nothing(shared: ServicesOnly, row: Route) -> None:
    job = add_job(shared)
    token = shared.service("storage").post("/v2/storage/tokens", {}).json["token"]
    response = shared.service("queue", token).send(row.method, f"{fill(row, job.id)}?groupBy=configId", NO_JSON, JSON)

    if row.needs is Right.CREATE_JOBS:
        assert response.status == 403
    elif row.parameters:
        assert response.status == 404
    else:
        assert response.json in ([], {"jobs": {"durationSum": 0}}) or not any(response.json["statuses"])
    assert look_up(shared, job) == job


@pytest.mark.parametrize("rights", [{}, {"canCreateJobs": True}, {"componentAccess": ["keboola.flow"]}])
def test_a_refused_job_names_the_right_that_the_token_lacks(shared: ServicesOnly, rights: dict[str, Any]) -> None:
    token = shared.service("storage").post("/v2/storage/tokens", rights).json["token"]
    refused = shared.service("queue", token).post("/jobs", ORDERS)

    assert refused.status == 403
    assert "`canManageBuckets`" in refused.json["error"]
    assert "`componentAccess`" in refused.json["error"]


@pytest.mark.parametrize("row", [row for row in CLOSED if row.parameters], ids=lambda row: row.path)
def test_no_name_of_a_job_breaks_a_row(shared: ServicesOnly, row: Route) -> None:
    for job_id in HOSTILE:
        response = shared.service("queue").send(row.method, fill(row, job_id), None, JSON)
        assert response.status in (404, 405), job_id
        assert response.json["code"] == response.status


def test_all_that_the_contract_lists_is_in_the_table() -> None:
    listed = {
        *("POST /jobs", "GET /jobs/{job_id}", "GET /search/jobs", "POST /jobs/{job_id}/kill"),
        *("GET /search/grouped-jobs", "GET /jobs", "GET /configurations-jobs", "GET /latest-configurations-jobs"),
        *("GET /orchestration-rerun-plan/{job_id}", "GET /stats/project", "GET /health-check"),
        "GET /stats/jobs",
        *("GET /jobs/{job_id}/open-api-lineage", "GET /job/{job_id}/open-api-lineage"),
    }

    assert {f"{row.method} {row.path}" for row in routes()} == listed | {"GET /"}
