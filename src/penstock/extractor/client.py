"""Sends the requests of a run through the outbound gate: retries, and says clearly what failed."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

from penstock.extractor.errors import UserError
from penstock.extractor.log import Log
from penstock.extractor.retry import (
    MOST_RETRIES,
    NOBODY_THERE,
    RETRIED_KINDS,
    RETRIED_STATUSES,
    RETRIES_OF_STRANGERS,
    wait_before,
)
from penstock.foundation import clock
from penstock.foundation.outbound import Answer, Gate, OutboundError

Sleep = Callable[[float], Awaitable[None]]
LARGEST_PAGE = 1 << 30
SHOWN_BYTES = 120
HEADERS = {"User-Agent": "penstock", "Accept": "application/json"}


class Client:
    """One run's way to the API."""

    def __init__(self, gate: Gate, log: Log, most_retries: int = MOST_RETRIES, sleep: Sleep = asyncio.sleep) -> None:
        self._gate, self._log, self._most_retries, self._sleep = gate, log, most_retries, sleep
        self._has_answered = False

    async def get(self, url: str) -> bytes:
        """The body of a successful answer; empty for 204."""
        retries = 0
        while True:
            answer = await self._attempt(url, retries)
            if answer is not None and (answer.status not in RETRIED_STATUSES or retries >= self._most_retries):
                return _body(answer, url)
            retries += 1
            await self._wait(retries, answer, url)

    async def _attempt(self, url: str, retries: int) -> Answer | None:
        """None for a failure on the way that may pass."""
        self._log.debug(f"GET {url} {' '.join(f'{name}: {value}' for name, value in HEADERS.items())}")
        try:
            answer = await self._gate.send("GET", url, headers=HEADERS, max_bytes=LARGEST_PAGE)
        except OutboundError as error:
            if retries >= self._patience_with(error):
                raise UserError(f"The API request failed: GET {url}: {error}") from error
            self._log.warning(str(error))
            return None
        self._has_answered = True
        return answer

    def _patience_with(self, error: OutboundError) -> int:
        """How many retries a failure on the way is worth."""
        if error.kind not in RETRIED_KINDS:
            return 0
        is_strange = error.kind in NOBODY_THERE and not self._has_answered
        return min(RETRIES_OF_STRANGERS, self._most_retries) if is_strange else self._most_retries

    async def _wait(self, retry: int, answer: Answer | None, url: str) -> None:
        seconds = wait_before(retry, answer.headers if answer else {}, clock.now())
        code = answer.status if answer else 0
        self._log.warning(
            f"Http request failed, retrying in {seconds:.1f} seconds [{retry}x].", http_code=code, url=url
        )
        await self._sleep(seconds)


def _body(answer: Answer, url: str) -> bytes:
    if answer.status < 400:
        return answer.body
    family = "Client" if answer.status < 500 else "Server"
    raise UserError(
        f"The API request failed: [{answer.status}] {family} error: `GET {url}` resulted in a "
        f"`{answer.status} {answer.reason}` response{_said(answer.body)}"
    )


def _said(body: bytes) -> str:
    """The beginning of what the API answered, if people can read it."""
    start = " ".join(body[:SHOWN_BYTES].decode("utf-8", "ignore").split())
    cut = " (truncated...)" if len(body) > SHOWN_BYTES else ""
    return f": {start}{cut}" if start and start.isprintable() else ""
