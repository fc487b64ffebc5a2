"""Sending a request through the gate: check, connect to what was checked, follow redirects by the same rules, read."""

from __future__ import annotations

import asyncio
import io
import os
import re
import ssl
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType, TracebackType
from typing import NamedTuple, Self

import aiohttp
import msgspec
from multidict import CIMultiDictProxy
from yarl import URL

from penstock.foundation.outbound.body import ACCEPTED, read_body
from penstock.foundation.outbound.errors import InvalidPolicy, Refused, TimedOut, Unreachable
from penstock.foundation.outbound.failures import explain
from penstock.foundation.outbound.guard import Guard, Lookup, PinningResolver, system_lookup
from penstock.foundation.outbound.policy import Policy
from penstock.foundation.outbound.proxies import Proxies
from penstock.foundation.outbound.redirects import MAX_REDIRECTS, STATUSES, Outgoing, follow
from penstock.foundation.outbound.urls import read_target

_DEFAULTS = {"User-Agent": "penstock", "Accept-Encoding": ACCEPTED}
_TOKEN = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")
_UNSENDABLE = re.compile(r"[\x00-\x08\x0a-\x1f\x7f]")
# They frame the message or speak to the proxy: whoever sets them could hide a second request in the first.
_OURS = frozenset({
    "connection", "content-length", "expect", "keep-alive", "proxy-authorization", "proxy-connection", "te", "trailer",
    "transfer-encoding", "upgrade",
})  # fmt: skip
_NO_HEADERS: Mapping[str, str] = MappingProxyType({})
_MAX_HEADER_LINE = 1 << 16
_MAX_HEADERS = 512
# Above this size aiohttp wants a file to read the body from, so that other calls get their turn.
_LARGE_BODY = 1 << 20


class Answer(msgspec.Struct, frozen=True):
    """What came back, whatever its status. `headers` ignores case; `headers.getall(name)` gives repeated ones."""

    status: int
    reason: str
    headers: CIMultiDictProxy[str]
    body: bytes
    url: str


class _Limits(NamedTuple):
    connect_timeout: float
    max_bytes: int


class Gate:
    """The way out, with a pool of connections: `async with Gate(policy) as gate: await gate.send("GET", url)`.

    If the host hangs up before it answers, what HTTP calls idempotent (GET, PUT, DELETE, …) is sent once more,
    since a kept connection may just have ended; a POST never is.
    """

    def __init__(self, policy: Policy, lookup: Lookup = system_lookup) -> None:
        self._guard = Guard(policy, lookup)
        # Proxies are the operator's choice and mostly private: they are looked up without a check.
        self._proxy_guard = Guard(Policy(is_open=True), lookup)
        self._proxies = Proxies(policy)
        self._tls = _read_authorities(policy)
        self._direct: aiohttp.ClientSession | None = None
        self._proxied: aiohttp.ClientSession | None = None

    async def __aenter__(self) -> Self:
        self._direct = self._open_session(self._guard)
        self._proxied = self._open_session(self._proxy_guard)
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for session in (self._direct, self._proxied):
            if session is not None:
                await session.close()
        self._direct = self._proxied = None

    async def send(
        self,
        method: str,
        url: str,
        *,
        headers: Mapping[str, str] = _NO_HEADERS,
        body: bytes | None = None,
        timeout: float = 300.0,  # noqa: ASYNC109 - one limit for all hops
        connect_timeout: float = 30.0,
        max_bytes: int = 1 << 30,
    ) -> Answer:
        """Send a request and read its answer, redirects followed; raises OutboundError if none came.

        `timeout` is for all of it, in seconds; `max_bytes` is for the body as decoded.
        """
        outgoing = _prepare(method, url, headers, body)
        try:
            async with asyncio.timeout(timeout):
                return await self._follow(outgoing, _Limits(connect_timeout, max_bytes))
        except TimeoutError:
            raise TimedOut(f"{outgoing.target.host} did not finish its answer within {timeout:g} seconds.") from None

    async def _follow(self, outgoing: Outgoing, limits: _Limits) -> Answer:
        first = outgoing.target.host
        for _ in range(MAX_REDIRECTS + 1):
            answer = await self._exchange(outgoing, limits)
            if isinstance(answer, Answer):
                return answer
            outgoing = answer
        raise Unreachable("protocol", f"{first} redirected more than {MAX_REDIRECTS} times.")

    async def _exchange(self, outgoing: Outgoing, limits: _Limits) -> Answer | Outgoing:
        """One request: its answer, or the request that a redirect asks for instead."""
        origin = outgoing.target.origin
        proxy = None
        try:
            if (own := self._guard.find_own(origin.host)) is None:
                proxy = self._proxies.find(origin)
                await self._check(outgoing, proxy)
            response = await self._request(outgoing, own, proxy, limits)
            try:
                if response.status in STATUSES and (location := response.headers.get("Location")):
                    return follow(outgoing, response.status, location)
                body = await read_body(response, origin.host, limits.max_bytes)
            finally:
                response.release()  # closes the connection if something is left unread
        except (aiohttp.ClientError, OSError) as error:
            raise explain(error, origin, proxy, limits.connect_timeout) from None
        return Answer(response.status, response.reason or "", response.headers, body, str(outgoing.target.url))

    async def _check(self, outgoing: Outgoing, proxy: URL | None) -> None:
        """Check what the resolver does not see: addresses written as such, and names that a proxy will look up."""
        origin = outgoing.target.origin
        if origin.address is not None:
            self._guard.check(origin.host, origin.address)
        elif proxy is not None:
            await self._guard.check_for_proxy(origin.host, origin.port)

    async def _request(
        self, outgoing: Outgoing, own: tuple[str, int] | None, proxy: URL | None, limits: _Limits
    ) -> aiohttp.ClientResponse:
        session = self._direct if proxy is None else self._proxied
        if session is None:
            raise RuntimeError("The gate is closed: use it inside `async with`.")
        method, target, headers, body = outgoing
        url = target.url
        if own is not None or proxy is not None:
            # Our dispatcher goes by this header and so do some proxies: another one would lead to another host.
            headers = {**headers, "Host": url.host_port_subcomponent or ""}
        if own is not None:
            url = url.with_scheme("http").with_host(own[0]).with_port(own[1])
        return await session.request(
            method,
            url,
            headers=headers,
            data=io.BytesIO(body) if body is not None and len(body) > _LARGE_BODY else body,
            skip_auto_headers=None if body is None else ("Content-Type",),
            allow_redirects=False,
            proxy=proxy,
            timeout=aiohttp.ClientTimeout(connect=limits.connect_timeout),
        )

    def _open_session(self, guard: Guard) -> aiohttp.ClientSession:
        return aiohttp.ClientSession(
            # No limit of connections: callers decide how much runs at once, and waiting must not count as connecting.
            connector=aiohttp.TCPConnector(resolver=PinningResolver(guard), limit=0, ssl=self._tls),
            headers=_DEFAULTS,
            cookie_jar=aiohttp.DummyCookieJar(),
            auto_decompress=False,
            trust_env=False,
            max_line_size=_MAX_HEADER_LINE,
            max_field_size=_MAX_HEADER_LINE,
            max_headers=_MAX_HEADERS,
        )


def _prepare(method: str, url: str, headers: Mapping[str, str], body: bytes | None) -> Outgoing:
    if not _TOKEN.fullmatch(method):
        raise Refused("The HTTP method must be a single word.")
    for name, value in headers.items():
        if not _TOKEN.fullmatch(name) or _UNSENDABLE.search(value):
            raise Refused(f"The header {name!r} holds a line break or another character that no header may hold.")
    kept = {name: value for name, value in headers.items() if name.lower() not in _OURS}
    return Outgoing(method.upper(), read_target(url), kept, body)


def _read_authorities(policy: Policy) -> ssl.SSLContext | bool:
    """The certificates to trust; True means the system's."""
    bundle = policy.ca_bundle
    if bundle is None and policy.use_environment:
        bundle = os.environ.get("SSL_CERT_FILE") or os.environ.get("REQUESTS_CA_BUNDLE")
    if not bundle:
        return True
    try:
        if Path(bundle).is_dir():
            return ssl.create_default_context(capath=bundle)
        return ssl.create_default_context(cafile=bundle)
    except OSError as error:
        raise InvalidPolicy(f"The CA bundle {bundle} cannot be read: {error.strerror or error}") from error
