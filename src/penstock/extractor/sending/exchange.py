"""One message there and one answer back: not faster than the API allows, and kept for the next time."""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable

import msgspec

from penstock.extractor.http import Message
from penstock.extractor.log import Log
from penstock.extractor.parallel.lanes import Lanes
from penstock.extractor.sending.cache import Cache, Kept
from penstock.extractor.sending.rate import Pace
from penstock.extractor.sending.trip import Trip
from penstock.extractor.sending.url import host_of
from penstock.foundation import clock
from penstock.foundation.outbound import Answer, Gate, OutboundError

Sleep = Callable[[float], Awaitable[None]]
LARGEST_PAGE, LARGEST_IN_MEMORY = 16 << 30, 64 << 20
"""What a body may have at most: one that can go to a file, and one that cannot, as that of a login."""
SHORTEST_PAUSE_TOLD = 1.0


class Terms(msgspec.Struct, frozen=True):
    """What holds for every message of a configuration."""

    cache: Cache | None = None
    connect_timeout: float = 30.0
    timeout: float = 300.0
    passing: frozenset[int] = frozenset()
    """Statuses that ask for another try; they are not worth keeping."""


class Exchange:
    def __init__(self, gate: Gate, log: Log, terms: Terms, pace: Pace, sleep: Sleep, lanes: Lanes) -> None:
        self._gate, self._log, self._terms, self._pace, self._sleep = gate, log, terms, pace, sleep
        self.lanes = lanes

    def find_kept(self, message: Message) -> Answer | None:
        """What the same message was answered another time."""
        kept = self._terms.cache.find(message.method, message.url) if self._terms.cache else None
        return Answer.kept(kept.status, kept.reason, kept.headers, kept.body, message.url) if kept else None

    async def keep_pace(self, host: str) -> None:
        seconds = self._pace.wait(host, clock.now().timestamp())
        if seconds > SHORTEST_PAUSE_TOLD:
            self._log.info(f"Waiting {seconds:.1f} seconds for the rate limit of {host}.")
        if seconds > 0:
            await self._sleep(seconds)

    async def send(self, message: Message, trip: Trip) -> Answer:
        """Raises OutboundError."""
        trip.begin()
        answer = trip.receive(await self._heard(message, trip))
        self._pace.hear(host_of(message.url), answer.headers, clock.now().timestamp())
        # An answer that asks for another try must not be all that the other try finds.
        if self._terms.cache and answer.status not in self._terms.passing and not trip.is_large:
            self._terms.cache.keep(message.method, message.url, _kept(answer))
        return answer

    async def _heard(self, message: Message, trip: Trip) -> Answer:
        """The lanes hear how it went."""
        began = time.monotonic()
        try:
            answer = await self._pass(message, trip)
        except OutboundError:
            self.lanes.hear(0, time.monotonic() - began)
            raise
        self.lanes.hear(answer.status, time.monotonic() - began)
        return answer

    async def _pass(self, message: Message, trip: Trip) -> Answer:
        return await self._gate.send(
            message.method,
            message.url,
            headers=message.headers,
            body=message.body,
            timeout=self._terms.timeout,
            connect_timeout=self._terms.connect_timeout,
            max_bytes=LARGEST_PAGE if trip.spill else LARGEST_IN_MEMORY,
            follow=False,
            into=trip.spill,
        )


def _kept(answer: Answer) -> Kept:
    headers = [(str(name), value.encode("utf-8", "replace").decode()) for name, value in answer.headers.items()]
    return Kept(answer.status, answer.reason.encode("utf-8", "replace").decode(), headers, answer.body)
