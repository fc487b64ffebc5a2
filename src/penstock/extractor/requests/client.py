"""Sends the requests of a configuration through the outbound gate: signs them, limits their rate, retries, and follows
redirects. A failure becomes a UserError."""

from __future__ import annotations

import asyncio
from contextlib import nullcontext

import msgspec

from penstock.extractor.base.charset import content_type, readable_body, to_utf8
from penstock.extractor.base.errors import UserError
from penstock.extractor.base.http import FAILED, HeaderValue, Message, Request, merge_headers
from penstock.extractor.base.log import Log, Traffic
from penstock.extractor.base.received import excerpt
from penstock.extractor.requests.auth import Auth, AwsSignature, Reply
from penstock.extractor.requests.auth.address import read_address
from penstock.extractor.requests.parallel.concurrency import ConcurrencyLimiter
from penstock.extractor.requests.sending.attempt import FetchAttempt
from penstock.extractor.requests.sending.cache import Cache
from penstock.extractor.requests.sending.exchange import Exchange, SendOptions, Sleep
from penstock.extractor.requests.sending.failures import broken_off, failed_request, failed_way
from penstock.extractor.requests.sending.hosts import AllowedHosts
from penstock.extractor.requests.sending.message import Builder
from penstock.extractor.requests.sending.rate import RateLimiter
from penstock.extractor.requests.sending.redirects import (
    MAX_REDIRECTS,
    Trusted,
    holds_secret,
    is_harmless,
    redirected,
    stripped,
)
from penstock.extractor.requests.sending.retry import Retry
from penstock.extractor.requests.sending.url import get_host
from penstock.foundation import clock
from penstock.foundation.outbound import Gate, OutboundError, Response, speaks_for_a_proxy
from penstock.foundation.redaction import Redactor

MAX_RETRIES, MAX_WAIT = 2, 5.0
"""Lower than in a run."""


class Sending(msgspec.Struct, frozen=True):
    """How the messages of one configuration are built and sent."""

    builder: Builder
    auth: Auth
    trusted: Trusted
    retry: Retry = Retry()
    hosts: AllowedHosts = AllowedHosts()
    aws: AwsSignature | None = None
    cache: Cache | None = None
    ignored: frozenset[int] = frozenset()
    """Statuses that do not count as failures; 0 means a body that is not JSON."""
    secrets: tuple[str, ...] = ()
    """Texts that must not be logged, in addition to those under `#` keys of the configuration."""
    connect_timeout: float = 30.0
    timeout: float = 300.0

    def withheld_from(self, url: str, message: Message, redactor: Redactor) -> str:
        """Returns the host of this address, if the message was sent there without its credentials; otherwise empty."""
        if self.trusted.covers(url):
            return ""
        has_credentials = self.auth.name or self.aws or not is_harmless(message) or holds_secret(message, redactor)
        return get_host(url) if has_credentials else ""


class Client:
    """Sends the messages of one configuration."""

    def __init__(
        self,
        gate: Gate,
        log: Log,
        sending: Sending,
        rate_limiter: RateLimiter,
        sleep: Sleep = asyncio.sleep,
        limiter: ConcurrencyLimiter | None = None,
        traffic: Traffic | None = None,
    ) -> None:
        self._log, self._sending, self._sleep = log, sending, sleep
        self.limiter = limiter or ConcurrencyLimiter()
        options = SendOptions(sending.cache, sending.connect_timeout, sending.timeout, sending.retry.statuses)
        self._exchange = Exchange(gate, log, options, rate_limiter, sleep, self.limiter, traffic or Traffic())
        self._signing = asyncio.Lock()
        """Held while a login is in progress, so that concurrent requests share one."""
        self._reached: set[str] = set()
        """Hosts that have responded in this run."""
        self._unknown: set[str] = set()
        self._dropped: set[str] = set()
        """Hosts and headers that were warned about."""
        log.hide(sending.secrets)

    async def fetch(self, request: Request, attempt: FetchAttempt | None = None) -> Response:
        """Returns the response to a job's request; raises UserError for an error status that is not ignored."""
        message = self.message_for(request)
        method, response = await self._follow(message, attempt or FetchAttempt(), is_signed=True)
        if response.status >= FAILED and response.status not in self._sending.ignored:
            raise self._failed(message, method, response)
        return response

    def message_for(self, request: Request) -> Message:
        """Returns the message for a job's request, without authentication."""
        return self._sending.builder.build(request)

    async def send(self, message: Message) -> Response:
        """Returns the response, whatever its status, after retries and redirects."""
        return (await self._follow(message, FetchAttempt(), is_signed=True))[1]

    async def _log_in(self, request: Request, attempt: FetchAttempt) -> Reply:
        """Sends a login, with the headers of the configuration, but without its defaults and unsigned."""
        message = self._sending.builder.build_plain(request)
        method, response = await self._follow(message, FetchAttempt(counts=attempt), is_signed=False)
        if response.status >= FAILED:
            raise self._failed(message, method, response)
        body = to_utf8(response.body, content_type(response)).body
        return Reply(body, clock.now().timestamp())

    def _failed(self, message: Message, method: str, response: Response) -> UserError:
        """`method` is that of the last hop."""
        withheld = self._sending.withheld_from(response.url, message, self._log.redactor)
        return failed_request(method, response, self._log.redactor, withheld)

    async def _follow(self, message: Message, attempt: FetchAttempt, *, is_signed: bool) -> tuple[str, Response]:
        """Returns the response after all redirects, and the method of the last request."""
        for _ in range(MAX_REDIRECTS + 1):
            response = await self._send_with_retries(message, attempt, is_signed=is_signed)
            following = redirected(message, response)
            if following is None:
                return message.method, response
            message = following
        raise UserError(f"Will not follow more than {MAX_REDIRECTS} redirects")

    async def _send_with_retries(self, message: Message, attempt: FetchAttempt, *, is_signed: bool) -> Response:
        """Sends one hop; raises UserError when the retries are used up."""
        retries = 0
        while True:
            # Signed inside the limiter, so that no signature expires in a queue. A login is sent by a request that has
            # entered the limiter already.
            async with self.limiter if is_signed and not self.limiter.is_single else nullcontext():
                response = await self._attempt(message, attempt, retries, is_signed=is_signed)
            if response is not None and not self._sending.retry.retries_status(response.status, retries):
                return response
            retries += 1
            attempt.count_retry()
            await self._wait(retries, response, message)

    async def _attempt(
        self, message: Message, attempt: FetchAttempt, retries: int, *, is_signed: bool
    ) -> Response | None:
        """Returns None for a failure without a response that is worth a retry."""
        signed = await self._signed(message, attempt, is_signed=is_signed)
        self._sending.hosts.check(signed.url)
        if not retries and (cached := self._exchange.find_cached(signed)) is not None:
            return cached
        host = get_host(signed.url)
        await self._exchange.wait_for_rate(host)
        self._log_request(signed)
        try:
            response = await self._exchange.send(signed, attempt)
        except OutboundError as error:
            return self._recover(signed, error, attempt, retries)
        self._reached.add(host)
        return response

    def _recover(self, message: Message, error: OutboundError, attempt: FetchAttempt, retries: int) -> Response | None:
        """Returns the received part of a response whose status is ignored, or None for a retry; otherwise raises
        UserError."""
        partial = broken_off(message.url, error)
        if partial is not None and partial.status in self._sending.ignored:
            return attempt.receive(partial)
        is_unknown = get_host(message.url) not in self._reached
        if not self._sending.retry.retries_failure(error.kind, retries, is_unknown=is_unknown):
            raise failed_way(message, error) from error
        self._log.warning(str(error), method=message.method, url=message.url)
        return None

    async def _signed(self, message: Message, attempt: FetchAttempt, *, is_signed: bool) -> Message:
        """Returns the message as it is sent; without credentials for a host that the configuration does not name."""
        message = self._without_proxy_headers(message)
        if not self._sending.trusted.covers(message.url):
            self._log_unknown(message.url)
            return stripped(message, self._log.redactor)
        if is_signed:
            message = await self._authenticated(message, attempt)
        return self._sending.aws.sign(message, clock.now()) if self._sending.aws else message

    async def _authenticated(self, message: Message, attempt: FetchAttempt) -> Message:
        signing = self._sending.auth.sign(message)
        try:
            async with self._signing:
                request = next(signing)
                while True:
                    request = signing.send(await self._log_in(request, attempt))
        except StopIteration as done:
            self._log.hide(self._sending.auth.secrets)
            return done.value

    async def _wait(self, retry: int, response: Response | None, message: Message) -> None:
        seconds = self._sending.retry.wait_before(retry, response.headers if response else {}, clock.now())
        self._log.warning(
            f"Http request failed, retrying in {seconds:.1f} seconds [{retry}x].",
            http_code=response.status if response else 0,
            body=excerpt(readable_body(response) if response else b"", self._log.redactor),
            method=message.method,
            url=message.url,
        )
        await self._sleep(seconds)

    def _log_request(self, message: Message) -> None:
        if self._log.is_debug:
            address = read_address(message.url)
            headers = merge_headers({"Host": address.authority}, message.headers)
            header_text = " ".join(f"{name}: {_shown(value)}" for name, value in headers.items())
            self._log.debug(f"{message.method} {address.resource} HTTP/1.1 {header_text}")

    def _without_proxy_headers(self, message: Message) -> Message:
        dropped = [name for name in message.headers if speaks_for_a_proxy(name)]
        if not dropped:
            return message
        for name in set(dropped) - self._dropped:
            self._dropped.add(name)
            self._log.warning(f"The header {name} is not sent: only proxies set it. Remove it from the configuration.")
        sent = {name: value for name, value in message.headers.items() if name not in dropped}
        return msgspec.structs.replace(message, headers=sent)

    def _log_unknown(self, url: str) -> None:
        host = get_host(url)
        if host not in self._unknown:
            self._unknown.add(host)
            self._log.warning(
                f"{host} is not named by the configuration, so no credentials, no headers of its own and no parameters "
                "with secrets are sent there. If they should be, add the host to `parameters.api.trustedHosts`."
            )


def _shown(value: HeaderValue) -> str:
    return value if isinstance(value, str) else ", ".join(value)


def with_short_waits(sending: Sending) -> Sending:
    """Returns the settings without the cache, because the current response is needed, and with few retries."""
    most, longest = sending.retry.most, sending.retry.longest_wait
    retry = msgspec.structs.replace(
        sending.retry,
        most=MAX_RETRIES if most is None else min(most, MAX_RETRIES),
        longest_wait=MAX_WAIT if longest is None else min(longest, MAX_WAIT),
    )
    return msgspec.structs.replace(sending, retry=retry, cache=None)
