"""Sends one message and receives its response, within the rate limit, and caches the response if that is enabled."""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable

import msgspec

from penstock.extractor.base.http import Message
from penstock.extractor.base.log import Log, Traffic
from penstock.extractor.requests.parallel.concurrency import ConcurrencyLimiter
from penstock.extractor.requests.sending.attempt import FetchAttempt
from penstock.extractor.requests.sending.cache import Cache, CachedResponse
from penstock.extractor.requests.sending.rate import RateLimiter
from penstock.extractor.requests.sending.url import get_host
from penstock.foundation import clock
from penstock.foundation.outbound import Gate, OutboundError, Response

Sleep = Callable[[float], Awaitable[None]]
MAX_PAGE, MAX_BYTES_IN_MEMORY = 16 << 30, 64 << 20
"""The largest body in bytes: of one that can go to a file, and of one that cannot, such as that of a login."""
MIN_PAUSE_LOGGED = 1.0


class SendOptions(msgspec.Struct, frozen=True):
    """Options of all messages of a configuration."""

    cache: Cache | None = None
    connect_timeout: float = 30.0
    timeout: float = 300.0
    passing: frozenset[int] = frozenset()
    """Statuses that are retried; such responses are not cached."""


class Exchange:
    def __init__(
        self,
        gate: Gate,
        log: Log,
        options: SendOptions,
        rate_limiter: RateLimiter,
        sleep: Sleep,
        limiter: ConcurrencyLimiter,
        traffic: Traffic,
    ) -> None:
        self._gate, self._log, self._options, self._rate_limiter, self._sleep = gate, log, options, rate_limiter, sleep
        self.limiter, self._traffic = limiter, traffic

    def find_cached(self, message: Message) -> Response | None:
        """Returns the cached response to this message."""
        cached = self._options.cache.find(message.method, message.url) if self._options.cache else None
        return Response.kept(cached.status, cached.reason, cached.headers, cached.body, message.url) if cached else None

    async def wait_for_rate(self, host: str) -> None:
        seconds = self._rate_limiter.wait(host, clock.now().timestamp())
        if seconds > MIN_PAUSE_LOGGED:
            self._log.info(f"Waiting {seconds:.1f} seconds for the rate limit of {host}.")
        if seconds > 0:
            await self._sleep(seconds)

    async def send(self, message: Message, attempt: FetchAttempt) -> Response:
        """Raises OutboundError."""
        attempt.begin()
        response = attempt.receive(await self._timed(message, attempt))
        self._traffic.add(attempt.size_of(response))
        self._rate_limiter.observe(get_host(message.url), response.headers, clock.now().timestamp())
        # A response that is retried must not be cached: the retry would find it.
        if self._options.cache and response.status not in self._options.passing and not attempt.is_large:
            self._options.cache.store(message.method, message.url, _cacheable(response))
        return response

    async def _timed(self, message: Message, attempt: FetchAttempt) -> Response:
        """Sends the message, and reports status and duration to the limiter."""
        started = time.monotonic()
        try:
            response = await self._send(message, attempt)
        except OutboundError:
            self.limiter.observe(0, time.monotonic() - started)
            raise
        self.limiter.observe(response.status, time.monotonic() - started)
        return response

    async def _send(self, message: Message, attempt: FetchAttempt) -> Response:
        return await self._gate.send(
            message.method,
            message.url,
            headers=message.headers,
            body=message.body,
            timeout=self._options.timeout,
            connect_timeout=self._options.connect_timeout,
            max_bytes=MAX_PAGE if attempt.spill else MAX_BYTES_IN_MEMORY,
            follow=False,
            into=attempt.spill,
        )


def _cacheable(response: Response) -> CachedResponse:
    headers = [(str(name), value.encode("utf-8", "replace").decode()) for name, value in response.headers.items()]
    return CachedResponse(response.status, response.reason.encode("utf-8", "replace").decode(), headers, response.body)
