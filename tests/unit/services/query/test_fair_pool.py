"""The threads of query jobs: bounded, and fair between projects."""

from __future__ import annotations

import threading

from penstock.services.query.execution.fair_pool import FairPool
from tests.support.stacks import wait_for


class Recorder:
    """Work that says when it ran, and waits until it may end."""

    def __init__(self) -> None:
        self.ran: list[str] = []
        self.may_end = threading.Event()

    def holding(self, name: str) -> None:
        self.ran.append(name)
        assert self.may_end.wait(10)

    def quick(self, name: str) -> None:
        self.ran.append(name)


def test_one_project_leaves_threads_to_others() -> None:
    pool, recorder = FairPool(threads=3, per_project=2), Recorder()
    for number in range(4):
        pool.submit(1, lambda number=number: recorder.holding(f"one-{number}"))
    wait_for(lambda: len(recorder.ran) == 2)

    assert not pool.has_room(1)
    pool.submit(2, lambda: recorder.quick("two"))
    wait_for(lambda: "two" in recorder.ran)

    assert recorder.ran == ["one-0", "one-1", "two"]
    recorder.may_end.set()
    wait_for(lambda: len(recorder.ran) == 5)


def test_the_project_with_the_fewest_running_is_next() -> None:
    pool, recorder = FairPool(threads=1, per_project=1), Recorder()
    pool.submit(1, lambda: recorder.holding("one-0"))
    wait_for(lambda: recorder.ran)
    for number in (1, 2, 3):
        pool.submit(1, lambda number=number: recorder.quick(f"one-{number}"))
    pool.submit(2, lambda: recorder.quick("two"))
    recorder.may_end.set()

    wait_for(lambda: len(recorder.ran) == 5)
    assert recorder.ran.index("two") < recorder.ran.index("one-3")


def test_work_that_fails_ends_no_thread() -> None:
    pool, recorder = FairPool(threads=1, per_project=1), Recorder()

    def fail() -> None:
        raise ValueError("broken")

    pool.submit(1, fail)
    pool.submit(1, lambda: recorder.quick("after"))

    wait_for(lambda: recorder.ran == ["after"])


def test_work_that_is_submitted_together_runs_together() -> None:
    pool, recorder = FairPool(threads=4, per_project=4), Recorder()
    for number in range(4):
        pool.submit(1, lambda number=number: recorder.holding(str(number)))

    wait_for(lambda: len(recorder.ran) == 4)
    recorder.may_end.set()
