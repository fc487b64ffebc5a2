"""Several things happen to a container at the same moment, on each database; it always ends, and only once."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress

from penstock.foundation.jobs.claims import LeaseLost
from penstock.services.queue.models.jobs import JobRow, Kind
from penstock.services.queue.models.statuses import Status
from penstock.services.queue.running import leases
from tests.unit.services.queue.flows.world import EXTRACTOR, FLOW, World, job_task, phase, step

ROWS = 6


def begin(world: World) -> tuple[int, list[JobRow]]:
    """All rows of a configuration, running."""
    world.configure("rows")
    for number in range(ROWS):
        world.save_row("rows", f"r{number}")
    whole = world.start(EXTRACTOR, "rows", Kind.CONTAINER, parallelism="infinity")
    found = [world.claim() for _ in range(ROWS)]
    return whole, [job for job in found if job]


def at_once(*acts: Callable[[], object]) -> None:
    start = threading.Barrier(len(acts))

    def do(act: Callable[[], object]) -> None:
        start.wait()
        act()

    with ThreadPoolExecutor(len(acts)) as pool:
        list(pool.map(do, acts))


def count_ends(world: World, job_id: int) -> int:
    return len([event for event in world.events(job_id) if event["type"] in ("success", "warn", "error")])


def test_children_that_end_at_the_same_moment_end_their_container_once(world: World) -> None:
    whole, running = begin(world)
    at_once(*(lambda job=job: world.finish(job) for job in running))

    assert world.find(whole).status is Status.SUCCESS
    assert count_ends(world, whole) == 1


def test_a_container_that_is_stopped_while_its_children_end_ends_once(world: World) -> None:
    whole, running = begin(world)

    def end(job: JobRow) -> None:
        with suppress(LeaseLost):
            world.finish(job)

    at_once(lambda: world.queue.post(f"/jobs/{whole}/kill"), *(lambda job=job: end(job) for job in running))

    assert world.find(whole).status in (Status.SUCCESS, Status.TERMINATED)
    assert count_ends(world, whole) == 1
    assert all(child.is_finished for child in world.children(whole))


def test_a_container_that_is_stopped_before_its_worker_begins_it_makes_no_children(world: World) -> None:
    world.configure("a")
    world.save(FLOW, "f", {"phases": [phase("one", next=[step(None)])], "tasks": [job_task("ta", "one", "a")]})
    flow = world.start(FLOW, "f")
    claimed = leases.claim_job(world.stack, "worker")
    assert claimed
    assert world.queue.post(f"/jobs/{flow}/kill").json["status"] == "terminating"
    leases.begin_flow(world.stack, claimed)

    assert world.find(flow).status is Status.TERMINATED
    assert world.children(flow) == []


def test_jobs_that_are_claimed_while_their_container_is_stopped_are_stopped_or_never_begin(world: World) -> None:
    world.configure("rows")
    for number in range(ROWS):
        world.save_row("rows", f"r{number}")
    whole = world.start(EXTRACTOR, "rows", Kind.CONTAINER, parallelism="infinity")
    container = leases.claim_job(world.stack, "worker")
    assert container
    leases.begin_flow(world.stack, container)
    claimed: list[JobRow | None] = []
    claims = [lambda: claimed.append(leases.claim_job(world.stack, "worker")) for _ in range(ROWS)]
    at_once(lambda: world.queue.post(f"/jobs/{whole}/kill"), *claims)

    for job in claimed:
        if job:
            assert world.find(job.id).desired_status is Status.TERMINATING
            leases.end_terminated(world.stack, job)
    assert world.find(whole).status is Status.TERMINATED
    assert {child.status for child in world.children(whole)} <= {Status.CANCELLED, Status.TERMINATED}
