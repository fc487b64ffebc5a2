"""One message there and one response back: not faster than the API allows, and kept for the next time."""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable

import msgspec

from penstock.extractor.http import Message
from penstock.extractor.log import Log
from penstock.extractor.parallel.concurrency import ConcurrencyLimiter
from penstock.extractor.sending.attempt import FetchAttempt
from penstock.extractor.sending.cache import Cache, CachedResponse
from penstock.extractor.sending.rate import RateLimiter
from penstock.extractor.sending.url import host_of
from penstock.foundation import clock
from penstock.foundation.outbound import Gate, OutboundError, Response

Sleep = Callable[[float], Awaitable[None]]
LARGEST_PAGE, LARGEST_IN_MEMORY = 16 << 30, 64 << 20
"""What a body may have at most: one that can go to a file, and one that cannot, as that of a login."""
SHORTEST_PAUSE_TOLD = 1.0


class SendOptions(msgspec.Struct, frozen=True):
    """What holds for every message of a configuration."""

    cache: Cache | None = None
    connect_timeout: float = 30.0
    timeout: float = 300.0
    passing: frozenset[int] = frozenset()
    """Statuses that ask for another try; they are not worth keeping."""


class Exchange:
    def __init__(
        self,
        gate: Gate,
        log: Log,
        options: SendOptions,
        rate_limiter: RateLimiter,
        sleep: Sleep,
        limiter: ConcurrencyLimiter,
    ) -> None:
        self._gate, self._log, self._options, self._rate_limiter, self._sleep = gate, log, options, rate_limiter, sleep
        self.limiter = limiter

    def find_kept(self, message: Message) -> Response | None:
        """What the same message was answered another time."""
        kept = self._options.cache.find(message.method, message.url) if self._options.cache else None
        return Response.kept(kept.status, kept.reason, kept.headers, kept.body, message.url) if kept else None

    async def wait_for_rate(self, host: str) -> None:
        seconds = self._rate_limiter.wait(host, clock.now().timestamp())
        if seconds > SHORTEST_PAUSE_TOLD:
            self._log.info(f"Waiting {seconds:.1f} seconds for the rate limit of {host}.")
        if seconds > 0:
            await self._sleep(seconds)

    async def send(self, message: Message, attempt: FetchAttempt) -> Response:
        """Raises OutboundError."""
        attempt.begin()
        response = attempt.receive(await self._heard(message, attempt))
        self._rate_limiter.hear(host_of(message.url), response.headers, clock.now().timestamp())
        # A response that asks for another try must not be all that the other try finds.
        if self._options.cache and response.status not in self._options.passing and not attempt.is_large:
            self._options.cache.keep(message.method, message.url, _kept(response))
        return response

    async def _heard(self, message: Message, attempt: FetchAttempt) -> Response:
        """The limiter learns how it went."""
        began = time.monotonic()
        try:
            response = await self._pass(message, attempt)
        except OutboundError:
            self.limiter.hear(0, time.monotonic() - began)
            raise
        self.limiter.hear(response.status, time.monotonic() - began)
        return response

    async def _pass(self, message: Message, attempt: FetchAttempt) -> Response:
        return await self._gate.send(
            message.method,
            message.url,
            headers=message.headers,
            body=message.body,
            timeout=self._options.timeout,
            connect_timeout=self._options.connect_timeout,
            max_bytes=LARGEST_PAGE if attempt.spill else LARGEST_IN_MEMORY,
            follow=False,
            into=attempt.spill,
        )


def _kept(response: Response) -> CachedResponse:
    headers = [(str(name), value.encode("utf-8", "replace").decode()) for name, value in response.headers.items()]
    return CachedResponse(response.status, response.reason.encode("utf-8", "replace").decode(), headers, response.body)
