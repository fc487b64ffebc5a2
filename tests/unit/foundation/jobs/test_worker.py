"""The loop of a worker, with the smallest service there can be."""

from __future__ import annotations

import inspect
import threading
import time
from collections.abc import Generator
from contextlib import contextmanager
from datetime import timedelta

import pytest
from sqlalchemy import func, select, update

from penstock.foundation import clock
from penstock.foundation.database import Database
from penstock.foundation.errors import Unavailable
from penstock.foundation.jobs.change_poller import LOOK_SECONDS
from penstock.foundation.jobs.worker import SAFETY_SECONDS, Worker
from tests.support.patience import PATIENCE
from tests.support.stacks import wait_for
from tests.unit.foundation.jobs import greetings as service
from tests.unit.foundation.jobs.conftest import CountingDatabase
from tests.unit.foundation.jobs.greetings import CLAIMS, Greeting, GreetingWorker, add_greetings, greetings


@contextmanager
def running(worker: Worker[Greeting]) -> Generator[threading.Thread]:
    thread = threading.Thread(target=worker.run)
    thread.start()
    try:
        yield thread
    finally:
        worker.stop()
        thread.join()


def count_unfinished(database: Database) -> int:
    with database.reading() as tx:
        return int(tx.value(select(func.count()).select_from(greetings).where(~greetings.c.is_finished)))


def test_a_worker_is_about_twenty_lines() -> None:
    lines = inspect.getsource(service.GreetingWorker).strip().splitlines()

    assert len(lines) <= 20


def test_jobs_are_performed_in_their_order_and_once(database: Database) -> None:
    said: list[str] = []
    add_greetings(database, "Ada", "Emmy", "Grace")
    with running(GreetingWorker(database, "w", said)):
        wait_for(lambda: count_unfinished(database) == 0)

    assert said == ["Hello, Ada!", "Hello, Emmy!", "Hello, Grace!"]


def test_a_job_that_is_added_later_is_found(counting: CountingDatabase) -> None:
    said: list[str] = []
    with running(GreetingWorker(counting, "w", said)):
        wait_for(lambda: counting.reads)
        add_greetings(counting, "Ada")
        wait_for(lambda: said == ["Hello, Ada!"])


def test_an_idle_worker_opens_no_transaction(counting: CountingDatabase) -> None:
    with running(GreetingWorker(counting, "w", [])):
        wait_for(lambda: counting.reads)
        counting.reads = counting.writes = 0
        time.sleep(3 * LOOK_SECONDS)

        assert (counting.reads, counting.writes) == (0, 0)


def test_a_worker_that_cannot_read_tries_again(counting: CountingDatabase) -> None:
    said: list[str] = []
    counting.error = Unavailable("The database is away.")
    add_greetings(counting, "Ada")
    with running(GreetingWorker(counting, "w", said)):
        wait_for(lambda: counting.reads)
        counting.error = None
        wait_for(lambda: said == ["Hello, Ada!"])


def test_a_job_whose_worker_died_is_performed_by_another(database: Database) -> None:
    said: list[str] = []
    add_greetings(database, "Ada")
    with database.claiming() as tx:
        assert CLAIMS.claim(tx, "dead", clock.now() - timedelta(minutes=1))

    assert GreetingWorker(database, "w", said).run_one()
    assert (said, count_unfinished(database)) == (["Hello, Ada!"], 0)


class Frozen(GreetingWorker):
    """Another worker takes its jobs over before it has recorded them."""

    def perform(self, job: Greeting) -> None:
        with self._database.writing() as tx:
            tx.change(update(greetings).values(attempt=job.attempt + 1, worker="other"))
        super().perform(job)


def test_a_worker_that_has_lost_its_lease_records_nothing(database: Database) -> None:
    add_greetings(database, "Ada")

    assert not Frozen(database, "w", []).run_one()
    assert count_unfinished(database) == 1


class Failing(GreetingWorker):
    """The first job fails in the way that it is told."""

    def __init__(self, database: Database, said: list[str], error: Exception) -> None:
        super().__init__(database, "w", said)
        self._errors = [error]

    def perform(self, job: Greeting) -> None:
        if self._errors:
            raise self._errors.pop()
        super().perform(job)


@pytest.mark.parametrize("error", [Unavailable("The disk is full."), RuntimeError("a defect")])
def test_a_job_that_fails_does_not_end_the_worker(database: Database, error: Exception) -> None:
    said: list[str] = []
    add_greetings(database, "Ada", "Emmy")
    with running(Failing(database, said, error)):
        wait_for(lambda: said == ["Hello, Emmy!"])


class Slow(GreetingWorker):
    """Works until it is interrupted."""

    drain_seconds = 0.05

    def __init__(self, database: Database) -> None:
        super().__init__(database, "w", [])
        self.began, self.interrupted = threading.Event(), threading.Event()

    def perform(self, job: Greeting) -> None:
        self.began.set()
        assert self.interrupted.wait(PATIENCE)

    def interrupt(self) -> None:
        self.interrupted.set()


def test_stop_interrupts_a_job_that_does_not_end_in_time(database: Database) -> None:
    add_greetings(database, "Ada", "Emmy")
    worker = Slow(database)
    with running(worker):
        assert worker.began.wait(PATIENCE)

    assert worker.interrupted.is_set()
    assert count_unfinished(database) == 2


def test_stop_ends_a_pause(database: Database) -> None:
    worker = GreetingWorker(database, "w", [])
    pausing = threading.Thread(target=worker.pause, args=(2 * PATIENCE,))
    pausing.start()
    worker.stop()
    pausing.join(PATIENCE)

    assert not pausing.is_alive()


def test_a_stop_while_the_worker_looks_for_a_job_is_noticed_at_once(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    worker = GreetingWorker(database, "w", [])

    def claim() -> None:
        worker.stop()

    monkeypatch.setattr(worker, "claim", claim)
    add_greetings(database, "Ada")
    since = time.monotonic()
    worker.run()

    assert time.monotonic() - since < SAFETY_SECONDS / 2
