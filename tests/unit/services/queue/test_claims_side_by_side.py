"""PostgreSQL: many workers claim at once, without the lock that writers wait for, and break no rule."""

from __future__ import annotations

import threading
from collections.abc import Generator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from penstock.foundation.stack import Stack
from penstock.services.queue.models.statuses import Status
from penstock.services.queue.running import leases
from penstock.services.queue.store import jobs as store
from tests.support.postgresql import NewStack
from tests.support.stacks import ServicesOnly
from tests.unit.services.queue.running.test_leases import add_jobs, claim, find, finish

LIMIT = 3


@pytest.fixture
def services(new_stack_on_postgresql: NewStack, tmp_path: Path) -> Generator[ServicesOnly]:
    made = new_stack_on_postgresql.copy(tmp_path / "data")
    yield made
    made.close()


@pytest.fixture
def stack(services: ServicesOnly) -> Stack:
    return services.stack.with_settings(jobs_per_project=LIMIT)


def test_no_project_ever_runs_one_too_many(services: ServicesOnly, stack: Stack) -> None:
    """Twelve who claim at the same moment all see room for one more; only as many as there is room for get a job."""
    add_jobs(stack, *[f"config-{number}" for number in range(24)])
    start = threading.Barrier(12)

    def take(name: int) -> list[int]:
        start.wait()
        job = leases.claim_job(stack, f"worker-{name}")
        return [job.id] if job else []

    for _ in range(8):
        with ThreadPoolExecutor(12) as pool:
            taken = [job for jobs in pool.map(take, range(12)) for job in jobs]
        assert 1 <= len(taken) <= LIMIT
        assert len(set(taken)) == len(taken)
        for job_id in taken:
            finish(services, find(stack, job_id))


def test_a_claim_does_not_wait_for_a_writer(stack: Stack) -> None:
    add_jobs(stack, "a")
    with stack.database.writing():
        assert leases.claim_job(stack, "worker-1")


def test_a_job_that_a_writer_has_looked_at_is_not_claimed_meanwhile(stack: Stack) -> None:
    """So that what it decides about the job is still right when it changes it."""
    first, second = add_jobs(stack, "a", "b")
    with stack.database.writing() as tx:
        job = store.find_job(tx, 1, first)
        assert job
        assert claim(stack).id == second
        store.change_job(tx, job, status=Status.CANCELLED, is_finished=True)

    assert leases.claim_job(stack, "worker-1") is None
    assert find(stack, first).status == Status.CANCELLED


def test_a_job_that_a_reader_looks_at_is_claimed(stack: Stack) -> None:
    [made] = add_jobs(stack, "a")
    with stack.database.reading() as tx:
        assert store.find_job(tx, 1, made)
        assert claim(stack).id == made
