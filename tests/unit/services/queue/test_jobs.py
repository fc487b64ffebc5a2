"""Jobs over HTTP: what is accepted, what is refused, and what a job looks like."""

from __future__ import annotations

import re
from typing import Any

import pytest

from penstock.foundation.secrets import PREFIX
from tests.support.stacks import ServicesOnly
from tests.unit.services.fill import add_project
from tests.unit.services.queue.jobs import accepted, post

CONFIGS = "/v2/storage/components/ex-generic-v2/configs"
KEYS = {
    *("id", "runId", "parentRunId", "project", "token", "status", "desiredStatus", "mode", "component", "config"),
    *("configData", "configRowIds", "tag", "createdTime", "startTime", "endTime", "delayedStartTime", "branchId"),
    *("durationSeconds", "result", "usageData", "isFinished", "url", "variableValuesId", "variableValuesData"),
    *("backend", "executor", "metrics", "behavior", "parallelism", "type", "orchestrationJobId", "previousJobId"),
    *("orchestrationTaskId", "onlyOrchestrationTaskIds"),
}
OPTIONAL = {
    *("configData", "configRowIds", "tag", "branchId", "variableValuesId", "variableValuesData", "backend", "delay"),
    *("executor", "parallelism", "behavior", "delayedStartTime", "orchestrationJobId", "onlyOrchestrationTaskIds"),
    *("previousJobId", "parentRunId"),
}
TIME = r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00"
ORDERS = {"component": "ex-generic-v2", "config": "sample-orders"}


def test_a_job_has_every_key_that_strict_clients_want(services: ServicesOnly) -> None:
    job = accepted(services, mode="run", **ORDERS)

    assert job.keys() >= KEYS
    assert (job["status"], job["desiredStatus"], job["isFinished"]) == ("created", "processing", False)
    assert job["runId"] == job["id"]
    assert job["parentRunId"] == ""
    assert job["project"] == {"id": str(services.project.id), "name": "My project"}
    assert job["token"]["id"] == services.project.token.split("-")[1]
    assert re.fullmatch(TIME, job["createdTime"])
    assert (job["startTime"], job["endTime"], job["durationSeconds"]) == (None, None, 0)
    assert isinstance(job["branchId"], str)
    assert job["variableValuesData"] == {"values": []}
    assert job["behavior"] == {"onError": None}


def test_a_job_is_found_at_its_address(services: ServicesOnly) -> None:
    job = accepted(services, **ORDERS)

    assert job["url"] == f"http://127.0.0.1:{services.port}/_svc/queue/jobs/{job['id']}"
    assert services.service("queue").get(f"/jobs/{job['id']}").json == job
    by_host = services.by_host("queue.penstock.localhost", services.project.token).get(f"/jobs/{job['id']}").json
    assert by_host["url"] == f"http://queue.penstock.localhost/jobs/{job['id']}"


@pytest.mark.parametrize("component", ["ex-generic-v2", "keboola.ex-generic-v2"])
def test_an_alias_is_the_same_component(services: ServicesOnly, component: str) -> None:
    assert accepted(services, component=component, config="sample-orders")["component"] == "ex-generic-v2"


def test_what_is_null_or_empty_was_not_given(services: ServicesOnly) -> None:
    job = accepted(services, **ORDERS, **dict.fromkeys(OPTIONAL))
    again = accepted(services, **ORDERS, **{name: [] for name in OPTIONAL}, unknownKey={"a": 1})

    assert job["config"] == again["config"] == "sample-orders"
    assert accepted(services, component="ex-generic-v2", config="sample-customers", mode=None)["mode"] == "run"


@pytest.mark.parametrize(
    ("wish", "named"),
    [
        ({}, "component"),
        ({"mode": "run", "config": "sample-orders"}, "component"),
        ({"component": ""}, "component"),
        ({"component": None}, "component"),
        ({"component": 5}, "component"),
        ({"component": "keboola.no-such", "config": "1"}, "component"),
        ({"component": "ex-generic-v2"}, "config"),
        ({"component": "ex-generic-v2", "config": ""}, "config"),
        ({"component": "ex-generic-v2", "config": "no-such"}, "config"),
        ({"component": "ex-generic-v2", "config": 12345}, "config"),
        ({"component": "ex-generic-v2", "config": {"a": 1}}, "config"),
        ({"component": "ex-generic-v2", "config": True}, "config"),
        ({**ORDERS, "mode": "sideways"}, "mode"),
        ({**ORDERS, "mode": 5}, "mode"),
        ({**ORDERS, "mode": ""}, "mode"),
        ({**ORDERS, "configData": 5}, "configData"),
        ({**ORDERS, "configData": "{}"}, "configData"),
        ({**ORDERS, "branchId": 999}, "branchId"),
        ({**ORDERS, "branchId": "main"}, "branchId"),
        ({**ORDERS, "branchId": 10**40}, "branchId"),
        ({**ORDERS, "parentRunId": 7}, "parentRunId"),
    ],
)
def test_a_job_that_cannot_be_is_refused_by_the_name_of_the_field(
    shared: ServicesOnly, wish: dict[str, Any], named: str
) -> None:
    response = post(shared, **wish)

    assert (response.status, response.json["code"]) == (400, 400)
    assert response.json["error"].startswith(f"Invalid request:\n - {named}: ")


@pytest.mark.parametrize("body", [b"", b"no json", b"[1]", b'"text"', b"{", b"\xff", b"[" * 50_000])
def test_a_body_that_is_no_job_is_refused(shared: ServicesOnly, body: bytes) -> None:
    response = shared.service("queue").send("POST", "/jobs", body, {"Content-Type": "application/json"})

    assert response.status == 400
    assert response.json["error"].startswith("Invalid request:")


@pytest.mark.parametrize("depth", [250, 600, 950])
def test_a_document_nested_too_deep_is_refused(shared: ServicesOnly, depth: int) -> None:
    body = '{"component":"ex-generic-v2","configData":' + '{"a":' * depth + "1" + "}" * (depth + 1)
    response = shared.service("queue").send("POST", "/jobs", body.encode(), {"Content-Type": "application/json"})

    assert (response.status, response.json["code"]) == (400, 400)


def test_a_body_over_the_limit_is_refused(shared: ServicesOnly) -> None:
    response = post(shared, **ORDERS, configData={"a": "x" * 10_000_001})

    assert (response.status, response.json["code"]) == (413, 413)


def test_a_disabled_configuration_runs_only_by_force(services: ServicesOnly) -> None:
    wish = {"name": "x", "configurationId": "off", "isDisabled": True}
    services.service("storage").post(CONFIGS, wish)
    response = post(services, component="ex-generic-v2", config="off")

    assert response.status == 400
    assert response.json["error"] == 'Configuration "off" of component "ex-generic-v2" is disabled.'
    assert accepted(services, component="ex-generic-v2", config="off", mode="forceRun")["mode"] == "forceRun"


def test_a_job_waits_while_the_same_configuration_runs(services: ServicesOnly) -> None:
    first, second = accepted(services, **ORDERS), accepted(services, **ORDERS)
    other = accepted(services, component="ex-generic-v2", config="sample-customers")

    assert [job["status"] for job in (first, second, other)] == ["created", "waiting", "created"]


def test_jobs_without_a_stored_configuration_do_not_wait_for_each_other(services: ServicesOnly) -> None:
    jobs = [accepted(services, component="ex-generic-v2", configData={"a": number}) for number in range(3)]

    assert [job["status"] for job in jobs] == ["created"] * 3
    assert [job["config"] for job in jobs] == [None] * 3


def test_inline_configuration_is_kept_with_its_secrets_encrypted(services: ServicesOnly) -> None:
    document = {"parameters": {"z": 1, "#password": "canary-77", "a": []}}
    job = accepted(services, component="ex-generic-v2", configData=document)

    assert list(job["configData"]["parameters"]) == ["z", "#password", "a"]
    assert job["configData"]["parameters"]["#password"].startswith(PREFIX)


@pytest.mark.parametrize("branch", ["default", "2", 2])
def test_the_main_branch_has_several_names(services: ServicesOnly, branch: object) -> None:
    assert accepted(services, **ORDERS, branchId=branch)["branchId"] == "2"


def test_a_job_may_have_a_parent(services: ServicesOnly) -> None:
    job = accepted(services, **ORDERS, parentRunId="12.34")

    assert (job["runId"], job["parentRunId"]) == (f"12.34.{job['id']}", "12.34")


@pytest.mark.parametrize("job_id", ["0", "foo", "9" * 30, "-1", "..", "%00", "1;DROP TABLE queue_jobs"])
def test_an_unknown_job_is_not_found(shared: ServicesOnly, job_id: str) -> None:
    response = shared.service("queue").get(f"/jobs/{job_id.replace(' ', '%20')}")

    assert (response.status, response.json["code"]) == (404, 404)


def test_a_job_of_another_project_is_not_found(services: ServicesOnly) -> None:
    job = accepted(services, **ORDERS)
    foreign = services.service("queue", add_project(services).token)
    seen, absent = foreign.get(f"/jobs/{job['id']}"), foreign.get("/jobs/987654")

    assert seen.status == absent.status == 404
    assert seen.json["error"].replace(job["id"], "987654") == absent.json["error"]
    response = foreign.post("/jobs", ORDERS)
    assert response.status == 400
    assert " - config: " in response.json["error"]


def test_a_token_needs_the_right_and_the_component(services: ServicesOnly) -> None:
    storage = services.service("storage")

    def run(**powers: Any) -> int:
        token = storage.post("/v2/storage/tokens", powers).json["token"]
        return services.service("queue", token).post("/jobs", ORDERS).status

    assert run() == 403
    assert run(canManageBuckets=True) == 201
    assert run(canCreateJobs=True) == 403
    assert run(componentAccess=["ex-generic-v2"]) == 201
    assert run(canCreateJobs=True, canManageBuckets=True) == 201


def test_the_service_says_that_it_is_alive(shared: ServicesOnly) -> None:
    queue = shared.service("queue", token="")

    assert queue.get("/health-check").json == {"status": "ok"}
    assert queue.get("/").json["api"] == "queue"
