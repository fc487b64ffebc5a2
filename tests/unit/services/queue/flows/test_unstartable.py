"""Thousands of tasks and rows that cannot become jobs are tried a few per transaction, so that others can write."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import msgspec
import pytest

from penstock.foundation import clock
from penstock.services.queue.flows import rows as flow_rows
from penstock.services.queue.flows import work
from penstock.services.queue.flows.rows import Plan
from penstock.services.queue.models.jobs import Kind
from penstock.services.queue.models.statuses import Status
from penstock.services.queue.running import leases
from tests.support.statements import recorded_statements, recorded_transactions
from tests.unit.services.queue.flows.test_large_flows import progress_writes
from tests.unit.services.queue.flows.world import EXTRACTOR, FLOW, ORCHESTRATOR, World, job_task, phase, step

TRIES = 20
MANY = 2 * TRIES + 10
STATEMENTS_PER_TRY = 8
"""Some five are executed for a task that cannot be started."""
BOTH = pytest.mark.parametrize("component", [ORCHESTRATOR, FLOW])
FEW = pytest.mark.usefixtures("few_tries")


@pytest.fixture
def few_tries(monkeypatch: pytest.MonkeyPatch) -> None:
    """A transaction ends after so few here: what is tested is where one ends and how the next one goes on."""
    monkeypatch.setattr(work, "TRIES_PER_TRANSACTION", TRIES)


def missing(tasks: int, first: int = 0) -> list[dict[str, Any]]:
    """Tasks whose configuration does not exist."""
    return [job_task(f"x{number}", "p", "gone") for number in range(first, first + tasks)]


def start(world: World, component: str, tasks: list[dict[str, Any]]) -> int:
    world.save(component, "all", {"phases": [phase("p")], "tasks": tasks})
    return world.start(component, "all")


def begin_next(world: World) -> int | None:
    """How many events the next transaction of a container writes; None if there is none to claim."""
    job = leases.claim_job(world.stack, "worker")
    if not job:
        return None
    with recorded_statements() as statements:
        leases.begin_flow(world.stack, job)
    return len([one for one in statements if one.startswith("INSERT INTO storage_events")])


def find_speaker(world: World, flow: int, component: str) -> int:
    return world.children(flow)[0].id if component == ORCHESTRATOR else flow


def list_tried(world: World, job_id: int) -> list[str]:
    events = world.storage.get(f"/v2/storage/events?runId={job_id}&limit=5000").json[::-1]
    said = [event["message"].split('"') for event in events]
    return [words[1] for words in said if words[0] == "Task " and words[2].startswith(" could not be started: ")]


@pytest.mark.faults
@BOTH
def test_a_flow_of_2000_tasks_that_cannot_be_started_ends_without_a_long_transaction(
    world: World, component: str
) -> None:
    flow = start(world, component, missing(2000))

    with recorded_transactions() as transactions:
        world.work()

    job = world.show(flow)
    assert job["status"] == "error"
    assert [task["status"] for task in job["result"]["tasks"]] == ["error"] * 2000
    assert max(len(progress_writes(each)) for each in transactions) <= 2, "all tasks were written again and again"
    assert max(map(len, transactions)) < STATEMENTS_PER_TRY * work.TRIES_PER_TRANSACTION


@FEW
@BOTH
def test_tasks_that_cannot_be_started_are_tried_a_few_per_transaction_and_each_once(
    world: World, component: str
) -> None:
    flow = start(world, component, missing(MANY))
    written: list[int] = []
    while (events := begin_next(world)) is not None:
        written.append(events)

    assert max(written) <= TRIES + 2
    job, names = world.show(flow), [f"x{number}" for number in range(MANY)]
    assert list_tried(world, find_speaker(world, flow, component)) == names
    assert (job["status"], [task["id"] for task in job["result"]["tasks"]]) == ("error", names)
    assert {task["status"] for task in job["result"]["tasks"]} == {"error"}
    assert {task["message"] for task in job["result"]["tasks"]} == {job["result"]["tasks"][0]["message"]}
    assert 'x0"' in job["result"]["message"].splitlines()[0]


@FEW
@BOTH
def test_a_flow_whose_worker_dies_between_two_transactions_goes_on_where_it_was(world: World, component: str) -> None:
    flow = start(world, component, missing(MANY))
    if component == ORCHESTRATOR:
        begin_next(world)
    begin_next(world)
    claimed = leases.claim_job(world.stack, "lost")
    assert claimed
    world.change(claimed.id, lease_until=clock.now() - timedelta(seconds=1))

    world.work()

    assert world.show(flow)["status"] == "error"
    assert list_tried(world, find_speaker(world, flow, component)) == [f"x{number}" for number in range(MANY)]


@FEW
@BOTH
def test_a_flow_that_is_terminated_between_two_transactions_tries_nothing_more(world: World, component: str) -> None:
    flow = start(world, component, missing(MANY))
    if component == ORCHESTRATOR:
        begin_next(world)
    begin_next(world)
    speaker = find_speaker(world, flow, component)
    assert world.queue.post(f"/jobs/{flow}/kill").status == 202

    assert begin_next(world) is None
    assert world.find(flow).status is Status.TERMINATED
    assert world.find(speaker).is_finished
    assert len(list_tried(world, speaker)) == TRIES - (component == FLOW)


@FEW
@BOTH
@pytest.mark.parametrize("has_running", [False, True])
def test_tasks_behind_many_that_cannot_be_started_run(world: World, component: str, has_running: bool) -> None:
    world.configure("a", "b")
    first = [job_task("first", "p", "a")] if has_running else []
    flow = start(world, component, [*first, *missing(MANY), job_task("last", "p", "b")])

    world.work()

    assert world.ran == [*(["a"] if has_running else []), "b"]
    job = world.show(flow)
    statuses = [task["status"] for task in job["result"]["tasks"]]
    assert (job["status"], statuses[-1], statuses.count("error")) == ("error", "success", MANY)


@FEW
def test_phases_and_tasks_that_need_no_job_are_counted_across_phases(world: World) -> None:
    tasks, phases = TRIES // 2, 5
    hook = {"channel": "webhook", "address": "https://hooks.example.com/"}
    told = {"type": "notification", "title": "Title", "recipients": [hook]}
    document = {
        "phases": [phase(f"p{one}", next=[step(f"p{one + 1}" if one + 1 < phases else None)]) for one in range(phases)],
        "tasks": [
            {"id": f"t{one}-{number}", "name": "t", "phase": f"p{one}", "task": told}
            for one in range(phases)
            for number in range(tasks)
        ],
    }
    world.save(FLOW, "all", document)
    flow, written = world.start(FLOW, "all"), list[int]()
    while (events := begin_next(world)) is not None:
        written.append(events)

    assert max(written) <= TRIES + 1
    assert sum(written) == tasks * phases + 1
    job = world.show(flow)
    assert (job["status"], len(job["result"]["phases"])) == ("success", phases)


def read_plan(world: World, whole: int) -> Plan:
    return msgspec.json.decode(world.find(whole).progress or b"", type=Plan)


@FEW
def test_rows_that_cannot_become_jobs_are_tried_a_few_per_transaction(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = 10
    monkeypatch.setattr(flow_rows, "TASKS_PER_TRANSACTION", made)
    rows = [f"r{number:03}" for number in range(made + TRIES + 5)]
    world.configure("rows")
    for row_id in rows:
        world.save_row("rows", row_id)
    whole = world.start(EXTRACTOR, "rows", Kind.CONTAINER, parallelism="infinity")
    first = world.claim()
    assert first
    assert world.storage.delete(f"/v2/storage/components/{EXTRACTOR}/configs/rows").status == 204

    world.finish(first)

    assert list(read_plan(world, whole).failed) == rows[made:-5]
    world.work()
    assert (world.find(whole).status, len(world.ran)) == (Status.ERROR, made)
    assert list(read_plan(world, whole).failed) == rows[made:]


@FEW
def test_rows_are_tried_further_when_no_job_is_left_whose_end_would_do_it(world: World) -> None:
    world.configure("rows")
    whole = world.start(EXTRACTOR, "rows", Kind.CONTAINER, parallelism="2")
    plan = Plan(1, [f"r{number}" for number in range(MANY)], 0)
    world.change(whole, progress=msgspec.json.encode(plan))
    assert world.storage.delete(f"/v2/storage/components/{EXTRACTOR}/configs/rows").status == 204
    begin_next(world)
    assert not world.find(whole).is_finished
    tried = read_plan(world, whole)

    world.work()

    assert (tried.made, len(tried.failed)) == (TRIES, TRIES)
    assert world.find(whole).status is Status.ERROR
    assert list(read_plan(world, whole).failed) == plan.rows
    assert world.result(whole)["message"].startswith('Row "r0" could not be started: ')


@BOTH
def test_the_tasks_that_a_rerun_need_not_do_again_are_read_together(world: World, component: str) -> None:
    tasks = 30
    world.configure("a", "b")
    flow = start(world, component, [*(job_task(f"t{number}", "p", "a") for number in range(tasks))])
    world.work()
    world.ran.clear()
    again = world.start(component, "all", previous_job_id=str(flow))

    with recorded_statements() as statements:
        world.work()

    assert (world.ran, world.show(again)["status"]) == ([], "success")
    assert len([one for one in statements if one.startswith("SELECT queue_jobs")]) < tasks
