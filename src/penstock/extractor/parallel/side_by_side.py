"""Jobs that run at the same time and still speak one after another: what comes out is in the order of the jobs.

What was said may be a large page, so nobody holds it (`del`) while something new is waited for.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncGenerator, Callable, Iterable, Iterator
from contextlib import aclosing
from typing import Any, Generic, TypeVar

Said = TypeVar("Said")
HELD = 2
"""How much a job may have said before its turn; then it waits, so that memory is bounded."""


class _End:
    """A job has said all."""


class _BufferedJob(Generic[Said]):
    """One job, running; what it says waits until it is its turn."""

    def __init__(self, job: AsyncGenerator[Said]) -> None:
        self._job = job
        self._said: asyncio.Queue[Said | Exception | _End] = asyncio.Queue(HELD)
        self._task = asyncio.create_task(self._run())

    async def listen(self) -> AsyncGenerator[Said]:
        while not isinstance(said := await self._said.get(), _End):
            if isinstance(said, Exception):
                raise said
            yield said
            del said

    async def stop(self) -> None:
        self._task.cancel()
        await asyncio.gather(self._task, return_exceptions=True)
        await self._job.aclose()

    async def _run(self) -> None:
        try:
            async for said in self._job:
                await self._said.put(said)
                del said
            await self._said.put(_End())
        except Exception as error:  # it fails in its turn, as if nobody had run ahead
            await self._said.put(error)


class JobLimit:
    """For so many jobs at once, wherever in the tree of jobs they are: each of them could bring a crowd of its own."""

    def __init__(self, most: Callable[[], int]) -> None:
        """`most` may change its mind."""
        self._most = most
        self.taken = 0

    @property
    def is_free(self) -> bool:
        return self.taken < self._most()


async def one_by_one(jobs: Iterable[AsyncGenerator[Said]]) -> AsyncGenerator[Said]:
    """The same without anybody running ahead."""
    for job in jobs:
        async with aclosing(job) as all_said:
            async for said in all_said:
                yield said
                del said


async def side_by_side(jobs: Iterator[AsyncGenerator[Said]], room: JobLimit) -> AsyncGenerator[Said]:
    """One of these jobs runs in any case, so that all of them end."""
    running: deque[_BufferedJob[Said]] = deque()
    try:
        while True:
            while (not running or room.is_free) and (job := _next(jobs)) is not None:
                running.append(_BufferedJob(job))
                room.taken += 1
            if not running:
                return
            async for said in running[0].listen():
                yield said
                del said
            await running.popleft().stop()
            room.taken -= 1
    finally:
        room.taken -= len(running)
        for speaker in running:
            await speaker.stop()


def _next(jobs: Iterator[AsyncGenerator[Said]]) -> AsyncGenerator[Said] | None:
    """A job that cannot even be made fails in its turn too."""
    try:
        return next(jobs, None)
    except Exception as error:
        return _failing(error)


async def _failing(error: Exception) -> AsyncGenerator[Any]:
    raise error
    yield  # what makes it a generator
