"""Workers that wait are woken by what anybody writes, and one thread polls for all of them."""

from __future__ import annotations

import threading
import time
from contextlib import ExitStack

from penstock.foundation.jobs.change_poller import POLL_SECONDS
from penstock.foundation.jobs.change_watch import woken_by_changes
from tests.support.patience import PATIENCE
from tests.support.stacks import wait_for
from tests.unit.foundation.jobs.conftest import CountingDatabase
from tests.unit.foundation.jobs.greetings import add_greetings


class UnknownCount:
    """A database that cannot tell whether anything was written."""

    def change_count(self) -> int | None:
        return None


def count_threads() -> int:
    return sum(thread.name == "changes" for thread in threading.enumerate())


def test_everybody_who_waits_is_woken_by_a_change_and_by_one_thread(counting: CountingDatabase) -> None:
    before, woken = count_threads(), [threading.Event() for _ in range(3)]
    with ExitStack() as waiting:
        for event in woken:
            waiting.enter_context(woken_by_changes(counting, event.set))
        assert all(event.wait(PATIENCE) for event in woken), "what was written before is news at first"
        for event in woken:
            event.clear()

        add_greetings(counting, "Ada")

        assert all(event.wait(PATIENCE) for event in woken)
        assert count_threads() == before + 1
    wait_for(lambda: count_threads() == before)


def test_without_a_change_nobody_is_woken(counting: CountingDatabase) -> None:
    wakes: list[int] = []
    with woken_by_changes(counting, lambda: wakes.append(1)):
        wait_for(lambda: wakes)
        time.sleep(5 * POLL_SECONDS)

    assert len(wakes) == 1
    assert counting.reads == 0


def test_who_cannot_know_is_woken_every_time() -> None:
    wakes: list[int] = []
    with woken_by_changes(UnknownCount(), lambda: wakes.append(1)):
        wait_for(lambda: len(wakes) >= 3)


class FailsOnce:
    """A database whose first count fails."""

    counts = 0

    def change_count(self) -> int | None:
        self.counts += 1
        if self.counts == 1:
            raise OSError("Too many open files.")
        return self.counts


def test_a_count_that_fails_does_not_end_the_polling() -> None:
    wakes: list[int] = []
    database = FailsOnce()
    with woken_by_changes(database, lambda: wakes.append(database.counts)):
        wait_for(lambda: len(wakes) >= 3)

    assert wakes[:3] == [1, 2, 3]
