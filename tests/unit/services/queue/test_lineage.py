"""What a job read and wrote, and which tasks of a flow have run."""

from __future__ import annotations

from typing import Any
from uuid import UUID

import pytest

from penstock.foundation import clock
from penstock.services.queue.models.jobs import Kind
from penstock.services.queue.models.statuses import Status
from tests.support.stacks import ServicesOnly
from tests.unit.services.queue.jobs import add_job, configure, lasting, result_of


def table(name: str) -> dict[str, Any]:
    return {"id": f"in.c-main.{name}", "name": name, "displayName": name, "columns": [{"name": "id"}]}


def lineage(services: ServicesOnly, job_id: int, path: str = "jobs") -> list[dict[str, Any]]:
    response = services.service("queue").get(f"/{path}/{job_id}/open-api-lineage")
    assert response.status == 200, response.text
    return response.json


def test_a_finished_job_tells_what_it_read_and_wrote(shared: ServicesOnly) -> None:
    tables = {"input": {"tables": [table("read")]}, "output": {"tables": [table("written")]}}
    job = add_job(shared, config="shop", result=result_of("done", **tables), **lasting(3))
    start, end = lineage(shared, job.id)

    assert [start["eventType"], end["eventType"]] == ["START", "COMPLETE"]
    assert start["run"]["runId"] == end["run"]["runId"] == str(UUID(start["run"]["runId"]))
    assert start["job"]["name"] == "ex-generic-v2-shop"
    assert start["job"]["namespace"] == f"connection.penstock.localhost/project/{shared.project.id}"
    assert [each["name"] for each in start["inputs"]] == ["in.c-main.read"]
    assert [each["name"] for each in end["outputs"]] == ["in.c-main.written"]
    assert end["outputs"][0]["facets"]["schema"]["fields"] == [{"name": "id"}]
    assert lineage(shared, job.id, "job") == [start, end]


@pytest.mark.parametrize(
    ("status", "ending"), [("error", "FAIL"), ("terminated", "ABORT"), ("warning", "COMPLETE"), ("cancelled", "ABORT")]
)
def test_an_ending_is_told_as_it_was(shared: ServicesOnly, status: str, ending: str) -> None:
    job = add_job(shared, **{**lasting(1), "status": Status(status)})

    assert [event["eventType"] for event in lineage(shared, job.id)] == ["START", ending]


def test_what_has_not_happened_is_not_told(shared: ServicesOnly) -> None:
    assert lineage(shared, add_job(shared).id) == []
    running = add_job(shared, status=Status.PROCESSING, start_time=clock.now(), parent_id=5)
    [start] = lineage(shared, running.id)
    assert start["run"]["facets"]["parent"]["job"]["name"] == "5"


def test_a_plan_has_every_task_of_the_flow_as_it_is_now(services: ServicesOnly) -> None:
    configure(services, "flow", {"tasks": [{"id": 1}, {"id": "two"}, {"id": "new"}, {"name": "no id"}, 5]})
    flow = add_job(services, config="flow", type=Kind.ORCHESTRATION, status=Status.ERROR)
    phase = add_job(services, parent_id=flow.id, type=Kind.PHASE, status=Status.ERROR)
    done = {"parent_id": phase.id, "config": "x"}
    add_job(services, **done, orchestration_task_id="1", status=Status.ERROR)
    again = add_job(services, **done, orchestration_task_id="1", status=Status.SUCCESS)
    direct = add_job(services, parent_id=flow.id, orchestration_task_id="two", status=Status.ERROR)

    response = services.service("queue").get(f"/orchestration-rerun-plan/{flow.id}")

    assert response.status == 200, response.text
    assert response.json == {
        "jobId": str(flow.id),
        "configId": "flow",
        "matchedTasks": [
            {
                "taskId": "1",
                "matched": True,
                "jobId": str(again.id),
                "componentId": "ex-generic-v2",
                "configId": "x",
                "status": "success",
            },
            {
                "taskId": "two",
                "matched": True,
                "jobId": str(direct.id),
                "componentId": "ex-generic-v2",
                "status": "error",
            },
            {"taskId": "new", "matched": False},
        ],
    }


def test_a_flow_without_a_stored_configuration_has_a_plan_too(services: ServicesOnly) -> None:
    flow = add_job(services, config_data=b'{"tasks":[{"id":"a"}]}', type=Kind.ORCHESTRATION)
    plan = services.service("queue").get(f"/orchestration-rerun-plan/{flow.id}").json

    assert plan == {"jobId": str(flow.id), "matchedTasks": [{"taskId": "a", "matched": False}]}


def test_only_flows_have_plans(shared: ServicesOnly) -> None:
    job = add_job(shared)
    response = shared.service("queue").get(f"/orchestration-rerun-plan/{job.id}")

    assert (response.status, response.json["error"]) == (400, f'Job "{job.id}" is not an orchestration job.')
    assert shared.service("queue").get("/orchestration-rerun-plan/999999").status == 404


def test_a_flow_whose_configuration_was_deleted_has_no_plan(shared: ServicesOnly) -> None:
    flow = add_job(shared, config="gone", type=Kind.ORCHESTRATION)

    assert shared.service("queue").get(f"/orchestration-rerun-plan/{flow.id}").status == 404
