"""Requests that wait for something in the database, such as the end of a job: many at once, without a thread each."""

from __future__ import annotations

import time

from anyio import CapacityLimiter, move_on_after, sleep, to_thread

from penstock.foundation.change_poller import ChangePoller
from penstock.foundation.database import Database
from penstock.foundation.errors import Unavailable
from penstock.web.requests import Wait

MIN_PAUSE, MAX_PAUSE = 0.01, 0.25
LOOKS_PER_SECOND = 500
"""Of all requests that wait, together: so other requests take hardly longer, however many wait."""
THREADS = 2
"""Other requests need the rest of them, and of the connections to the database."""


def pause_after(waited: float, waiting: int) -> float:
    """A tenth of the time so far: the end of a short job is noticed soon, and a long one costs few looks."""
    return max(min(max(waited / 10, MIN_PAUSE), MAX_PAUSE), waiting / LOOKS_PER_SECOND)


class Waiting:
    """What the waiting requests of one service share."""

    def __init__(self, database: Database) -> None:
        self._database, self._count = database, 0
        self._threads = CapacityLimiter(THREADS)

    async def hold(self, wait: Wait) -> None:
        """Until it is over, or has taken too long."""
        wait.begin()
        if not wait.seconds:
            return
        self._count += 1
        try:
            with move_on_after(wait.seconds):
                await self._look_until_over(wait)
        finally:
            self._count -= 1

    async def _look_until_over(self, wait: Wait) -> None:
        poller, since = ChangePoller(self._database), time.monotonic()
        while True:
            if await self._is_over(wait, poller):
                return
            await sleep(pause_after(time.monotonic() - since, self._count))

    async def _is_over(self, wait: Wait, poller: ChangePoller) -> bool:
        try:
            return poller.should_poll() and await to_thread.run_sync(wait.is_over, limiter=self._threads)
        except Unavailable:
            # What was asked for is accepted: that nobody can look at it now is no reason to answer that it was not.
            return False
