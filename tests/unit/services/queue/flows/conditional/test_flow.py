"""`keboola.flow`: phase after phase, as its conditions say."""

from __future__ import annotations

from typing import Any

import pytest

from penstock.services.queue.flows.conditional.course import MAX_VISITS
from penstock.services.queue.models.statuses import Status
from tests.unit.services.each_database import on_one_database
from tests.unit.services.queue.flows.world import (
    BAD,
    FINE,
    FLOW,
    ORCHESTRATOR,
    World,
    by_id,
    is_status,
    job_task,
    phase,
    step,
)


@pytest.fixture
def world(world: World) -> World:
    world.configure("a", "b", "c")
    return world


def run(world: World, document: dict[str, Any], **fields: Any) -> int:
    world.save(FLOW, "f", document)
    return world.start(FLOW, "f", **fields)


def variable(task_id: str, phase_id: str, **fields: Any) -> dict[str, Any]:
    return {"id": task_id, "name": task_id, "phase": phase_id, "task": {"type": "variable", **fields}}


def two_phases(*steps: dict[str, Any]) -> dict[str, Any]:
    return {
        "phases": [phase("one", next=list(steps)), phase("two")],
        "tasks": [job_task("ta", "one", "a"), job_task("tb", "one", "b"), job_task("tc", "two", "c")],
    }


def test_a_failure_that_no_condition_is_about_fails_the_flow(world: World) -> None:
    flow = run(world, two_phases(step("two", is_status("tb", "error")), step("two")))
    world.work_with(a=BAD)

    assert sorted(world.ran) == ["a", "b"]
    assert world.find(flow).status is Status.ERROR
    assert by_id(world.result(flow)["phases"]) == {"one": "error"}


@pytest.mark.parametrize("status", ["error", "user_error"])
def test_a_failure_that_a_condition_is_about_leads_where_it_says(world: World, status: str) -> None:
    flow = run(world, two_phases(step("two", is_status("ta", status)), step(None)))
    world.work_with(a=BAD)

    assert world.ran[-1] == "c"
    assert world.find(flow).status is Status.WARNING


def test_a_flow_that_ends_in_a_failed_phase_by_default_is_an_error(world: World) -> None:
    flow = run(world, two_phases(step("two", is_status("ta", "success")), step(None)))
    world.work_with(a=BAD)

    assert world.find(flow).status is Status.ERROR
    assert world.ran[-1] != "c"


def test_a_tolerated_failure_goes_on_unless_another_task_failed_too(world: World) -> None:
    tolerant = {"type": "operator", "operator": "CONTINUE_ON_FAILURE", "phase": "one", "tasks": ["ta", "gone"]}
    flow = run(world, two_phases(step("two", tolerant), step(None)))
    world.work_with(a=BAD)
    again = world.start(FLOW, "f")
    world.work_with(a=BAD, b=BAD)

    assert world.find(flow).status is Status.WARNING
    assert world.find(again).status is Status.ERROR
    assert world.ran.count("c") == 1


def test_a_condition_sees_the_results_of_jobs_and_the_variables(world: World) -> None:
    long = {
        "type": "operator",
        "operator": "AND",
        "operands": [
            {
                "type": "operator",
                "operator": "CONTAINS",
                "operands": [
                    {"type": "task", "task": "ta", "value": "job.result.message"},
                    {"type": "const", "value": "42"},
                ],
            },
            {
                "type": "operator",
                "operator": "EQUALS",
                "operands": [{"type": "variable", "value": "limit"}, {"type": "const", "value": 10}],
            },
        ],
    }
    document = two_phases(step("two", long), step(None))
    document["tasks"].append(variable("v", "one", name="limit", value=10))
    flow = run(world, document)
    world.work_with(a=(Status.SUCCESS, "42 rows"))
    again = world.start(FLOW, "f")
    world.work_with(a=(Status.SUCCESS, "41 rows"))

    assert by_id(world.result(flow)["phases"]) == {"one": "success", "two": "success"}
    assert by_id(world.result(again)["phases"]) == {"one": "success"}


def test_a_variable_is_set_from_what_a_task_has_done(world: World) -> None:
    document = two_phases(step("set"))
    document["phases"] += [phase("set", next=[step("end", _says("said", "hello")), step(None)]), phase("end")]
    document["tasks"].append(
        variable("v", "set", name="said", source={"type": "task", "task": "ta", "value": "job.result.message"})
    )
    document["tasks"].append(job_task("te", "end", "c"))
    document["tasks"] = [task for task in document["tasks"] if task["id"] != "tc"] + [job_task("tc", "two", "c")]
    flow = run(world, document)
    world.work_with(a=(Status.SUCCESS, "hello"))

    assert list(by_id(world.result(flow)["phases"])) == ["one", "set", "end"]


def _says(name: str, value: str) -> dict[str, Any]:
    operands = [{"type": "variable", "value": name}, {"type": "const", "value": value}]
    return {"type": "operator", "operator": "EQUALS", "operands": operands}


def test_a_loop_goes_on_until_its_condition_is_met(world: World) -> None:
    document = {
        "phases": [phase("one", next=[step("one", is_status("ta", "error")), step(None)])],
        "tasks": [job_task("ta", "one", "a")],
    }
    flow = run(world, document)
    world.work_with(a=[BAD, BAD, FINE])
    [task] = world.result(flow)["tasks"]

    assert world.ran == ["a", "a", "a"]
    assert world.find(flow).status is Status.WARNING
    assert [one["status"] for one in task["results"]] == ["error", "error", "success"]


def test_a_loop_without_an_end_is_ended(world: World) -> None:
    document = {"phases": [phase("one", next=[step("one")])], "tasks": [variable("v", "one", name="x", value="1")]}
    flow = run(world, document)
    world.work()

    assert world.find(flow).status is Status.ERROR
    assert f"has run {MAX_VISITS} phases" in world.result(flow)["message"]


def test_chosen_tasks_run_phase_after_phase_whatever_the_conditions_say(world: World) -> None:
    flow = run(world, two_phases(step(None)), only_orchestration_task_ids=["ta", "tc"])
    world.work_with(a=BAD)

    assert world.ran == ["a", "c"]
    assert world.find(flow).status is Status.SUCCESS
    assert by_id(world.result(flow)["tasks"]) == {"ta": "error", "tb": "skipped", "tc": "success"}


def test_an_unknown_chosen_task_is_named(world: World) -> None:
    flow = run(world, two_phases(step(None)), only_orchestration_task_ids=["tx"])
    world.work()

    assert "no enabled tasks tx" in world.result(flow)["message"]


def test_a_rerun_reuses_what_succeeded(world: World) -> None:
    first = run(world, two_phases(step("two")))
    world.work_with(a=BAD)
    world.ran.clear()
    again = world.start(FLOW, "f", previous_job_id=str(first))
    world.work()

    assert world.ran == ["a", "c"]
    assert world.find(again).status is Status.SUCCESS


@pytest.mark.parametrize("deep", [False, True])
def test_a_flow_cannot_run_itself(world: World, deep: bool) -> None:
    inner = {"componentId": FLOW, "configId": "f"}
    outer = {"phases": [phase("p")], "tasks": [{"id": "t", "name": "t", "phase": "p", "task": inner}]}
    if deep:
        world.save(ORCHESTRATOR, "between", outer)
        inner = {"componentId": ORCHESTRATOR, "configId": "between"}
    flow = run(world, {**outer, "tasks": [{**outer["tasks"][0], "task": {"type": "job", "mode": "run", **inner}}]})
    world.work()

    assert world.find(flow).status is Status.ERROR
    assert "A flow cannot run itself" in world.result(flow)["message"]
    assert world.children(flow) == []


def test_a_flow_runs_another_flow(world: World) -> None:
    world.save(FLOW, "inner", two_phases(step("two")))
    task = {"type": "job", "mode": "run", "componentId": FLOW, "configId": "inner"}
    document = {"phases": [phase("p")], "tasks": [{"id": "t", "name": "t", "phase": "p", "task": task}]}
    flow = run(world, document)
    world.work()

    assert sorted(world.ran) == ["a", "b", "c"]
    assert world.find(flow).status is Status.SUCCESS


def test_a_revoked_token_ends_the_flow(world: World) -> None:
    made = world.storage.post(
        "/v2/storage/tokens", {"description": "x", "canManageBuckets": True, "canCreateJobs": True}
    )
    flow = run(world, two_phases(step("two")), token_id=int(made.json["id"]))
    jobs = [world.claim(), world.claim()]
    assert world.storage.delete(f"/v2/storage/tokens/{made.json['id']}").status == 204
    for job in jobs:
        assert job
        world.finish(job)

    assert world.find(flow).status is Status.ERROR
    assert world.result(flow)["message"] == "The token that started this job was revoked or has expired."


def test_a_configuration_that_changes_meanwhile_does_not_change_the_flow(world: World) -> None:
    flow = run(world, two_phases(step("two")))
    job = world.claim()
    assert job
    path = f"/v2/storage/components/{FLOW}/configs/f"
    assert world.storage.put(path, {"configuration": {"phases": [], "tasks": []}}).status == 200
    world.finish(job)
    world.work()

    assert world.find(flow).status is Status.SUCCESS
    assert world.ran[-1] == "c"


@on_one_database
@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"phases": []}, "phases: The flow has no phases."),
        ({"phases": [phase("two")]}, 'tasks[0].phase: There is no phase "one".'),
        ({"phases": [phase("one")], "tasks": []}, 'phases[0]: The phase "one" has no enabled task.'),
        ({"phases": [phase("one", next=[step("x")]), phase("two")]}, 'phases[0].next[0].goto: There is no phase "x".'),
        ({"phases": [phase("one", next=[{"id": "n"}]), phase("two")]}, "phases[0].next[0].goto: There must be"),
        (
            {"phases": [phase("one", next=[step("two", is_status("ta", "x"))]), phase("two")]},
            "phases[0].next: The last transition must have no condition",
        ),
        (
            {"phases": [phase("one", next=[step("two", {"type": "operator", "operator": "EQUALS"}), step(None)])]},
            "phases[0].next[0].condition: EQUALS takes 2 operands, not 0.",
        ),
        ({"tasks": [{"id": "t", "name": "t", "phase": "one", "task": {"type": "dance"}}]}, "tasks[0].task.type"),
        ({"tasks": [job_task("t", "one", "a", retry={"strategy": "odd"})]}, "'odd' is not a valid value here."),
        ({"tasks": [variable("t", "one", name="x")]}, "tasks[0].task: A variable needs a value or a source."),
    ],
)
def test_what_is_wrong_with_a_flow_is_said_by_its_place(world: World, change: dict[str, Any], said: str) -> None:
    flow = run(world, {**two_phases(step("two")), **change})
    world.work()

    assert world.find(flow).status is Status.ERROR
    assert said in world.result(flow)["message"]
    assert world.result(flow)["error"]["type"] == "user"
    [event] = world.events(flow)
    assert event["type"] == "error"
