"""Sends requests through the gate, with retries, and with a clear error if they fail.

A request whose response was lost may have been processed, and is sent again nevertheless: rows arrive at least once.
"""

from __future__ import annotations

import asyncio

from penstock.components.generic_writer.requests import Request
from penstock.components.generic_writer.settings import Api
from penstock.extractor.base.errors import UserError
from penstock.extractor.base.log import Log
from penstock.extractor.requests.sending.retry import Retry
from penstock.foundation import clock
from penstock.foundation.outbound import Gate, OutboundError, Response

EXCERPT = 1000
DEFAULT_TIMEOUT = 300.0
MAX_WAIT = 300.0


class Excerpt:
    """The beginning of a response, for error messages."""

    def __init__(self) -> None:
        self.body = b""

    def write(self, chunk: bytes) -> None:
        self.body = (self.body + chunk)[: 2 * EXCERPT]


class Sender:
    def __init__(self, gate: Gate, log: Log, api: Api) -> None:
        self._gate, self._log, self._api = gate, log, api
        retry = api.retry_config
        self._retry = Retry(most=retry.max_retries, statuses=frozenset(retry.codes), longest_wait=MAX_WAIT)

    async def send(self, request: Request, what: str) -> None:
        """Raises UserError unless the API accepted it. `what` describes the rows of the request, for messages."""
        retries = 0
        while True:
            response, excerpt = await self._attempt(request, what, retries)
            if response and not self._retry.retries_status(response.status, retries):
                break
            retries += 1
            await self._wait(retries, response)
        if not 200 <= response.status < 300:
            raise self._refused(request, what, response, excerpt)

    async def _attempt(self, request: Request, what: str, retries: int) -> tuple[Response | None, Excerpt]:
        """Returns None if it failed and may be retried."""
        excerpt = Excerpt()
        try:
            response = await self._gate.send(
                request.method,
                request.url,
                headers=request.headers,
                body=request.body,
                timeout=self._api.timeout or DEFAULT_TIMEOUT,
                # A redirect turns most methods into GET: the rows would be lost although the response looks fine.
                follow=request.method == "GET",
                into=excerpt,
            )
        except OutboundError as error:
            if not self._retry.retries_failure(error.kind, retries, is_unknown=False):
                raise UserError(f"{what} could not be sent: {error}") from error
            self._log.warning(f"{what} could not be sent, trying again: {error}")
            return None, excerpt
        return response, excerpt

    async def _wait(self, retries: int, response: Response | None) -> None:
        if response and "Retry-After" in response.headers:
            seconds = self._retry.wait_before(retries, response.headers, clock.now())
        else:
            seconds = min(self._api.retry_config.backoff_factor * 2 ** min(retries - 1, 20), MAX_WAIT)
        if response:
            self._log.warning(f"The API answered {response.status}, trying again in {seconds:.1f} seconds.")
        await asyncio.sleep(max(seconds, 0.0))

    def _refused(self, request: Request, what: str, response: Response, excerpt: Excerpt) -> UserError:
        said = self._log.redactor.clean_start(excerpt.body, EXCERPT, "replace").strip()
        where = "; `base_url` should be where it redirects to" if 300 <= response.status < 400 else ""
        return UserError(
            f"{what}: the API answered {response.status} {response.reason} to {request.method}{where}. {said}".strip()
        )
