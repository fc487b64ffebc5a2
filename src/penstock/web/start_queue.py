"""Starts a few requests in each iteration of the event loop, in turn from every client.

One connection may carry hundreds of requests. Each takes less than a millisecond of the event loop, but without turns
the request of another client would wait for all that came before it.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Hashable

from penstock.web.fair_threads import TooBusy

STARTS_PER_ITERATION = 4
MAX_NOT_STARTED = 5000
"""When so many requests wait for their start, a client has no more than one of them."""


class StartQueue:
    """Used by one event loop."""

    def __init__(self) -> None:
        self._queues: dict[Hashable, deque[asyncio.Future[None]]] = {}
        """Requests that wait for their start, by client; the first client is next."""
        self._started, self.waiting = 0, 0
        self._is_scheduled = False

    async def enter(self, client: Hashable) -> None:
        """Return when the request may start. Raises TooBusy if too many wait."""
        loop = asyncio.get_running_loop()
        self._schedule(loop)
        if not self._queues and self._started < STARTS_PER_ITERATION:
            self._started += 1
            return
        if self.waiting >= MAX_NOT_STARTED and client in self._queues:
            raise TooBusy
        turn = loop.create_future()
        self._queues.setdefault(client, deque()).append(turn)
        self.waiting += 1
        await turn

    def _schedule(self, loop: asyncio.AbstractEventLoop) -> None:
        if not self._is_scheduled:
            self._is_scheduled = True
            loop.call_soon(self._begin_iteration, loop)

    def _begin_iteration(self, loop: asyncio.AbstractEventLoop) -> None:
        self._started, self._is_scheduled = 0, False
        while self._queues and self._started < STARTS_PER_ITERATION:
            self._start_next()
        if self._started:
            self._schedule(loop)

    def _start_next(self) -> None:
        client = next(iter(self._queues))
        queue = self._queues.pop(client)
        turn = queue.popleft()
        self.waiting -= 1
        if queue:
            self._queues[client] = queue
        if not turn.done():
            self._started += 1
            turn.set_result(None)
