"""The queue is shared: projects with work have equal shares, those without reserve nothing."""

from __future__ import annotations

import time
from datetime import timedelta
from typing import Any

import pytest

from penstock.foundation import clock
from penstock.foundation.jobs.claims import NO_LIMIT
from penstock.foundation.stack import Stack
from penstock.services.queue.models.jobs import JobRow
from penstock.services.queue.models.statuses import Status
from penstock.services.queue.running import leases
from penstock.services.queue.store.jobs import claim_job, jobs
from tests.support.stacks import ServicesOnly
from tests.unit.services.fill import add_project
from tests.unit.services.queue.jobs import add_job

WAITING = 10_000


@pytest.fixture
def other(services: ServicesOnly) -> int:
    """A second project."""
    return add_project(services).caller.project_id


def claim(stack: Stack) -> int | None:
    job = leases.claim_job(stack, "w")
    return job.id if job else None


def add(services: ServicesOnly, count: int, **fields: Any) -> list[int]:
    return [add_job(services, **fields).id for _ in range(count)]


def test_the_project_with_the_fewest_running_jobs_is_next(services: ServicesOnly, other: int) -> None:
    many, few = add(services, 3), add(services, 2, project_id=other)
    stack = services.stack.with_settings(jobs_per_project=10)

    assert [claim(stack) for _ in range(6)] == [many[0], few[0], many[1], few[1], many[2], None]


def test_a_project_with_many_short_jobs_does_not_come_before_another_again_and_again(
    services: ServicesOnly, other: int
) -> None:
    many, few = add(services, 4), add(services, 2, project_id=other)
    taken: list[int] = []
    for _ in range(6):
        job = leases.claim_job(services.stack, "w")
        assert job
        leases.end_terminated(services.stack, job)
        taken.append(job.id)

    assert taken == [many[0], few[0], many[1], few[1], many[2], many[3]]


@pytest.mark.usefixtures("other")
def test_a_project_has_all_workers_while_another_is_idle(services: ServicesOnly) -> None:
    many = add(services, 2)

    assert [claim(services.stack.with_settings(workers=2)) for _ in many] == many


@pytest.mark.parametrize("reason", [{"is_held": True}, {"delayed_start_time": clock.now() + timedelta(days=1)}])
def test_jobs_that_may_not_run_yet_reserve_no_worker(
    services: ServicesOnly, other: int, reason: dict[str, Any]
) -> None:
    add(services, 3, project_id=other, **reason)
    many = add(services, 2)

    assert [claim(services.stack.with_settings(workers=2)) for _ in many] == many


@pytest.mark.parametrize("workers", [2, 3, 4])
def test_projects_that_are_both_busy_have_equal_shares(services: ServicesOnly, other: int, workers: int) -> None:
    """Those of the first project came first; with an odd number of workers it has one more."""
    many = add(services, 6)
    few = add(services, 6, project_id=other)
    running = [claim(services.stack.with_settings(workers=workers)) for _ in range(workers)]

    assert running == [job for pair in zip(many, few, strict=True) for job in pair][:workers]


def test_the_next_free_worker_is_for_the_project_that_had_none(services: ServicesOnly, other: int) -> None:
    """Nothing waits forever: whoever has all workers gives up the first that becomes free, and the second as its turn
    comes."""
    stack = services.stack.with_settings(workers=2)
    many = add(services, 6)
    running = [job for _ in range(2) if (job := leases.claim_job(stack, "w"))]
    few = add(services, 3, project_id=other)
    taken: list[int] = []
    for _ in range(4):
        leases.end_terminated(stack, running.pop(0))
        next_job = leases.claim_job(stack, "w")
        assert next_job
        running.append(next_job)
        taken.append(next_job.id)

    assert taken == [few[0], many[2], few[1], many[3]]


def test_a_limit_keeps_a_worker_free_for_the_other_projects(services: ServicesOnly, other: int) -> None:
    many = add(services, 4)
    stack = services.stack.with_settings(workers=3, jobs_per_project=2)

    assert [claim(stack) for _ in range(3)] == [many[0], many[1], None]
    few = add(services, 1, project_id=other)
    assert [claim(stack) for _ in range(2)] == [few[0], None]


def test_jobs_that_cannot_run_keep_no_project_waiting(services: ServicesOnly, other: int) -> None:
    """Those of the first project come first, and all wait: for their lock, for their time, for the job around them."""
    running = add_job(services, lock_key="a", status=Status.PROCESSING, worker="w", lease_until=clock.now())
    add(services, 3, lock_key="a")
    add(services, 2, is_held=True)
    [free] = add(services, 1, project_id=other, branch_id=running.branch_id, lock_key="a")

    assert [claim(services.stack.with_settings(workers=4)) for _ in range(1)] == [free]


def test_a_claim_is_quick_however_many_jobs_wait(services: ServicesOnly, other: int) -> None:
    few = add(services, 20, project_id=add_project(services).caller.project_id)
    usual = min(time_claim(services)[1] for _ in few)
    multiply(services, add_job(services), WAITING)
    [one] = add(services, 1, project_id=other)
    assert claim(services.stack) != one, "the oldest is first"

    took = [time_claim(services) for _ in range(20)]
    assert took[0][0] == one, "it waited behind the jobs of the other project"
    # The fastest of each, since others use this machine too. Comparing all jobs would take thousands of times as long.
    assert min(seconds for _, seconds in took) < 30 * usual


def time_claim(services: ServicesOnly) -> tuple[int, float]:
    with services.stack.database.claiming() as tx:
        began = time.perf_counter()
        job = claim_job(tx, "w", clock.now(), NO_LIMIT)
        seconds = time.perf_counter() - began
    assert job
    return job.id, seconds


def multiply(services: ServicesOnly, model: JobRow, count: int) -> None:
    """As many more, behind it."""
    names = [column.name for column in jobs.columns]
    values = ", ".join("1000000 + i" if name == "id" else name for name in names)
    numbers = f"WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i + 1 < {count})"
    chosen = f"SELECT {values} FROM queue_jobs, n WHERE id = {model.id}"
    with services.stack.database.writing() as tx:
        tx.connection.exec_driver_sql(f"{numbers} INSERT INTO queue_jobs ({', '.join(names)}) {chosen}")
        tx.connection.exec_driver_sql("ANALYZE queue_jobs")  # as PostgreSQL does by itself, a little later
