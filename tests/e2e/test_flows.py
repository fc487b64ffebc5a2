"""Flows through HTTP on a whole stack: five tasks in three phases, a condition, a failing task and a retry."""

from __future__ import annotations

from typing import Any

import pytest

from tests.support.stacks import RunningStack, wait_for

TESTER, FLOW, ORCHESTRATOR = "keboola.runner-config-test", "keboola.flow", "keboola.orchestrator"
FAILS = {"operation": "user-error", "message": "The orders are closed."}
TWICE = {"strategyParams": {"maxRetries": 1, "delay": 0}}
WORKS = {
    "customers": {"operation": "whoami"},
    "orders": FAILS,
    "mend": {"operation": "whoami"},
    "write": {"operation": "write-table", "table": "in.c-flows.mended", "rows": [{"id": "1"}]},
    "slow": {"operation": "sleep", "timeout": 60},
}


@pytest.fixture(scope="module", autouse=True)
def configured(stack: RunningStack) -> None:
    for config_id, parameters in WORKS.items():
        save(stack, TESTER, config_id, {"parameters": parameters})


def save(stack: RunningStack, component: str, config_id: str, document: Any) -> None:
    wanted = {"name": config_id, "configurationId": config_id, "configuration": document}
    response = stack.storage.post(f"/v2/storage/components/{component}/configs", wanted)
    assert response.status == 201, response.text


def run(stack: RunningStack, component: str, config_id: str, **fields: Any) -> dict[str, Any]:
    return stack.finish_job(stack.start_job(config_id, component=component, **fields))


def task(task_id: str, phase: str, **fields: Any) -> dict[str, Any]:
    inner = {"type": "job", "componentId": TESTER, "configId": task_id, "mode": "run", **fields}
    return {"id": task_id, "name": f"Task {task_id}", "phase": phase, "task": inner}


def phase(phase_id: str, **fields: Any) -> dict[str, Any]:
    return {"id": phase_id, "name": phase_id.title(), **fields}


def story() -> dict[str, Any]:
    """Orders fail twice, which a condition handles; then what was not extracted is fixed, and all is loaded."""
    status = {"type": "task", "task": "orders", "value": "job.status"}
    has_failed = {"type": "operator", "operator": "EQUALS", "operands": [status, {"type": "const", "value": "error"}]}
    after = [{"id": "bad", "condition": has_failed, "goto": "repair"}, {"id": "else", "goto": "load"}]
    told = {
        "type": "notification",
        "recipients": [{"channel": "webhook", "address": "https://hooks.example.com/a"}],
        "title": "Done",
    }
    return {
        "phases": [phase("extract", next=after), phase("repair", next=[{"id": "n", "goto": "load"}]), phase("load")],
        "tasks": [
            task("customers", "extract"),
            task("orders", "extract", retry=TWICE),
            task("mend", "repair"),
            task("write", "load"),
            {"id": "told", "name": "Told", "phase": "load", "task": told},
        ],
    }


def test_a_flow_with_a_condition_a_failure_and_a_retry_is_shown_in_its_result(stack: RunningStack) -> None:
    save(stack, FLOW, "nightly", story())
    job = run(stack, FLOW, "nightly")
    result = job["result"]
    tasks = {one["id"]: one for one in result["tasks"]}

    assert (job["status"], job["type"]) == ("warning", "orchestrationContainer")
    assert "The orders are closed." in result["message"]
    phases = [(one["id"], one["name"], one["status"]) for one in result["phases"]]
    assert phases == [
        ("extract", "Extract", "error"),
        ("repair", "Repair", "success"),
        ("load", "Load", "success"),
    ]
    assert {name: one["status"] for name, one in tasks.items()} == {
        **dict.fromkeys(tasks, "success"),
        "orders": "error",
    }
    assert [one["status"] for one in tasks["orders"]["results"]] == ["error", "error"]
    assert tasks["orders"]["results"][1]["result"]["message"] == "The orders are closed."
    assert (tasks["told"]["type"], tasks["told"]["results"]) == ("notification", [])
    [written] = tasks["write"]["results"]
    assert [one["id"] for one in written["result"]["output"]["tables"]] == ["in.c-flows.mended"]
    assert_typed(result)


def assert_typed(result: dict[str, Any]) -> None:
    """What the Go client cannot read otherwise."""
    for one in result["tasks"]:
        assert isinstance(one["id"], str)
        assert isinstance(one["phase"], str)
        assert isinstance(one["duration"], int)
        assert isinstance(one.get("jobId", ""), str)
        for attempt in one["results"]:
            assert (type(attempt["jobId"]), type(attempt["duration"])) == (str, int)


def test_the_jobs_of_a_flow_are_found_below_it_and_run_again_only_where_they_failed(stack: RunningStack) -> None:
    document = story()
    document["phases"][0].pop("next")
    save(stack, FLOW, "short", {"phases": document["phases"][:1], "tasks": document["tasks"][:2]})
    first = run(stack, FLOW, "short")
    below = stack.queue.get(f"/search/jobs?parentRunId={first['id']}").json
    plan = stack.queue.get(f"/orchestration-rerun-plan/{first['id']}").json
    again = run(stack, FLOW, "short", previousJobId=first["id"])

    assert first["status"] == "error"
    assert {one["config"]: (one["type"], one["status"]) for one in below} == {
        "customers": ("standard", "success"),
        "orders": ("retryContainer", "error"),
    }
    assert {one["taskId"]: one["status"] for one in plan["matchedTasks"]} == {"customers": "success", "orders": "error"}
    jobs = [{one["id"]: one["jobId"] for one in job["result"]["tasks"]} for job in (first, again)]
    assert jobs[0]["customers"] == jobs[1]["customers"]
    assert jobs[0]["orders"] != jobs[1]["orders"]


def test_an_orchestration_that_is_stopped_stops_what_runs_and_cancels_the_rest(stack: RunningStack) -> None:
    phases = [{"id": 1, "name": "One"}, {"id": 2, "name": "Two", "dependsOn": [1]}]
    save(stack, ORCHESTRATOR, "long", {"phases": phases, "tasks": [task("slow", "1"), task("mend", "2")]})
    flow = stack.start_job("long", component=ORCHESTRATOR)
    [running] = wait_for(lambda: list_running(stack, "slow"))
    response = stack.queue.post(f"/jobs/{flow}/kill")

    assert (response.status, response.json["status"], response.json["desiredStatus"]) == (
        202,
        "terminating",
        "terminating",
    )
    assert stack.finish_job(flow, 5)["status"] == "terminated"
    assert stack.job(running["id"])["status"] == "terminated"
    statuses = [one["status"] for one in stack.queue.get(f"/search/jobs?parentRunId={flow}&sortOrder=asc").json]
    assert statuses == ["terminated", "cancelled"]


def list_running(stack: RunningStack, config_id: str) -> list[dict[str, Any]]:
    return stack.queue.get(f"/search/jobs?componentId={TESTER}&configId={config_id}&status=processing").json
