"""How often requests that wait look whether what they wait for is over."""

from __future__ import annotations

import itertools
import threading
import time
from collections.abc import Callable
from pathlib import Path

import anyio
import pytest

from penstock.foundation.database import Database
from penstock.foundation.jobs.waiting import (
    FALLBACK_SECONDS,
    MAX_PAUSE,
    MIN_PAUSE,
    QUERIES_PER_SECOND,
    Wait,
    Waiting,
    pause_after,
)


@pytest.fixture
def waiting(metadata_file: Path) -> Waiting:
    return Waiting(Database(metadata_file))


def looks_within(seconds: float, waiting: int = 1) -> list[float]:
    """When one of so many requests looks."""
    looks = itertools.accumulate(itertools.repeat(0.0), lambda waited, _: waited + pause_after(waited, waiting))
    return list(itertools.takewhile(lambda waited: waited <= seconds, looks))


@pytest.mark.parametrize("job_seconds", [0.001, 0.02, 0.05, 0.1, 0.3, 1.0, 5.0])
def test_the_end_of_a_job_is_noticed_within_a_fortieth_of_its_time(job_seconds: float) -> None:
    last = looks_within(job_seconds)[-1]

    assert last + pause_after(last, 1) - job_seconds <= max(0.025 * job_seconds, MIN_PAUSE) + 1e-9


def test_a_long_wait_costs_few_looks() -> None:
    assert len(looks_within(25)) < 300
    assert pause_after(25, 1) == MAX_PAUSE


@pytest.mark.parametrize("waiting", [100, 1000, 5000])
def test_many_waits_together_look_no_more_often_than_a_few(waiting: int) -> None:
    assert waiting * (len(looks_within(20, waiting)) - 1) <= 20 * QUERIES_PER_SECOND * 1.01


def wait_for_count(count: int, seconds: float) -> tuple[Wait, list[float]]:
    """A wait that is over when it was looked at so often, and when that was."""
    looks: list[float] = []

    def is_over() -> bool:
        looks.append(time.monotonic())
        return len(looks) >= count

    return Wait(is_over, seconds, lambda: None), looks


def test_what_is_over_is_looked_at_no_more(waiting: Waiting) -> None:
    wait, looks = wait_for_count(1, 60)
    anyio.run(waiting.wait, wait)

    assert len(looks) == 1


def test_a_wait_ends_after_its_time(waiting: Waiting) -> None:
    wait, looks = wait_for_count(1000, 0.05)
    since = time.monotonic()
    anyio.run(waiting.wait, wait)

    assert time.monotonic() - since >= 0.05
    assert looks


def test_a_wait_of_no_time_only_begins(waiting: Waiting) -> None:
    begun: list[int] = []
    anyio.run(waiting.wait, Wait(lambda: pytest.fail("looked"), 0, lambda: begun.append(1)))

    assert begun == [1]


def test_a_wait_that_this_process_ends_is_over_at_once(waiting: Waiting) -> None:
    done = threading.Event()

    def end_soon(notify: Callable[[], None]) -> None:
        threading.Timer(0.05, lambda: (done.set(), notify())).start()

    since = time.monotonic()
    anyio.run(waiting.wait, Wait(done.is_set, 60, lambda: None, end_soon))

    # Nothing was written to the database, so that it would otherwise be looked at after five seconds.
    assert time.monotonic() - since < 0.5 * FALLBACK_SECONDS
