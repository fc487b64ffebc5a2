"""Flows of thousands of tasks: made into jobs a few at a time, so that nobody waits long to write."""

from __future__ import annotations

from typing import Any

import pytest

from penstock.foundation import limits
from penstock.services.queue.flows import task_jobs
from penstock.services.queue.flows.errors import WrongFlow
from penstock.services.queue.flows.orchestration.document import read_orchestration
from penstock.services.queue.flows.task_jobs import TASKS_AT_ONCE, TASKS_PER_TRANSACTION
from penstock.services.queue.models.statuses import Status
from tests.support.statements import recorded_statements, recorded_transactions
from tests.unit.services.queue.flows.world import FLOW, ORCHESTRATOR, World, job_task, phase, step

STATEMENTS_PER_JOB = 10
"""Some seven are executed to create a job."""


def _flow(tasks: int) -> dict[str, Any]:
    return {"phases": [phase("p")], "tasks": [job_task(f"t{number}", "p", "a") for number in range(tasks)]}


@pytest.mark.parametrize("component", [ORCHESTRATOR, FLOW])
def test_a_flow_of_4000_tasks_makes_its_jobs_a_few_at_a_time(world: World, component: str) -> None:
    world.configure("a")
    world.save(component, "all", _flow(4000))
    flow = world.start(component, "all")
    with recorded_transactions() as transactions:
        first = world.claim()

        assert first
        assert first.parent_id is not None
        assert len(world.children(first.parent_id)) == TASKS_PER_TRANSACTION
        world.finish(first)

    assert len(world.children(first.parent_id)) == TASKS_AT_ONCE
    assert not world.find(flow).is_finished
    assert max(len(progress_writes(each)) for each in transactions) <= 2, "all tasks were written again and again"
    assert max(map(len, transactions)) < STATEMENTS_PER_JOB * TASKS_PER_TRANSACTION


def progress_writes(statements: list[str]) -> list[str]:
    """Those that write all tasks of a flow."""
    return [one for one in statements if "UPDATE queue_jobs" in one and "progress" in one.partition("WHERE")[0]]


@pytest.mark.parametrize("component", [ORCHESTRATOR, FLOW])
def test_a_task_that_ends_does_not_write_all_tasks_of_its_flow_again(world: World, component: str) -> None:
    world.configure("a")
    world.save(component, "all", _flow(TASKS_AT_ONCE + 50))
    world.start(component, "all")
    for _ in range(2):
        job = world.claim()
        assert job
        world.finish(job)
    job = world.claim()
    assert job

    with recorded_statements() as statements:
        world.finish(job)

    assert progress_writes(statements) == []
    assert [one for one in statements if "UPDATE queue_jobs" in one]


def test_any_number_of_variables_is_set_with_as_many_queries(world: World) -> None:
    world.configure("a")

    assert count_queries(world, variables=30) == count_queries(world, variables=1)


def count_queries(world: World, variables: int) -> int:
    """That read jobs, when a flow sets so many variables from what one of its tasks has done."""
    world.save(FLOW, f"f{variables}", _flow_with_variables(variables))
    flow = world.start(FLOW, f"f{variables}")
    job = world.claim()
    assert job
    with recorded_statements() as statements:
        world.finish(job)
    assert world.find(flow).status is Status.SUCCESS
    return len([one for one in statements if one.startswith("SELECT queue_jobs.id")])


def _flow_with_variables(count: int) -> dict[str, Any]:
    source = {"type": "task", "task": "t0", "value": "job.result.message"}
    tasks = [
        {
            "id": f"v{number}",
            "name": "v",
            "phase": "q",
            "task": {"type": "variable", "name": f"v{number}", "source": source},
        }
        for number in range(count)
    ]
    phases = [phase("p", next=[step("q")]), phase("q")]
    return {"phases": phases, "tasks": [*_flow(1)["tasks"], *tasks]}


@pytest.mark.parametrize("component", [ORCHESTRATOR, FLOW])
def test_a_flow_ends_with_as_many_queries_as_it_has_phases_and_not_tasks(world: World, component: str) -> None:
    tasks = 40
    world.configure("a")
    retried = [job_task(f"r{number}", "p", "a", retry={"strategyParams": {"maxRetries": 1}}) for number in range(3)]
    document = _flow(tasks)
    world.save(component, "all", {**document, "tasks": [*document["tasks"], *retried]})
    flow = world.start(component, "all")
    for _ in range(tasks + len(retried) - 1):
        job = world.claim()
        assert job
        world.finish(job)
    last = world.claim()
    assert last

    with recorded_statements() as statements:
        world.finish(last)

    shown = world.show(flow)
    assert shown["status"] == "success"
    assert [len(task["results"]) for task in shown["result"]["tasks"]] == [1] * (tasks + len(retried))
    assert len([one for one in statements if one.startswith("SELECT queue_jobs")]) < tasks // 2


@pytest.mark.parametrize("component", [ORCHESTRATOR, FLOW])
def test_every_task_of_a_large_flow_runs_once(world: World, component: str, monkeypatch: pytest.MonkeyPatch) -> None:
    # Large is what has more tasks than may be jobs at once.
    monkeypatch.setattr(task_jobs, "TASKS_AT_ONCE", 20)
    monkeypatch.setattr(task_jobs, "TASKS_PER_TRANSACTION", 10)
    tasks = 34
    world.configure("a")
    world.save(component, "all", _flow(tasks))
    flow = world.start(component, "all")

    world.work()

    job = world.show(flow)
    assert (job["status"], len(world.ran)) == ("success", tasks)
    assert [task["id"] for task in job["result"]["tasks"]] == [f"t{number}" for number in range(tasks)]


def test_tasks_that_cannot_be_started_do_not_keep_others_from_starting(world: World) -> None:
    world.configure("a")
    tasks = [job_task(f"x{number}", "p", "gone") for number in range(TASKS_AT_ONCE)]
    document = {"phases": [phase("p")], "tasks": [*tasks, job_task("last", "p", "a")]}
    world.save(ORCHESTRATOR, "all", document)
    flow = world.start(ORCHESTRATOR, "all")

    world.work()

    assert (world.ran, world.show(flow)["status"]) == (["a"], "error")


@pytest.mark.parametrize(("phases", "tasks"), [(limits.PHASES + 1, 0), (1, limits.TASKS + 1)], ids=["phases", "tasks"])
def test_a_flow_with_more_than_it_may_have_is_refused(phases: int, tasks: int) -> None:
    document = {
        "phases": [phase(f"p{number}") for number in range(phases)],
        "tasks": [job_task(f"t{number}", "p0", "a") for number in range(tasks)],
    }

    with pytest.raises(WrongFlow, match="a flow has at most"):
        read_orchestration(document)
