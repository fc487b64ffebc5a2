"""The log of a flow and of its tasks, by the id of the job and by its run id."""

from __future__ import annotations

from typing import Any

import pytest

from penstock.services.queue.models.jobs import JobRow
from penstock.services.queue.reports.job_events import add_event
from tests.unit.services.queue.flows.world import FLOW, ORCHESTRATOR, World, job_task, phase, step

ONE_AFTER_THE_OTHER: dict[str, Any] = {
    "phases": [phase("one", next=[step("two")]), phase("two", dependsOn=["one"])],
    "tasks": [job_task("ta", "one", "a"), job_task("tb", "two", "b")],
}


def run(world: World, component: str) -> tuple[JobRow, list[JobRow]]:
    """A flow and its two tasks, which have logged a line each."""
    world.configure("a", "b")
    world.save(component, "f", ONE_AFTER_THE_OTHER)
    flow, tasks = world.start(component, "f"), list[JobRow]()
    while job := world.claim():
        with world.stack.database.writing() as tx:
            add_event(tx, job, "info", f"a line of {job.config}")
        world.finish(job)
        tasks.append(job)
    return world.find(flow), tasks


def lines(world: World, run_id: str) -> list[str]:
    found = world.storage.get(f"/v2/storage/events?runId={run_id}&sortOrder=asc").json
    return [event["message"] for event in found if event["message"].startswith("a line of")]


@pytest.mark.parametrize("component", [FLOW, ORCHESTRATOR])
def test_the_log_of_a_flow_has_those_of_its_tasks_in_order(world: World, component: str) -> None:
    flow, tasks = run(world, component)

    assert [task.run_id.startswith(f"{flow.id}.") for task in tasks] == [True, True]
    assert lines(world, str(flow.id)) == ["a line of a", "a line of b"]


@pytest.mark.parametrize("component", [FLOW, ORCHESTRATOR])
def test_a_task_has_its_log_by_its_id_and_by_its_run_id(world: World, component: str) -> None:
    _, tasks = run(world, component)

    for task, config in zip(tasks, ("a", "b"), strict=True):
        assert lines(world, str(task.id)) == lines(world, task.run_id) == [f"a line of {config}"]


def test_a_phase_has_the_logs_of_its_tasks(world: World) -> None:
    flow, _ = run(world, ORCHESTRATOR)
    first, second = world.children(flow.id)

    assert (lines(world, str(first.id)), lines(world, second.run_id)) == (["a line of a"], ["a line of b"])


def test_a_run_id_that_names_another_parent_has_no_log_of_the_task(world: World) -> None:
    _, (task, _) = run(world, FLOW)

    assert lines(world, f"1.{task.id}") == []
