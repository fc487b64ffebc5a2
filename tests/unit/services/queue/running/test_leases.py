"""A worker's hold on a job: claimed once, in order, one per configuration; taken over, and given up in the end."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timedelta
from time import sleep
from typing import Any

import msgspec
import pytest
from sqlalchemy import update

from penstock.foundation import clock, ids
from penstock.foundation.jobs.claims import LeaseLost
from penstock.foundation.stack import Stack
from penstock.services.queue.models.jobs import JobRow
from penstock.services.queue.models.progress import Collected, PartDone, Progress, read_progress
from penstock.services.queue.models.results import Result
from penstock.services.queue.models.statuses import Status
from penstock.services.queue.reports.job_events import to_event
from penstock.services.queue.running import leases
from penstock.services.queue.store import jobs as store
from tests.support.stacks import ServicesOnly
from tests.unit.services.each_database import emptied
from tests.unit.services.fill import first_project

DONE = Result(message="done")


@pytest.fixture
def services(shared: ServicesOnly) -> ServicesOnly:
    return emptied(shared, "queue_", "storage_events")


@pytest.fixture
def stack(services: ServicesOnly) -> Stack:
    return services.stack


class Clock:
    """Stands still until it is moved."""

    def __init__(self) -> None:
        self.now = clock.now()

    def move(self, **time: float) -> None:
        self.now += timedelta(**time)

    def __call__(self) -> datetime:
        return self.now


@pytest.fixture
def time(monkeypatch: pytest.MonkeyPatch) -> Clock:
    made = Clock()
    monkeypatch.setattr(clock, "source", made)
    return made


def add_jobs(stack: Stack, *configs: str | None) -> list[int]:
    """Jobs as they are accepted; what their configurations hold does not matter here."""
    made: list[int] = []
    with stack.database.writing() as tx:
        for config in configs:
            job = JobRow(
                id=ids.new_id(tx),
                project_id=1,
                branch_id=2,
                run_id="",
                token_id=3,
                token_description="",
                mode="run",
                component="ex-generic-v2",
                config=config,
                config_data=None,
                lock_key=config,
                status=Status.CREATED,
                is_finished=False,
                result=b"{}",
                created_time=clock.now(),
            )
            store.add_job(tx, job)
            made.append(job.id)
    return made


def claim(stack: Stack, worker: str = "worker-1") -> JobRow:
    job = leases.claim_job(stack, worker)
    assert job
    return job


def finish(services: ServicesOnly, job: JobRow) -> None:
    said = [to_event(job, "success", DONE.message)]
    ending = leases.JobOutcome(status=Status.SUCCESS, result=DONE, pending=leases.Pending(said))
    leases.finish_job(services.stack, first_project(services).caller, job, ending)


def find(stack: Stack, job_id: int) -> JobRow:
    with stack.database.reading() as tx:
        job = store.find_job(tx, 1, job_id)
    assert job
    return job


def test_jobs_are_claimed_in_the_order_they_came(stack: Stack) -> None:
    made = add_jobs(stack, "a", "b", "c", None, None)

    assert [claim(stack).id for _ in made] == made
    assert leases.claim_job(stack, "worker-1") is None


def test_a_claimed_job_is_processing(stack: Stack, time: Clock) -> None:
    add_jobs(stack, "a")
    job = claim(stack)

    assert (job.status, job.worker, job.attempt) == (Status.PROCESSING, "worker-1", 1)
    assert job.start_time == time.now
    assert job.lease_until == time.now + timedelta(seconds=15)


def test_a_delayed_job_and_a_later_one_whose_worker_died_do_not_wait_for_each_other(
    services: ServicesOnly, time: Clock
) -> None:
    stack = services.stack
    delayed, later = add_jobs(stack, "a", "a")
    with stack.database.writing() as tx:
        start = {"delayed_start_time": time.now + timedelta(seconds=5)}
        tx.change(update(store.jobs).where(store.jobs.c.id == delayed).values(**start))
    assert claim(stack, "dead").id == later
    time.move(seconds=20)

    taken_over = claim(stack)
    assert taken_over.id == later
    assert leases.claim_job(stack, "worker-1") is None, "the delayed one waits for the one that runs"
    finish(services, taken_over)
    assert claim(stack).id == delayed


def test_a_configuration_runs_one_job_at_a_time_in_order(services: ServicesOnly) -> None:
    stack = services.stack
    first, second, other, third = add_jobs(stack, "a", "a", "b", "a")

    running = claim(stack)
    assert (running.id, claim(stack).id) == (first, other)
    assert leases.claim_job(stack, "worker-2") is None
    finish(services, running)
    running = claim(stack)
    assert running.id == second
    assert leases.claim_job(stack, "worker-2") is None
    finish(services, running)
    assert claim(stack).id == third


def test_a_job_that_is_to_begin_later_keeps_nobody_waiting(services: ServicesOnly, time: Clock) -> None:
    stack = services.stack
    later, now = add_jobs(stack, "a", "a")
    with stack.database.writing() as tx:
        row = find(stack, later)
        store.change_job(tx, row, delayed_start_time=time.now + timedelta(seconds=5))

    running = claim(stack)
    assert running.id == now
    time.move(seconds=6)
    assert leases.claim_job(stack, "worker-2") is None
    finish(services, running)
    assert claim(stack).id == later


@pytest.mark.usefixtures("time")
def test_sixteen_workers_never_claim_a_job_twice(services: ServicesOnly) -> None:
    """A hundred jobs of twenty configurations: each runs once, in order, and never beside one of its own.

    The clock stands still: on a busy machine no lease shall run out.
    """
    stack, busy, guard = services.stack, set[str](), threading.Lock()
    made = add_jobs(stack, *[f"config-{number % 20}" for number in range(100)])
    order: dict[str, list[int]] = {}
    problems: list[str] = []

    def work(name: int) -> int:
        done = 0
        while job := leases.claim_job(stack, f"worker-{name}") or wait_for_work():
            config = str(job.config)
            with guard:
                if config in busy:
                    problems.append(f"{job.id} began beside another of {config}")
                busy.add(config)
                order.setdefault(config, []).append(job.id)
            with guard:
                busy.remove(config)
            finish(services, job)
            done += 1
        return done

    def wait_for_work() -> JobRow | None:
        """Another may still hold the job that the next one waits for."""
        while True:
            with stack.database.reading() as tx:
                if not store.list_unfinished_ids(tx):
                    return None
            if job := leases.claim_job(stack, threading.current_thread().name):
                return job
            sleep(0.01)

    with ThreadPoolExecutor(16) as pool:
        done = sum(pool.map(work, range(16)))

    assert problems == []
    assert done == 100
    assert sorted(job for jobs in order.values() for job in jobs) == made
    assert all(jobs == sorted(jobs) for jobs in order.values())
    assert all(find(stack, job).attempt == 1 for job in made)


def test_a_lease_that_is_renewed_is_kept(stack: Stack, time: Clock) -> None:
    add_jobs(stack, "a")
    job = claim(stack)
    for _ in range(5):
        time.move(seconds=10)
        leases.renew_lease(stack, job)
        assert leases.claim_job(stack, "worker-2") is None


def test_a_job_is_taken_over_when_its_lease_is_over(services: ServicesOnly, time: Clock) -> None:
    stack = services.stack
    [job_id] = add_jobs(stack, "a")
    lost = claim(stack, "worker-1")
    time.move(seconds=15)
    assert leases.claim_job(stack, "worker-2") is None
    time.move(seconds=0.001)
    taken = claim(stack, "worker-2")

    assert (taken.id, taken.attempt, taken.worker) == (job_id, 2, "worker-2")
    assert taken.start_time == lost.start_time
    finish(services, taken)
    assert find(stack, job_id).status == Status.SUCCESS


def test_a_worker_that_comes_back_changes_nothing(services: ServicesOnly, time: Clock) -> None:
    stack = services.stack
    [job_id] = add_jobs(stack, "a")
    stale = claim(stack, "worker-1")
    time.move(seconds=16)
    claim(stack, "worker-2")
    before = find(stack, job_id)

    for change in (
        lambda: leases.renew_lease(stack, stale),
        lambda: leases.record_progress(stack, stale, Progress(collected=Collected(part=0, attempt=1, done=PartDone()))),
        lambda: leases.release_job(stack, stale),
        lambda: finish(services, stale),
    ):
        with pytest.raises(LeaseLost):
            change()
    assert find(stack, job_id) == before
    assert services.service("storage").get("/v2/storage/events").json == []


def test_the_same_worker_of_an_earlier_attempt_is_stale_too(stack: Stack, time: Clock) -> None:
    add_jobs(stack, "a")
    stale = claim(stack, "worker-1")
    time.move(seconds=16)
    claim(stack, "worker-1")

    with pytest.raises(LeaseLost):
        leases.renew_lease(stack, stale)


def test_a_finished_job_is_never_changed_again(services: ServicesOnly) -> None:
    [job_id] = add_jobs(services.stack, "a")
    job = claim(services.stack)
    finish(services, job)
    before = find(services.stack, job_id)

    with pytest.raises(LeaseLost):
        finish(services, job)
    with pytest.raises(LeaseLost):
        leases.release_job(services.stack, job)
    assert find(services.stack, job_id) == before


def test_a_job_whose_workers_die_is_given_up(
    services: ServicesOnly, time: Clock, caplog: pytest.LogCaptureFixture
) -> None:
    stack = services.stack
    [job_id, waiting] = add_jobs(stack, "a", "a")
    for attempt in range(1, leases.MAX_LOST_LEASES + 1):
        assert claim(stack).attempt == attempt
        time.move(seconds=16)
    assert leases.claim_job(stack, "worker-9") is None

    job = find(stack, job_id)
    result: dict[str, Any] = msgspec.json.decode(job.result)
    assert (job.status, job.is_finished, job.end_time) == (Status.ERROR, True, time.now)
    assert "started 3 times" in result["message"]
    assert result["error"]["type"] == "application"
    logged = [vars(record)["facts"] for record in caplog.records if record.message == "job failed"]
    assert [(facts["job_id"], facts["exception_id"]) for facts in logged] == [(job_id, result["error"]["exceptionId"])]
    assert claim(stack).id == waiting
    [event] = services.service("storage").get(f"/v2/storage/events?runId={job_id}").json
    assert (event["type"], event["message"]) == ("error", result["message"])


def test_a_job_that_was_given_back_has_cost_no_worker_its_life(stack: Stack) -> None:
    [job_id] = add_jobs(stack, "a")
    for attempt in range(1, leases.MAX_LOST_LEASES * 2 + 1):
        job = claim(stack)
        assert (job.attempt, job.lost_leases) == (attempt, 0)
        leases.release_job(stack, job)
    assert find(stack, job_id).status == Status.CREATED


def test_what_was_collected_is_remembered(stack: Stack, time: Clock) -> None:
    add_jobs(stack, "a")
    job = claim(stack)
    leases.record_progress(stack, job, Progress(collected=Collected(part=0, attempt=1, done=PartDone())))
    time.move(seconds=16)

    assert read_progress(claim(stack, "worker-2")).collected is not None


def test_the_end_and_its_event_come_together(services: ServicesOnly) -> None:
    [job_id] = add_jobs(services.stack, "a")
    finish(services, claim(services.stack))
    [event] = services.service("storage").get(f"/v2/storage/events?runId={job_id}").json

    assert (event["type"], event["message"]) == ("success", "done")
    assert (event["runId"], event["configurationId"]) == (str(job_id), "a")
