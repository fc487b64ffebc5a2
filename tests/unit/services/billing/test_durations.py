"""Durations that another queue or another stack reports."""

from __future__ import annotations

from typing import Any

import pytest

from tests.support.http import Http
from tests.support.stacks import ServicesOnly
from tests.unit.services.billing.ledger import entries_of, manager, run_job
from tests.unit.services.fill import add_project, first_project

HOUR = {"durationSeconds": 3600}


@pytest.fixture
def reporter(shared: ServicesOnly) -> Http:
    return manager(shared, "billing:manage")


def new_project(shared: ServicesOnly) -> int:
    return add_project(shared).caller.project_id


def test_a_job_is_charged_once_however_often_it_is_reported(shared: ServicesOnly, reporter: Http) -> None:
    project_id = new_project(shared)
    body = {"projectId": str(project_id), "jobId": "123", "componentId": "ex-generic-v2", **HOUR}
    first, second = reporter.put("/duration/job", body), reporter.put("/duration/job", {**body, "durationSeconds": 1})

    assert (first.status, first.json) == (201, {"consumed": 2.0})
    assert (second.status, second.json) == (201, {"consumed": 0.0})
    [entry] = entries_of(shared, project_id)
    assert (entry["kind"], entry["reference"], entry["component"]) == ("reportedJob", "123", "ex-generic-v2")


def test_a_job_of_this_stack_is_not_charged_again(shared: ServicesOnly, reporter: Http) -> None:
    project_id = first_project(shared).caller.project_id
    job, before = run_job(shared, 5), len(entries_of(shared, project_id))
    body = {"projectId": project_id, "jobId": str(job.id), "componentId": "ex-generic-v2", **HOUR}

    assert reporter.put("/duration/job", body).json == {"consumed": 0.0}
    assert len(entries_of(shared, project_id)) == before


@pytest.mark.parametrize(
    ("fields", "credits_used"),
    [
        ({"jobType": "orchestrationContainer", "componentId": "ex-generic-v2"}, 0.0),
        ({"componentId": "keboola.snowflake-transformation", "backend": {"type": "medium"}}, 12.0),
        ({"componentId": "keboola.python-transformation-v2", "backend": {"containerType": "xsmall"}}, 0.2),
        ({"componentId": "nobody.knows-it"}, 0.0),
        ({}, 0.0),
    ],
)
def test_the_price_is_that_of_the_component(
    shared: ServicesOnly, reporter: Http, fields: dict[str, Any], credits_used: float
) -> None:
    body = {"projectId": new_project(shared), "jobId": 1, **HOUR, **fields}

    assert reporter.put("/duration/job", body).json == {"consumed": credits_used}


def test_workspaces_and_sandboxes_are_charged_by_their_size(shared: ServicesOnly, reporter: Http) -> None:
    project_id = new_project(shared)
    workspace = {"projectId": project_id, "workspaceType": "sandbox", "warehouseSize": "4x-large", **HOUR}
    sandbox = {"projectId": project_id, "sandboxId": "9", "sandboxType": "python", "sandboxSize": "medium", **HOUR}

    assert reporter.put("/duration/workspace", workspace).json == {"consumed": 26.0}
    assert reporter.put("/duration/container-sandbox", sandbox).json == {"consumed": 0.6}
    assert reporter.put("/duration/container-sandbox", {**sandbox, "sandboxType": "streamlit"}).json == {
        "consumed": 0.5
    }
    assert len(entries_of(shared, project_id)) == 3


@pytest.mark.parametrize(
    ("path", "body", "said"),
    [
        ("job", {"jobId": "1", **HOUR}, "projectId"),
        ("job", {"projectId": "1; DROP", "jobId": "1", **HOUR}, "projectId"),
        ("job", {"projectId": 1, "jobId": "1", "durationSeconds": -1}, "durationSeconds"),
        ("job", {"projectId": 1, "jobId": "1", "durationSeconds": 1e300}, "durationSeconds"),
        ("job", {"projectId": 1, "jobId": "", **HOUR}, "jobId"),
        ("workspace", {"projectId": 1, **HOUR}, "workspaceType"),
        ("container-sandbox", {"projectId": 1, **HOUR}, "sandbox"),
    ],
)
def test_a_wrong_report_names_its_field(reporter: Http, path: str, body: dict[str, Any], said: str) -> None:
    response = reporter.put(f"/duration/{path}", body)

    assert response.status == 400
    assert said in response.json["error"]


@pytest.mark.parametrize("path", ["job", "workspace", "container-sandbox"])
@pytest.mark.parametrize("project_id", [999_999_999, -5, 0])
def test_an_unknown_project_is_not_charged(reporter: Http, path: str, project_id: int) -> None:
    others = {"jobId": "1", "workspaceType": "writer", "sandboxId": "1", "sandboxType": "python"}
    response = reporter.put(f"/duration/{path}", {"projectId": project_id, **others, **HOUR})

    assert response.status == 404
    assert str(project_id) in response.json["error"]


def test_only_a_manage_token_with_the_scope_may_report(shared: ServicesOnly) -> None:
    body = {"projectId": first_project(shared).caller.project_id, "jobId": "1", **HOUR}

    assert shared.service("billing").put("/duration/job", body).status == 401
    assert manager(shared).put("/duration/job", body).status == 403
    assert manager(shared, "oauth:manage").put("/duration/job", body).status == 403
    assert manager(shared, "oauth:manage").get("/usage/projects").status == 403
