"""Threads are shared fairly: a project with many slow requests does not delay the requests of others."""

from __future__ import annotations

import threading
from collections.abc import Awaitable, Callable
from functools import partial

import anyio
import pytest
from anyio import to_thread
from anyio.lowlevel import checkpoint
from starlette.requests import ClientDisconnect

from penstock.web.fair_threads import FairThreads, TooBusy
from tests.support.stacks import wait_for

GREEDY, MODEST = 1, 2


class Work:
    """Blocks its threads until it is released; notes down the order in which they began."""

    def __init__(self) -> None:
        self.begun: list[int] = []
        self.release = threading.Semaphore(0)

    def do(self, project_id: int) -> None:
        self.begun.append(project_id)
        assert self.release.acquire(timeout=60)

    async def wait_for(self, count: int) -> None:
        await to_thread.run_sync(wait_for, lambda: len(self.begun) >= count)


def run(scenario: Callable[[], Awaitable[None]]) -> None:
    anyio.run(scenario)


def test_the_next_thread_goes_to_the_project_that_has_the_fewest() -> None:
    work = Work()

    async def scenario() -> None:
        threads = FairThreads(2)
        async with anyio.create_task_group() as tasks:
            for _ in range(20):
                tasks.start_soon(threads.run, GREEDY, work.do, GREEDY)
            await work.wait_for(2)
            tasks.start_soon(threads.run, MODEST, work.do, MODEST)
            await checkpoint()
            work.release.release()
            await work.wait_for(3)
            work.release.release(20)

    run(scenario)
    assert work.begun == [GREEDY, GREEDY, MODEST, *[GREEDY] * 18]


def test_a_project_may_have_fewer_threads_than_there_are() -> None:
    work = Work()

    async def scenario() -> None:
        threads = FairThreads(2, max_of_key=1)
        async with anyio.create_task_group() as tasks:
            for _ in range(3):
                tasks.start_soon(threads.run, GREEDY, work.do, GREEDY)
            await work.wait_for(1)
            assert threads.waiting == 2
            tasks.start_soon(threads.run, MODEST, work.do, MODEST)
            await work.wait_for(2)
            work.release.release(4)
        assert threads.waiting == 0
        work.release.release(2)
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(threads.run, GREEDY, work.do, GREEDY)
            tasks.start_soon(threads.run, MODEST, work.do, MODEST)

    run(scenario)
    assert work.begun[:2] == [GREEDY, MODEST]
    assert sorted(work.begun) == [GREEDY] * 4 + [MODEST] * 2


def test_projects_with_as_many_threads_take_turns() -> None:
    work = Work()

    async def scenario() -> None:
        threads = FairThreads(1)
        async with anyio.create_task_group() as tasks:
            for project_id in (1, 1, 1, 2, 2, 2, 3, 3, 3):
                tasks.start_soon(threads.run, project_id, work.do, project_id)
            await work.wait_for(1)
            for count in range(2, 10):
                work.release.release()
                await work.wait_for(count)
            work.release.release()

    run(scenario)
    assert work.begun == [1, 1, 2, 3, 1, 2, 3, 2, 3]


def test_a_project_alone_uses_all_threads_and_all_its_work_is_done() -> None:
    work = Work()

    async def scenario() -> None:
        threads = FairThreads(4)
        async with anyio.create_task_group() as tasks:
            for _ in range(10):
                tasks.start_soon(threads.run, GREEDY, work.do, GREEDY)
            await work.wait_for(4)
            assert len(work.begun) == 4
            work.release.release(10)

    run(scenario)
    assert len(work.begun) == 10


def test_what_fails_or_is_cancelled_gives_its_thread_back() -> None:
    work = Work()

    def fail() -> None:
        raise ValueError

    async def scenario() -> None:
        threads = FairThreads(1)
        with pytest.raises(ValueError):
            await threads.run(GREEDY, fail)
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(threads.run, GREEDY, work.do, GREEDY)
            await work.wait_for(1)
            with anyio.move_on_after(0.05) as scope:
                await threads.run(MODEST, work.do, MODEST)
            assert scope.cancelled_caught
            tasks.start_soon(threads.run, GREEDY, work.do, GREEDY)
            await checkpoint()
            work.release.release(2)
        assert await threads.run(MODEST, partial(int, "7")) == 7

    run(scenario)
    assert work.begun == [GREEDY, GREEDY]


async def note(run: Awaitable[None], errors: list[Exception]) -> None:
    try:
        await run
    except (TooBusy, ClientDisconnect) as error:
        errors.append(error)


def test_a_queue_that_is_full_takes_no_more() -> None:
    work, errors = Work(), list[Exception]()

    async def scenario() -> None:
        threads = FairThreads(1, max_waiting=3)
        async with anyio.create_task_group() as tasks:
            for _ in range(10):
                tasks.start_soon(note, threads.run(GREEDY, work.do, GREEDY), errors)
            await work.wait_for(1)
            assert (threads.waiting, len(errors)) == (3, 6)
            work.release.release(4)
        assert threads.waiting == 0

    run(scenario)
    assert work.begun == [GREEDY] * 4
    assert {type(error) for error in errors} == {TooBusy}


def test_whoever_fills_the_queue_makes_way_for_others() -> None:
    work, errors = Work(), list[Exception]()

    async def scenario() -> None:
        threads = FairThreads(1, max_waiting=3)
        async with anyio.create_task_group() as tasks:
            for _ in range(4):
                tasks.start_soon(note, threads.run(GREEDY, work.do, GREEDY), errors)
            await work.wait_for(1)
            tasks.start_soon(note, threads.run(MODEST, work.do, MODEST), errors)
            await anyio.wait_all_tasks_blocked()
            assert (threads.waiting, len(errors)) == (3, 1)
            work.release.release(4)

    run(scenario)
    assert sorted(work.begun) == [GREEDY] * 3 + [MODEST]


def test_a_waiting_call_whose_client_has_left_is_dropped() -> None:
    work, errors = Work(), list[Exception]()

    async def scenario() -> None:
        threads, left = FairThreads(1), anyio.Event()
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(threads.run, GREEDY, work.do, GREEDY)
            await work.wait_for(1)
            for _ in range(5):
                tasks.start_soon(note, threads.run(MODEST, work.do, MODEST, until_left=left.wait), errors)
            tasks.start_soon(threads.run, GREEDY, work.do, GREEDY)
            await anyio.wait_all_tasks_blocked()
            left.set()
            await anyio.wait_all_tasks_blocked()
            assert (threads.waiting, len(errors)) == (1, 5)
            work.release.release(2)

    run(scenario)
    assert work.begun == [GREEDY, GREEDY]
    assert {type(error) for error in errors} == {ClientDisconnect}
