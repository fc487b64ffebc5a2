"""How containers end: terminated, broken, or with the parts that they leave behind."""

from __future__ import annotations

import pytest

from penstock.services.queue.models.jobs import JobRow, Kind
from penstock.services.queue.models.statuses import Status
from penstock.services.queue.running import leases
from penstock.services.queue.store import jobs
from tests.unit.services.queue.flows.world import (
    BAD,
    EXTRACTOR,
    FINE,
    FLOW,
    ORCHESTRATOR,
    World,
    job_task,
    phase,
    step,
)

ONCE = {"strategyParams": {"maxRetries": 1, "delay": 0}}
TWO_PHASES = {
    "phases": [phase("one", next=[step("two")]), phase("two", dependsOn=["one"])],
    "tasks": [job_task("ta", "one", "a"), job_task("tb", "one", "b", retry=ONCE), job_task("tc", "two", "c")],
}


def begin(world: World, component: str) -> tuple[int, list[JobRow]]:
    """Two jobs of the first phase, running."""
    world.configure("a", "b", "c")
    world.save(component, "f", TWO_PHASES)
    flow = world.start(component, "f")
    found = [world.claim(), world.claim()]
    return flow, [job for job in found if job]


def stop(world: World, job_id: int) -> None:
    assert world.queue.post(f"/jobs/{job_id}/kill").status == 202


def is_wanted(world: World, job: JobRow) -> bool:
    return world.find(job.id).desired_status is Status.PROCESSING


def test_a_flow_that_is_to_stop_makes_nothing_new_and_ends_with_its_last_child(world: World) -> None:
    flow, running = begin(world, FLOW)
    stop(world, flow)

    assert [is_wanted(world, job) for job in running] == [False, False]
    leases.end_terminated(world.stack, running[0])
    assert world.find(flow).status is Status.TERMINATING
    world.finish(running[1], BAD)
    assert world.find(flow).status is Status.TERMINATED
    assert world.claim() is None
    assert world.events(flow)[-1]["type"] == "warn"


def test_the_phases_of_an_orchestration_that_is_to_stop_end_too(world: World) -> None:
    flow, running = begin(world, ORCHESTRATOR)
    stop(world, flow)
    first, second = world.children(flow)

    assert second.status is Status.CANCELLED
    assert first.desired_status is Status.TERMINATING
    for job in running:
        leases.end_terminated(world.stack, job)
    assert [world.find(job).status for job in (first.id, flow)] == [Status.TERMINATED] * 2


def test_a_phase_that_is_stopped_is_the_reason_that_its_flow_gives(world: World) -> None:
    flow, running = begin(world, ORCHESTRATOR)
    first, second = world.children(flow)
    stop(world, first.id)
    for job in running:
        leases.end_terminated(world.stack, job)

    assert [world.find(job).status for job in (flow, second.id)] == [Status.ERROR, Status.CANCELLED]
    assert world.result(flow)["message"] == 'Phase "Phase one" failed. The job was terminated.'


def test_a_phase_that_waits_and_is_cancelled_is_the_reason_too(world: World) -> None:
    flow, running = begin(world, ORCHESTRATOR)
    stop(world, world.children(flow)[1].id)
    for job in running:
        world.finish(job)

    assert world.find(flow).status is Status.ERROR
    assert world.result(flow)["message"] == 'Phase "Phase two" failed. The job was cancelled before it began.'


@pytest.mark.parametrize("component", [FLOW, ORCHESTRATOR])
def test_a_flow_that_was_terminated_goes_on_where_it_was(world: World, component: str) -> None:
    flow, running = begin(world, component)
    done, other = sorted(running, key=lambda job: str(job.config))
    world.finish(done)
    stop(world, flow)
    leases.end_terminated(world.stack, other)
    again = world.start(component, "f", previous_job_id=str(flow))
    job = world.claim()
    assert job
    stop(world, again)
    leases.end_terminated(world.stack, job)
    world.ran.clear()
    last = world.start(component, "f", previous_job_id=str(again))
    world.work()

    assert (job.config, world.ran) == ("b", ["b", "c"])
    assert world.find(last).status is Status.SUCCESS


def test_a_container_whose_parts_had_not_begun_ends_at_once(world: World) -> None:
    world.configure("a", "b", "c")
    world.save(FLOW, "f", TWO_PHASES)
    flow = world.start(FLOW, "f")
    job = leases.claim_job(world.stack, "worker")
    assert job
    leases.begin_flow(world.stack, job)
    stop(world, flow)

    assert world.find(flow).status is Status.TERMINATED
    assert {child.status for child in world.children(flow)} == {Status.CANCELLED}


def test_a_flow_that_cannot_go_on_ends_without_spoiling_the_end_of_its_child(world: World) -> None:
    flow, running = begin(world, FLOW)
    world.change(flow, progress=b"this is no progress")
    world.finish(running[0], FINE)

    assert world.find(running[0].id).status is Status.SUCCESS
    assert world.find(flow).status is Status.ERROR
    assert world.result(flow)["error"]["type"] == "application"
    assert "no progress" not in world.result(flow)["message"]
    assert not is_wanted(world, running[1])
    leases.end_terminated(world.stack, running[1])
    assert world.claim() is None


def test_what_a_broken_flow_leaves_waiting_is_cancelled(world: World) -> None:
    flow, running = begin(world, ORCHESTRATOR)
    world.change(flow, progress=b"[]")
    for job in running:
        world.finish(job)

    assert world.find(flow).status is Status.ERROR
    assert [child.status for child in world.children(flow)] == [Status.SUCCESS, Status.CANCELLED]


def test_a_child_of_a_flow_that_has_ended_ends_alone(world: World) -> None:
    flow, running = begin(world, FLOW)
    with world.stack.database.writing() as tx:
        jobs.change_job(tx, world.find(flow), status=Status.ERROR, is_finished=True)
    before = world.find(flow)
    world.finish(running[0])

    assert world.find(flow) == before


def test_only_errors_are_tried_again_and_only_as_often_as_allowed(world: World) -> None:
    flow, _ = begin(world, FLOW)
    [job] = [job for job in _ if job.config == "b"]
    world.finish(job, BAD)
    again = world.claim()
    assert again
    world.finish(again, BAD)

    assert world.claim() is None
    retried = world.find(again.parent_id or 0)
    assert (retried.type, retried.status) == (Kind.RETRY, Status.ERROR)
    assert world.result(retried.id)["message"] == BAD[1]
    assert world.find(flow).status is Status.PROCESSING


def test_an_attempt_that_was_terminated_is_not_tried_again(world: World) -> None:
    _, running = begin(world, FLOW)
    [job] = [job for job in running if job.config == "b"]
    leases.end_terminated(world.stack, job)

    assert world.find(job.parent_id or 0).status is Status.TERMINATED
    assert world.claim() is None


def test_a_retry_and_a_phase_by_themselves_say_that_they_are_parts(world: World) -> None:
    world.configure("a")
    retry = world.start(EXTRACTOR, "a", Kind.RETRY)
    world.work()
    part = world.start(EXTRACTOR, "a", Kind.PHASE)
    world.work()

    assert "does not say what to retry" in world.result(retry)["message"]
    assert "only as a part of its flow" in world.result(part)["message"]
