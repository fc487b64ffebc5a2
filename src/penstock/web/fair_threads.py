"""Threads for the requests of all projects: while all are busy, the next one goes to the project that has the fewest.

So a project that sends many requests, or slow ones, waits for itself rather than making others wait.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable
from typing import Any, TypeVar

import msgspec
from anyio import CapacityLimiter, Event, to_thread

from penstock.foundation.database import Database

T = TypeVar("T")

LAKE_THREADS = 4


class FairThreads:
    """Used by one event loop."""

    def __init__(self, size: int) -> None:
        self._limiter, self._free = CapacityLimiter(size), size
        self._busy: Counter[int] = Counter()
        """Threads by project."""
        self._queues: dict[int, deque[Event]] = {}
        """Waiting requests by project; among projects with as many threads, the first one is next."""

    async def run(self, project_id: int, work: Callable[..., T], *args: Any) -> T:
        """Call it in a thread, when it is the turn of this project."""
        await self._enter(project_id)
        try:
            return await to_thread.run_sync(work, *args, limiter=self._limiter)
        finally:
            self._leave(project_id)

    async def _enter(self, project_id: int) -> None:
        if not self._free:
            return await self._wait(project_id)
        self._free -= 1
        self._busy[project_id] += 1
        return None

    async def _wait(self, project_id: int) -> None:
        turn = Event()
        self._queues.setdefault(project_id, deque()).append(turn)
        try:
            await turn.wait()
        except BaseException:
            if turn.is_set():
                self._leave(project_id)
            else:
                self._remove(project_id, turn)
            raise

    def _leave(self, project_id: int) -> None:
        self._busy[project_id] -= 1
        if not self._busy[project_id]:
            del self._busy[project_id]
        if not self._queues:
            self._free += 1
            return
        following = min(self._queues, key=self._busy.__getitem__)
        self._busy[following] += 1
        turn = self._queues[following][0]
        self._remove(following, turn)
        turn.set()

    def _remove(self, project_id: int, turn: Event) -> None:
        """The rest of its queue goes behind those of other projects."""
        queue = self._queues.pop(project_id)
        queue.remove(turn)
        if queue:
            self._queues[project_id] = queue


class RequestThreads(msgspec.Struct, frozen=True):
    """For the requests of all services. Reading tables may take long, and writers wait for each other in the database:
    both have their own threads, so that nothing else waits for them."""

    reads: FairThreads
    writes: FairThreads
    lake: FairThreads

    @classmethod
    def of(cls, database: Database) -> RequestThreads:
        return cls(FairThreads(database.readers), FairThreads(database.writers), FairThreads(LAKE_THREADS))
