"""Requests that wait for a change in the database, such as the end of a job: many at once, and none holds a thread."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from contextlib import suppress

import msgspec
from anyio import CapacityLimiter, Event, move_on_after, to_thread

from penstock.foundation.database import Database
from penstock.foundation.errors import Unavailable
from penstock.foundation.jobs.change_poller import ChangePoller

MIN_PAUSE, MAX_PAUSE = 0.004, 0.25
PAUSE_SHARE = 0.025
"""Of the time that a request has waited."""
QUERIES_PER_SECOND = 250
"""By all waiting requests of a service together, so that other requests take hardly longer, however many wait."""
COUNT_SECONDS = MIN_PAUSE
"""How long all of them use one look at whether anything was written: each look may hold up the event loop."""
FALLBACK_SECONDS = 5.0
"""The end of a wait is always a write, which the poller notices; this is a fallback in case it does not."""
THREADS = 2
"""Threads that check whether a wait is over; the others are for requests that do not wait."""


class Wait(msgspec.Struct, frozen=True):
    """What a request waits for. `is_over` queries the database, and is called only when that may have changed."""

    is_over: Callable[[], bool]
    seconds: float
    begin: Callable[[], None]
    """Called first, when everything that the request did is committed."""
    notify: Callable[[Callable[[], None]], None] | None = None
    """Takes what to call, in any thread, when this process has ended the wait: then nothing waits for the next poll."""


def pause_after(waited: float, waiting: int) -> float:
    """A share of the time so far: the end of a short job is noticed soon, and a long one costs few queries."""
    return max(min(max(waited * PAUSE_SHARE, MIN_PAUSE), MAX_PAUSE), waiting / QUERIES_PER_SECOND)


class Waiting:
    """Shared by the waiting requests of one service."""

    def __init__(self, database: Database) -> None:
        self._changes, self._count = RecentChanges(database), 0
        self._threads = CapacityLimiter(THREADS)

    async def wait(self, wait: Wait) -> None:
        """Return when it is over, or after its time."""
        wait.begin()
        if not wait.seconds:
            return
        self._count += 1
        try:
            with move_on_after(wait.seconds):
                await self._poll_until_over(wait)
        finally:
            self._count -= 1

    async def _poll_until_over(self, wait: Wait) -> None:
        poller, since, notified = ChangePoller(self._changes, FALLBACK_SECONDS), time.monotonic(), Event()
        notify = _in_loop(notified)  # whoever calls it may hold it weakly: waits are many, and most end by their time
        if wait.notify:
            wait.notify(notify)
        while not await self._is_over(wait, poller, is_notified=notified.is_set()):
            if notified.is_set():
                notified = Event()
            with move_on_after(pause_after(time.monotonic() - since, self._count)):
                await notified.wait()

    async def _is_over(self, wait: Wait, poller: ChangePoller, *, is_notified: bool) -> bool:
        try:
            should_poll = poller.should_poll() or is_notified
            return should_poll and await to_thread.run_sync(wait.is_over, limiter=self._threads)
        except Unavailable:
            # The request was accepted: it does not fail because the database cannot be queried now.
            return False


def _in_loop(event: Event) -> Callable[[], None]:
    """Sets the event from any thread."""
    loop = asyncio.get_running_loop()

    def notify() -> None:
        with suppress(RuntimeError):  # the server has stopped meanwhile
            loop.call_soon_threadsafe(event.set)

    return notify


class RecentChanges:
    """The number of changes of a database, at most a moment old."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._count: int | None = None
        self._until = 0.0

    def change_count(self) -> int | None:
        now = time.monotonic()
        if now >= self._until:
            self._count, self._until = self._database.change_count(), now + COUNT_SECONDS
        return self._count
