"""Concurrent jobs yield the same items in the same order as sequential ones."""

from __future__ import annotations

import asyncio
import weakref
from collections.abc import AsyncGenerator, Callable, Iterator
from contextlib import aclosing

import pytest
from hypothesis import given
from hypothesis import strategies as st

from penstock.extractor.base.errors import UserError
from penstock.extractor.requests import parallel
from penstock.extractor.requests.parallel import JobLimit, side_by_side

Job = AsyncGenerator[str]
Script = list[int]
"""What a job does: after each number of turns it says something; a number below zero is a failure."""
scripts = st.lists(st.lists(st.integers(-1, 4), max_size=5), max_size=8)


class Stage:
    """Where jobs run; knows how many are running, and how many ever did."""

    def __init__(self) -> None:
        self.running = self.most = self.begun = self.ended = 0
        self.said: list[str] = []

    async def job(self, name: int, script: Script) -> Job:
        self.begun += 1
        self.running += 1
        self.most = max(self.most, self.running)
        try:
            for number, turns in enumerate(script):
                for _ in range(turns):
                    await asyncio.sleep(0)
                if turns < 0:
                    raise UserError(f"Job {name} failed at {number}.")
                self.said.append(f"{name}.{number}")
                yield f"{name}.{number}"
        finally:
            self.running -= 1
            self.ended += 1

    def jobs(self, scripts: list[Script]) -> Iterator[Job]:
        return (self.job(name, script) for name, script in enumerate(scripts))


class Heard:
    def __init__(self) -> None:
        self.said: list[str] = []
        self.error = ""

    async def listen(self, jobs: AsyncGenerator[str]) -> Heard:
        try:
            async with aclosing(jobs):
                async for said in jobs:
                    self.said.append(said)
        except UserError as error:
            self.error = str(error)
        return self


async def one_by_one(jobs: Iterator[Job]) -> AsyncGenerator[str]:
    for job in jobs:
        async for said in job:
            yield said


def run(make: Callable[[Stage], AsyncGenerator[str]]) -> tuple[Stage, Heard]:
    async def listen() -> tuple[Stage, Heard]:
        stage = Stage()
        heard = await asyncio.wait_for(Heard().listen(make(stage)), 3)
        assert len(asyncio.all_tasks()) == 1  # nobody goes on when all is said
        return stage, heard

    return asyncio.run(listen())


@given(scripts, st.integers(1, 5))
def test_what_is_said_and_how_it_ends_is_as_one_by_one(scripts: list[Script], most: int):
    stage, heard = run(lambda stage: side_by_side(stage.jobs(scripts), JobLimit(lambda: most)))
    _stage, expected = run(lambda stage: one_by_one(stage.jobs(scripts)))

    assert heard.said == expected.said
    assert heard.error == expected.error
    assert stage.begun == stage.ended


@given(scripts, st.integers(1, 5))
def test_no_more_jobs_run_than_may(scripts: list[Script], most: int):
    stage, _heard = run(lambda stage: side_by_side(stage.jobs(scripts), JobLimit(lambda: most)))

    assert stage.most <= most


def test_jobs_do_run_at_the_same_time():
    stage, heard = run(lambda stage: side_by_side(stage.jobs([[4], [4], [4], [4]]), JobLimit(lambda: 3)))

    assert stage.most == 3
    assert heard.said == ["0.0", "1.0", "2.0", "3.0"]


def test_how_many_may_run_is_asked_again_and_again():
    limits = iter([1, 1, 3, 3, 3, *[1] * 50])
    stage, heard = run(lambda stage: side_by_side(stage.jobs([[4]] * 8), JobLimit(lambda: next(limits))))

    assert 1 < stage.most <= 3
    assert heard.said == [f"{name}.0" for name in range(8)]


def test_a_job_that_may_not_speak_yet_waits_with_a_few_words():
    async def listen() -> list[str]:
        stage = Stage()
        async with aclosing(side_by_side(stage.jobs([[200], [0] * 50]), JobLimit(lambda: 2))) as jobs:
            task = asyncio.ensure_future(anext(jobs))
            for _ in range(100):
                await asyncio.sleep(0)
            said = list(stage.said)
            await task
        return said

    # Two are held for it, and the third is in its mouth.
    assert asyncio.run(listen()) == ["1.0", "1.1", "1.2"]


def test_jobs_are_made_only_when_they_may_run():
    made: list[int] = []

    def make(stage: Stage) -> Iterator[Job]:
        for name in range(9):
            made.append(name)
            yield stage.job(name, [0])

    async def listen() -> None:
        async with aclosing(side_by_side(make(Stage()), JobLimit(lambda: 2))) as jobs:
            await anext(jobs)

    asyncio.run(listen())
    assert made == [0, 1]


def test_a_job_that_cannot_be_made_fails_in_its_turn():
    def make(stage: Stage) -> Iterator[Job]:
        yield stage.job(0, [3, 3])
        raise UserError("No value found.")

    stage, heard = run(lambda stage: side_by_side(make(stage), JobLimit(lambda: 5)))

    assert heard.said == ["0.0", "0.1"]
    assert heard.error == "No value found."
    assert stage.ended == 1


@pytest.mark.parametrize("turns", [0, 3, 30])
def test_jobs_are_stopped_when_nobody_listens_any_more(turns: int):
    async def listen() -> Stage:
        stage = Stage()
        async with aclosing(side_by_side(stage.jobs([[0, 9, 9], [9, 9], [0] * 9, [50]]), JobLimit(lambda: 4))) as jobs:
            await anext(jobs)
            for _ in range(turns):
                await asyncio.sleep(0)
        assert len(asyncio.all_tasks()) == 1
        return stage

    stage = asyncio.run(listen())
    assert stage.running == 0
    assert stage.begun == stage.ended


def test_jobs_are_stopped_when_their_listener_is_cancelled():
    async def listen() -> Stage:
        stage = Stage()
        task = asyncio.create_task(Heard().listen(side_by_side(stage.jobs([[99], [99], [0] * 9]), JobLimit(lambda: 3))))
        for _ in range(10):
            await asyncio.sleep(0)
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        assert len(asyncio.all_tasks()) == 1
        return stage

    stage = asyncio.run(listen())
    assert (stage.begun, stage.ended) == (3, 3)


def test_jobs_below_jobs_may_run_side_by_side_too():
    async def family(stage: Stage, name: int) -> Job:
        async with aclosing(side_by_side(stage.jobs([[name % 3], [2, 0], [0]]), JobLimit(lambda: 2))) as jobs:
            async for said in jobs:
                yield f"{name}/{said}"

    _stage, heard = run(lambda stage: side_by_side((family(stage, name) for name in range(5)), JobLimit(lambda: 3)))

    assert heard.said == [f"{name}/{said}" for name in range(5) for said in ("0.0", "1.0", "1.1", "2.0")]


def test_jobs_below_jobs_share_one_room():
    stage = Stage()

    async def parent(name: str, room: JobLimit) -> AsyncGenerator[str]:
        yield name
        async for said in side_by_side(stage.jobs([[4]] * 5), room):
            yield f"{name} {said}"

    async def listen() -> list[str]:
        room = JobLimit(lambda: 4)
        return [said async for said in side_by_side((parent(name, room) for name in "abc"), room)]

    said = asyncio.run(listen())

    assert [each for each in said if each in "abc"] == ["a", "b", "c"]
    assert len(said) == 3 * 6
    assert stage.most <= 4


class Page:
    """Something large."""


@pytest.mark.parametrize("run_all", [parallel.one_by_one, lambda jobs: side_by_side(jobs, JobLimit(lambda: 2))])
def test_what_was_said_is_not_held_while_more_is_waited_for(run_all: Callable[..., AsyncGenerator[Page]]):
    held: list[bool] = []

    async def job() -> AsyncGenerator[Page]:
        for _ in range(4):
            page = Page()
            said = weakref.ref(page)
            yield page
            del page
            for _ in range(20):
                await asyncio.sleep(0)
            held.append(said() is not None)

    async def listen() -> None:
        async with aclosing(run_all(iter([job()]))) as pages:
            async for page in pages:
                del page

    asyncio.run(listen())
    assert held == [False] * 4
