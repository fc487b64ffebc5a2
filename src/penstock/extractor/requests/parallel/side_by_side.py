"""Runs jobs concurrently and yields what they produce in the order of the jobs.

An item may be a large page, so every reference to one is deleted (`del`) before the next one is awaited.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncGenerator, Callable, Iterable, Iterator
from contextlib import aclosing
from typing import Any, Generic, TypeVar

Item = TypeVar("Item")
BUFFERED = 2
"""How many items a job may produce before its turn; then it waits, so that memory is bounded."""


class _End:
    """A job has ended."""


class _BufferedJob(Generic[Item]):
    """A running job, whose items are buffered until it is its turn."""

    def __init__(self, job: AsyncGenerator[Item]) -> None:
        self._job = job
        self._buffer: asyncio.Queue[Item | Exception | _End] = asyncio.Queue(BUFFERED)
        self._task = asyncio.create_task(self._run())

    async def items(self) -> AsyncGenerator[Item]:
        while not isinstance(item := await self._buffer.get(), _End):
            if isinstance(item, Exception):
                raise item
            yield item
            del item

    async def stop(self) -> None:
        self._task.cancel()
        await asyncio.gather(self._task, return_exceptions=True)
        await self._job.aclose()

    async def _run(self) -> None:
        try:
            async for item in self._job:
                await self._buffer.put(item)
                del item
            await self._buffer.put(_End())
        except Exception as error:  # raised when it is the job's turn, as in a sequential run
            await self._buffer.put(error)


class JobLimit:
    """How many jobs may run concurrently, in the whole tree of jobs, because every job can start many child jobs."""

    def __init__(self, most: Callable[[], int]) -> None:
        """`most` returns the current limit."""
        self._most = most
        self.running_jobs = 0

    @property
    def is_free(self) -> bool:
        return self.running_jobs < self._most()


async def one_by_one(jobs: Iterable[AsyncGenerator[Item]]) -> AsyncGenerator[Item]:
    """Runs the jobs like `side_by_side`, sequentially."""
    for job in jobs:
        async with aclosing(job) as items:
            async for item in items:
                yield item
                del item


async def side_by_side(jobs: Iterator[AsyncGenerator[Item]], limit: JobLimit) -> AsyncGenerator[Item]:
    """Runs at least one of these jobs even if the limit is reached, so that all of them end."""
    running: deque[_BufferedJob[Item]] = deque()
    try:
        while True:
            while (not running or limit.is_free) and (job := _next(jobs)) is not None:
                running.append(_BufferedJob(job))
                limit.running_jobs += 1
            if not running:
                return
            async for item in running[0].items():
                yield item
                del item
            await running.popleft().stop()
            limit.running_jobs -= 1
    finally:
        limit.running_jobs -= len(running)
        for buffered in running:
            await buffered.stop()


def _next(jobs: Iterator[AsyncGenerator[Item]]) -> AsyncGenerator[Item] | None:
    """A job that cannot be created fails when it is its turn, too."""
    try:
        return next(jobs, None)
    except Exception as error:
        return _failing(error)


async def _failing(error: Exception) -> AsyncGenerator[Any]:
    raise error
    yield  # makes it a generator
