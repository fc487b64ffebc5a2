"""How many requests may be on their way at once: as many as the API takes well.

The number grows while answers come quickly. It is halved when the API says that it has had enough
(429, 503) or does not answer, and shrinks when answers get slow.
"""

from __future__ import annotations

import asyncio
import time
from collections import deque
from types import TracebackType
from typing import Self

import msgspec

from penstock.extractor.section import Section
from penstock.extractor.whole_numbers import exact_whole

AUTO = "auto"
MOST, FIRST = 16, 4
"""With `auto`: how many at most, and how many to begin with."""
LARGEST = 100
ENOUGH = frozenset({429, 503})
SLOWER = 3.0
"""So many times the usual time is slow."""
LITTLE = 0.05
"""Seconds that make no difference: below them a response is never slow."""
WEIGHT = 0.2
"""Of the latest answer in the usual time."""
FORGETTING = 1.02
"""So much longer the best time gets with every response: one that was quick for a reason of its own must not make all
others slow for ever."""


class Parallelism(msgspec.Struct, frozen=True):
    """`api.parallelism`: how many requests at once, at most and to begin with."""

    most: int = 1
    first: int = 1


def read_parallelism(api: Section) -> Parallelism:
    value = api.get("parallelism")
    if value is None:
        return Parallelism()
    if value == AUTO:
        return Parallelism(MOST, FIRST)
    number = exact_whole(value) or 0
    if isinstance(value, bool) or not 1 <= number <= LARGEST:
        raise api.wrong("parallelism", f'a whole number from 1 to {LARGEST}, or "{AUTO}"')
    return Parallelism(number, number)


class ConcurrencyLimiter:
    """Entered around every request: `async with limiter:` waits until one is free."""

    def __init__(self, parallelism: Parallelism = Parallelism()) -> None:  # noqa: B008 - it is frozen
        self._most, self.limit = parallelism.most, parallelism.first
        self._busy = self._good = 0
        self._is_careful = False
        """Whether the API has once had enough: from then on the number grows slowly."""
        self._usual = self._best = self._backed_off = 0.0
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
            if turn.done() and not turn.cancelled():  # the lane was given to somebody who does not want it any more
                self._leave()
            raise
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._leave()

    def hear(self, status: int, seconds: float) -> None:
        """How a request went; status 0 for one that got no response."""
        if status in ENOUGH or not status:
            self._back_off(seconds)
            return
        self._usual = seconds if not self._usual else (1 - WEIGHT) * self._usual + WEIGHT * seconds
        self._best = min(self._best * FORGETTING or seconds, seconds)
        if self._usual > SLOWER * self._best + LITTLE:
            self.limit, self._good = max(1, self.limit - 1), 0
            return
        self._good += 1
        if self._good >= self.limit:
            self._grow()

    def _back_off(self, seconds: float) -> None:
        """Once for all requests that were on their way together: they had the same reason."""
        now = time.monotonic()
        if now - seconds >= self._backed_off:
            self.limit, self._good, self._is_careful = max(1, self.limit // 2), 0, True
            self._backed_off = now

    def _grow(self) -> None:
        more = 1 if self._is_careful else self.limit
        self.limit, self._good = min(self._most, self.limit + more), 0
        self._call_next()

    def _leave(self) -> None:
        self._busy -= 1
        self._call_next()

    def _call_next(self) -> None:
        while self._waiting and self._busy < self.limit:
            turn = self._waiting.popleft()
            if not turn.done():
                self._busy += 1
                turn.set_result(None)
