"""`keboola.orchestrator`: phases that depend on phases."""

from __future__ import annotations

from typing import Any

import pytest

from penstock.services.queue.models.jobs import Kind
from penstock.services.queue.models.statuses import Status
from tests.unit.services.each_database import on_one_database
from tests.unit.services.queue.flows.world import BAD, FINE, ORCHESTRATOR, World, by_id, job_task, phase


def run(world: World, document: dict[str, Any], **fields: Any) -> int:
    world.save(ORCHESTRATOR, "all", document)
    return world.start(ORCHESTRATOR, "all", **fields)


def chain(**last: Any) -> dict[str, Any]:
    """Three phases in a row and one beside them; ids as numbers, as older flows write them."""
    return {
        "phases": [
            phase(1, **last),  # pyright: ignore[reportArgumentType]
            {"id": 2, "name": "Two", "dependsOn": [1]},
            {"id": 3, "name": "Three", "dependsOn": [2], "behavior": [], "description": None},
            {"id": 4, "name": "Four", "dependsOn": []},
        ],
        "tasks": [
            {**job_task("x", "1", "a"), "id": 11, "phase": 1},
            {**job_task("x", "1", "b"), "id": 12, "phase": 1},
            {**job_task("x", "2", "c"), "id": 21, "phase": 2},
            {**job_task("x", "3", "d"), "id": 31, "phase": 3},
            {**job_task("x", "4", "e"), "id": 41, "phase": 4},
        ],
    }


@pytest.fixture
def world(world: World) -> World:
    world.configure("a", "b", "c", "d", "e")
    return world


def test_phases_run_after_those_they_depend_on(world: World) -> None:
    flow = run(world, chain())
    first = world.claim()
    phases = world.children(flow)

    assert first
    assert [one.type for one in phases] == [Kind.PHASE] * 4
    assert [one.is_held for one in phases] == [False, True, True, False]
    assert phases[1].status is Status.WAITING
    world.finish(first)
    world.work()
    job = world.show(flow)
    assert world.ran.index("c") > max(world.ran.index("a"), world.ran.index("b"))
    assert world.ran.index("d") > world.ran.index("c")
    assert (job["status"], job["result"]["message"]) == ("success", "Flow finished.")
    assert by_id(job["result"]["phases"]) == dict.fromkeys(("1", "2", "3", "4"), "success")
    assert [task["id"] for task in job["result"]["tasks"]] == ["11", "12", "21", "31", "41"]
    assert {task["phase"] for task in job["result"]["tasks"]} == {"1", "2", "3", "4"}


def test_the_run_ids_of_tasks_are_below_their_phase(world: World) -> None:
    flow = run(world, chain())
    world.work()
    first = world.children(flow)[0]
    task = world.children(first.id)[0]

    assert task.run_id == f"{flow}.{first.id}.{task.id}"


def test_what_depends_on_a_failed_phase_is_cancelled_and_the_rest_runs(world: World) -> None:
    flow = run(world, chain())
    world.work_with(b=BAD)
    job = world.show(flow)

    assert sorted(world.ran) == ["a", "b", "e"]
    assert job["status"] == "error"
    assert by_id(job["result"]["phases"]) == {"1": "error", "2": "cancelled", "3": "cancelled", "4": "success"}
    assert "The API said no." in job["result"]["message"]
    assert job["result"]["error"]["type"] == "user"
    assert all(child.is_finished for child in world.children(flow))


def test_a_failure_that_is_to_be_passed_over_is_a_warning(world: World) -> None:
    document = chain()
    document["tasks"][1]["continueOnFailure"] = True
    flow = run(world, document)
    world.work_with(b=BAD)

    assert sorted(world.ran) == ["a", "b", "c", "d", "e"]
    assert world.show(flow)["status"] == "warning"
    assert by_id(world.result(flow)["phases"])["1"] == "warning"


def test_a_phase_whose_failure_is_a_warning_lets_the_next_begin(world: World) -> None:
    flow = run(world, chain(behavior={"onError": "warning"}))
    world.work_with(b=BAD)

    assert sorted(world.ran) == ["a", "b", "c", "d", "e"]
    assert world.show(flow)["status"] == "warning"
    assert by_id(world.result(flow)["phases"])["1"] == "error"


def test_a_phase_that_stops_the_flow_leaves_nothing_waiting(world: World) -> None:
    document = chain(behavior={"onError": "stop"})
    document["phases"][3]["dependsOn"] = [5]
    document["phases"].append({"id": 5, "name": "Five", "dependsOn": [2]})
    flow = run(world, document)
    world.work_with(a=BAD)

    assert by_id(world.result(flow)["phases"]) == {"1": "error", **dict.fromkeys(("2", "3", "4", "5"), "cancelled")}


def test_disabled_tasks_are_skipped_and_a_phase_without_tasks_is_done_at_once(world: World) -> None:
    document = chain()
    document["tasks"][2]["enabled"] = False
    flow = run(world, document)
    world.work()

    assert sorted(world.ran) == ["a", "b", "d", "e"]
    assert by_id(world.result(flow)["phases"])["2"] == "success"


def test_chosen_tasks_run_alone_and_in_their_order(world: World) -> None:
    flow = run(world, chain(), only_orchestration_task_ids=["11", "31"])
    world.work()

    assert world.ran == ["a", "d"]
    assert list(by_id(world.result(flow)["phases"])) == ["1", "3"]


def test_a_rerun_reuses_what_succeeded(world: World) -> None:
    first = run(world, chain())
    world.work_with(b=BAD)
    world.ran.clear()
    again = world.start(ORCHESTRATOR, "all", previous_job_id=str(first))
    world.work()

    assert world.ran == ["b", "c", "d"]
    assert world.show(again)["status"] == "success"
    jobs = [{task["id"]: task["jobId"] for task in world.result(one)["tasks"]} for one in (first, again)]
    assert jobs[0]["11"] == jobs[1]["11"]
    assert jobs[0]["12"] != jobs[1]["12"]


def test_a_rerun_of_another_flows_job_is_refused(world: World) -> None:
    flow = run(world, chain(), previous_job_id="123")
    world.work()

    assert world.show(flow)["status"] == "error"
    assert world.result(flow)["message"].startswith('previousJobId: "123"')


def test_a_task_that_cannot_start_is_a_failed_task(world: World) -> None:
    document = chain()
    document["tasks"][4]["task"]["configId"] = "nope"
    document["tasks"][0]["task"]["componentId"] = "no-such.component"
    flow = run(world, document)
    world.work()

    assert world.ran == ["b"]
    shown = {task["id"]: task for task in world.result(flow)["tasks"]}
    assert shown["41"]["status"] == "error"
    assert "nope" in shown["41"]["message"]
    assert "no-such.component" in world.result(flow)["message"]
    assert world.show(flow)["status"] == "error"


@on_one_database
@pytest.mark.parametrize(
    ("document", "said"),
    [
        ({}, "phases: There must be a list here."),
        ({"phases": {}, "tasks": []}, "phases: There must be a list here."),
        ({"phases": [{"id": 1, "name": "x", "dependsOn": [2]}], "tasks": []}, 'There is no phase "2".'),
        ({"phases": [{"id": 1, "name": "x", "dependsOn": [1]}], "tasks": []}, "depend on each other in a circle"),
        ({"phases": [{"id": 1}], "tasks": []}, "phases[0]: The field `name` is missing."),
        ({"phases": [7], "tasks": []}, "phases[0]: There must be an object here."),
        ({"phases": [phase("1"), phase("1")], "tasks": []}, 'phases[1].id: The id "1" is used twice.'),
        ({"phases": [], "tasks": [job_task("t", "9", "a")]}, 'tasks[0].phase: There is no phase "9".'),
        ({"phases": [phase("1")], "tasks": [job_task("t", "1", "")]}, "tasks[0].task: A task needs a configId"),
    ],
)
def test_what_is_wrong_with_an_orchestration_is_said_by_its_place(world: World, document: Any, said: str) -> None:
    flow = run(world, document)
    world.work()
    result = world.result(flow)

    assert world.find(flow).status is Status.ERROR
    assert said in result["message"]
    assert result["error"]["type"] == "user"
    assert world.children(flow) == []
    assert FINE[1] not in result["message"]
