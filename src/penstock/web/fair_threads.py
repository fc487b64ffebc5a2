"""Threads that are shared fairly: while all are busy, the next one goes to the key that has the fewest.

The key of a request with a token is its project, so a project that sends many requests, or slow ones, waits for itself
rather than making others wait. That of a request without one is its address.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Awaitable, Callable, Hashable
from typing import Any, TypeVar

from anyio import CapacityLimiter, Event, create_task_group, to_thread
from starlette.requests import ClientDisconnect

from penstock.foundation.errors import Unavailable

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
        self._max_waiting, self._max_of_key = max_waiting, max_of_key or size
        self._busy: Counter[Hashable] = Counter()
        """Threads by key."""
        self._queues: dict[Hashable, deque[_Turn]] = {}
        """Waiting requests by key; among keys with as many threads, the first one is next."""
        self.waiting = 0

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
        if not self._free or self._has_all(key):
            return await self._wait(key, until_left)
        self._free -= 1
        self._busy[key] += 1
        return None

    async def _wait(self, key: Hashable, until_left: WaitUntilLeft | None) -> None:
        self._make_room(key)
        turn = _Turn()
        self._queues.setdefault(key, deque()).append(turn)
        self.waiting += 1
        try:
            await self._wait_for(key, turn, until_left)
        except BaseException:
            if not turn.is_over.is_set():
                self._remove(key, turn)
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
                self._remove(key, turn)
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
        longest = max(self._queues, key=lambda each: len(self._queues[each]), default=key)
        if len(self._queues.get(longest, ())) <= len(self._queues.get(key, ())) + 1:
            raise TooBusy
        turn = self._queues[longest][-1]
        self._remove(longest, turn)
        turn.end(TooBusy())

    def _leave(self, key: Hashable) -> None:
        self._busy[key] -= 1
        if not self._busy[key]:
            del self._busy[key]
        following = min(self._queues, key=self._busy.__getitem__, default=key)
        if following not in self._queues or self._has_all(following):
            self._free += 1
            return
        self._busy[following] += 1
        turn = self._queues[following][0]
        self._remove(following, turn, is_served=True)
        turn.end()

    def _has_all(self, key: Hashable) -> bool:
        return self._busy[key] >= self._max_of_key

    def _remove(self, key: Hashable, turn: _Turn, *, is_served: bool = False) -> None:
        """If it was served, the rest of its queue goes behind those of others."""
        queue = self._queues[key]
        queue.remove(turn)
        self.waiting -= 1
        if is_served or not queue:
            del self._queues[key]
        if is_served and queue:
            self._queues[key] = queue
