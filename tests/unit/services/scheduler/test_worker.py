"""The loop of a worker process."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Generator
from threading import Thread

import pytest
from sqlalchemy import event

from penstock.foundation.database import DatabaseUnavailable
from penstock.services.scheduler import firing
from penstock.services.scheduler.worker import Worker
from tests.support.stacks import ServicesOnly, wait_for
from tests.unit.services.scheduler.schedules import NOON, activate, clock_at, fired

READ_ZONE = "from penstock.services.scheduler.cron import read_zone; print(read_zone('Europe/Prague'))"


@pytest.fixture
def running(shared: ServicesOnly) -> Generator[Worker]:
    worker = Worker(shared.stack)
    thread = Thread(target=worker.run)
    thread.start()
    yield worker
    worker.stop()
    thread.join()


@pytest.mark.usefixtures("running")
def test_it_fires_when_the_clock_says_so_and_stops_when_told(shared: ServicesOnly) -> None:
    with clock_at(NOON) as clock:
        schedule = activate(shared)
        clock.move(hours=1)
        wait_for(lambda: fired(shared, schedule))
        clock.move(hours=1)
        wait_for(lambda: len(fired(shared, schedule)) == 2)


def test_an_idle_worker_reads_only_when_something_was_written_or_is_due(shared: ServicesOnly) -> None:
    statements = list[str]()
    with clock_at(NOON) as clock:
        activate(shared)
        worker = Worker(shared.stack)
        worker.run_once()
        worker.run_once()  # what the first one wrote is a change too
        event.listen(shared.stack.database.engine, "before_cursor_execute", lambda *each: statements.append(each[2]))
        for _ in range(20):
            worker.run_once()
        assert read_own(statements) == []
        clock.move(hours=1)
        worker.run_once()
        assert read_own(statements) != []


def read_own(statements: list[str]) -> list[str]:
    """Those of the scheduler: other workers of the stack read their tables meanwhile."""
    return [each for each in statements if "scheduler_" in each]


def test_a_schedule_that_is_left_does_not_make_the_next_one_late(
    shared: ServicesOnly, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise DatabaseUnavailable("It is busy.")

    with clock_at(NOON) as clock:
        left, following = activate(shared, "1 * * * *"), activate(shared, "2 * * * *")
        worker = Worker(shared.stack)
        clock.move(seconds=88)  # 12:01:58
        with monkeypatch.context() as patch:
            patch.setattr(firing, "fire", refuse)
            worker.run_once()
        clock.move(seconds=3)
        worker.run_once()

        assert [len(fired(shared, each)) for each in (left, following)] == [1, 1]


def test_time_zones_are_known_on_a_machine_that_has_none() -> None:
    found = subprocess.run(
        [sys.executable, "-c", READ_ZONE],
        env={**os.environ, "PYTHONTZPATH": ""},
        capture_output=True,
        text=True,
        check=True,
    )

    assert found.stdout == "Europe/Prague\n"
