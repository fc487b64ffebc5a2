"""Threads that are shared fairly: while all are busy, the next one goes to the key that has the fewest.

The key of a request with a token is its project, so a project that sends many requests, or slow ones, waits for itself
rather than making others wait. That of a request without one is its address.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Hashable
from typing import Any, TypeVar

from anyio import CapacityLimiter, Event, create_task_group, to_thread
from starlette.requests import ClientDisconnect

from penstock.foundation.errors import Unavailable
from penstock.foundation.jobs.fair_queue import FairQueue

T = TypeVar("T")

WaitUntilLeft = Callable[[], Awaitable[None]]
"""Returns when the client has disconnected."""


class TooBusy(Unavailable):
    code = "tooBusy"
    retry_after = 2

    def __init__(self) -> None:
        super().__init__(
            "As many requests wait here as this stack takes. Nothing was done: send the request "
            f"again in {self.retry_after} seconds."
        )


class _Turn:
    """A waiting request. It gets a thread, is refused in favour of another one, or its client leaves."""

    def __init__(self) -> None:
        self.is_over = Event()
        self.error: Exception | None = None

    def end(self, error: Exception | None = None) -> None:
        self.error = error
        self.is_over.set()


class FairThreads:
    """Used by one event loop. `max_waiting` is how many requests may wait for a thread; None means any number. A key
    has at most `max_of_key` threads, although others are free."""

    def __init__(self, size: int, max_waiting: int | None = None, max_of_key: int | None = None) -> None:
        self._limiter, self._free = CapacityLimiter(size), size
        self._max_waiting = max_waiting
        self._queue = FairQueue[Hashable, _Turn](max_of_key or size)

    @property
    def waiting(self) -> int:
        return len(self._queue)

    async def run(
        self, key: Hashable, work: Callable[..., T], *args: Any, until_left: WaitUntilLeft | None = None
    ) -> T:
        """Call it in a thread, when it is the turn of this key. Raises TooBusy if too many wait, and ClientDisconnect
        if the client leaves while it waits."""
        await self._enter(key, until_left)
        try:
            return await to_thread.run_sync(work, *args, limiter=self._limiter)
        finally:
            self._leave(key)

    async def _enter(self, key: Hashable, until_left: WaitUntilLeft | None) -> None:
        if not self._free or self._queue.is_full(key):
            return await self._wait(key, until_left)
        self._free -= 1
        self._queue.use(key)
        return None

    async def _wait(self, key: Hashable, until_left: WaitUntilLeft | None) -> None:
        self._make_room(key)
        turn = _Turn()
        self._queue.add(key, turn)
        try:
            await self._wait_for(key, turn, until_left)
        except BaseException:
            if not turn.is_over.is_set():
                self._queue.remove(key, turn)
            elif not turn.error:
                self._leave(key)
            raise
        if turn.error:
            raise turn.error

    async def _wait_for(self, key: Hashable, turn: _Turn, until_left: WaitUntilLeft | None) -> None:
        if not until_left:
            return await turn.is_over.wait()

        async def give_up() -> None:
            await until_left()
            if not turn.is_over.is_set():
                self._queue.remove(key, turn)
                turn.end(ClientDisconnect())

        async with create_task_group() as tasks:
            tasks.start_soon(give_up)
            await turn.is_over.wait()
            tasks.cancel_scope.cancel()
        return None

    def _make_room(self, key: Hashable) -> None:
        """Drop the last request of the key with the most when it is full, unless that is the new one."""
        if self._max_waiting is None or self.waiting < self._max_waiting:
            return
        longest = self._queue.find_longest()
        if self._queue.count_waiting(longest) <= self._queue.count_waiting(key) + 1:
            raise TooBusy
        self._queue.remove_last(longest).end(TooBusy())

    def _leave(self, key: Hashable) -> None:
        self._queue.release(key)
        following = self._queue.take()
        if following:
            following[1].end()
        else:
            self._free += 1
