"""How many requests may be in progress: as many as the API handles well.

The limit grows while responses are fast. It is halved when the API is overloaded (429, 503) or does not respond, and
shrinks when responses get slow.
"""

from __future__ import annotations

import asyncio
import time
from collections import deque
from types import TracebackType
from typing import Self

import msgspec

from penstock.extractor.base.integers import exact_integer
from penstock.extractor.base.section import Section

AUTO = "auto"
MAX_AUTOMATIC, FIRST = 16, 4
"""With `auto`: the highest limit, and the first one."""
MAX_CONCURRENCY = 100
OVERLOADED = frozenset({429, 503})
SLOWER = 3.0
"""Responses are slow when the average duration is so many times the best one."""
TOLERANCE = 0.05
"""Seconds added to that: very short durations are never slow."""
WEIGHT = 0.2
"""The weight of the latest response in the average duration."""
DECAY = 1.02
"""The best duration grows by this factor with every response, so that one exceptionally fast response does not make all
later ones count as slow."""


class Parallelism(msgspec.Struct, frozen=True):
    """`api.parallelism`: the highest number of concurrent requests, and the first one."""

    most: int = 1
    first: int = 1


def read_parallelism(api: Section) -> Parallelism:
    value = api.get("parallelism")
    if value is None:
        return Parallelism()
    if value == AUTO:
        return Parallelism(MAX_AUTOMATIC, FIRST)
    number = exact_integer(value) or 0
    if isinstance(value, bool) or not 1 <= number <= MAX_CONCURRENCY:
        raise api.wrong("parallelism", f'a whole number from 1 to {MAX_CONCURRENCY}, or "{AUTO}"')
    return Parallelism(number, number)


class ConcurrencyLimiter:
    """`async with limiter:` around every request waits while too many are in progress."""

    def __init__(self, parallelism: Parallelism = Parallelism()) -> None:  # noqa: B008 - it is frozen
        self._most, self.limit = parallelism.most, parallelism.first
        self._busy = self._good = 0
        self._is_careful = False
        """Whether the API was overloaded once: from then on the limit grows slowly."""
        self._average = self._best = self._backed_off = 0.0
        self._waiting: deque[asyncio.Future[None]] = deque()

    @property
    def is_single(self) -> bool:
        return self._most == 1

    async def __aenter__(self) -> Self:
        if self._busy < self.limit and not self._waiting:
            self._busy += 1
            return self
        turn = asyncio.get_running_loop().create_future()
        self._waiting.append(turn)
        try:
            await turn
        except asyncio.CancelledError:
            if turn.done() and not turn.cancelled():  # admitted and cancelled at the same time
                self._leave()
            raise
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._leave()

    def observe(self, status: int, seconds: float) -> None:
        """Adjusts the limit after a request; status 0 is for one without a response."""
        if status in OVERLOADED or not status:
            self._back_off(seconds)
            return
        self._average = seconds if not self._average else (1 - WEIGHT) * self._average + WEIGHT * seconds
        self._best = min(self._best * DECAY or seconds, seconds)
        if self._average > SLOWER * self._best + TOLERANCE:
            self.limit, self._good = max(1, self.limit - 1), 0
            return
        self._good += 1
        if self._good >= self.limit:
            self._grow()

    def _back_off(self, seconds: float) -> None:
        """Reduces the limit once for all requests that ran together, because they fail for the same reason."""
        now = time.monotonic()
        if now - seconds >= self._backed_off:
            self.limit, self._good, self._is_careful = max(1, self.limit // 2), 0, True
            self._backed_off = now

    def _grow(self) -> None:
        more = 1 if self._is_careful else self.limit
        self.limit, self._good = min(self._most, self.limit + more), 0
        self._admit_next()

    def _leave(self) -> None:
        self._busy -= 1
        self._admit_next()

    def _admit_next(self) -> None:
        while self._waiting and self._busy < self.limit:
            turn = self._waiting.popleft()
            if not turn.done():
                self._busy += 1
                turn.set_result(None)
