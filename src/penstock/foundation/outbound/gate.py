"""Sends a request through the gate: check, connect to a checked address, follow redirects by the same rules, read."""

from __future__ import annotations

import asyncio
import io
import ssl
from collections.abc import Iterable
from functools import cached_property
from types import MappingProxyType, TracebackType
from typing import NamedTuple, Self

import msgspec
from multidict import CIMultiDict, CIMultiDictProxy
from yarl import URL

from penstock.foundation.outbound.authorities import read_authorities
from penstock.foundation.outbound.body import Sink, read_body
from penstock.foundation.outbound.connections import new_socket, open_session
from penstock.foundation.outbound.errors import Refused, TimedOut, Unreachable
from penstock.foundation.outbound.failures import explain
from penstock.foundation.outbound.guard import Guard, Lookup, PinningResolver, system_lookup
from penstock.foundation.outbound.headers import MARK, TOKEN, Headers, read_headers
from penstock.foundation.outbound.policy import Policy
from penstock.foundation.outbound.proxies import Proxies
from penstock.foundation.outbound.quick_start import aiohttp
from penstock.foundation.outbound.redirects import MAX_REDIRECTS, STATUSES, Outgoing, follow_redirect
from penstock.foundation.outbound.socks import FindProxy, SocksConnector
from penstock.foundation.outbound.urls import read_target

_NO_HEADERS: Headers = MappingProxyType({})
# Above this size aiohttp requires a file as the body, so that other calls are not blocked.
_LARGE_BODY = 1 << 20


class Response(msgspec.Struct, frozen=True):
    """A response, whatever its status. `headers` ignores case; `headers.getall(name)` returns repeated ones."""

    status: int
    reason: str
    headers: CIMultiDictProxy[str]
    body: bytes
    url: str

    @classmethod
    def kept(cls, status: int, reason: str, headers: Iterable[tuple[str, str]], body: bytes, url: str) -> Response:
        """A response restored from stored data."""
        return cls(status, reason, CIMultiDictProxy(CIMultiDict(headers)), body, url)


class _SendOptions(NamedTuple):
    """Options of one call that apply to every hop."""

    connect_timeout: float
    max_bytes: int
    is_following: bool
    into: Sink | None


class Gate:
    """The way out, with a pool of connections: `async with Gate(policy) as gate: await gate.send("GET", url)`.

    tls    trusted authorities and client certificate, instead of the policy's
    socks  returns the address of a SOCKS5 proxy, for each connection: everything goes through it. Names and addresses
           are then those of its network and are not checked; no other proxy is used, and no host counts as the stack's.

    If a pooled connection turns out to be closed, an idempotent request (GET, PUT, DELETE, …) is sent once more.
    """

    def __init__(
        self,
        policy: Policy,
        lookup: Lookup = system_lookup,
        *,
        tls: ssl.SSLContext | None = None,
        socks: FindProxy | None = None,
    ) -> None:
        self._guard = Guard(policy, lookup)
        # Proxies are configured by the operator and mostly private: their addresses are not checked.
        self._proxy_guard = Guard(Policy(is_open=True), lookup)
        self._proxies = Proxies(policy)
        self._policy, self._tls = policy, tls
        self._socks = socks
        self._direct: aiohttp.ClientSession | None = None
        self._proxied: aiohttp.ClientSession | None = None

    async def __aenter__(self) -> Self:
        if self._socks is None:
            self._direct = open_session(self._connector(self._guard))
            self._proxied = open_session(self._connector(self._proxy_guard))
        else:
            self._direct = open_session(SocksConnector(self._socks, self._trusted))
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
        headers: Headers = _NO_HEADERS,
        body: bytes | None = None,
        timeout: float = 300.0,  # noqa: ASYNC109 - one limit for all hops
        connect_timeout: float = 30.0,
        max_bytes: int = 1 << 30,
        follow: bool = True,
        into: Sink | None = None,
    ) -> Response:
        """Send a request and read its response, following redirects by default; raises OutboundError on failure.

        `timeout` is for the whole call, in seconds; `max_bytes` limits the decoded body. With `into`, the body is
        written there as it arrives, and that of the response is empty; what arrived before an error was written too.
        """
        outgoing = _prepare(method, url, headers, body)
        if self._socks is not None:
            await self._socks()  # opening a tunnel does not count towards the call's timeout
        try:
            async with asyncio.timeout(timeout):
                return await self._follow(outgoing, _SendOptions(connect_timeout, max_bytes, follow, into))
        except TimeoutError:
            raise TimedOut(f"{outgoing.target.host} did not finish its response within {timeout:g} seconds.") from None

    async def _follow(self, outgoing: Outgoing, options: _SendOptions) -> Response:
        first = outgoing.target.host
        for _ in range(MAX_REDIRECTS + 1):
            outcome = await self._exchange(outgoing, options)
            if isinstance(outcome, Response):
                return outcome
            outgoing = outcome
        raise Unreachable("redirects", f"{first} redirected more than {MAX_REDIRECTS} times.")

    async def _exchange(self, outgoing: Outgoing, options: _SendOptions) -> Response | Outgoing:
        """One request: its response, or the next request of a redirect."""
        origin = outgoing.target.origin
        own = proxy = None
        try:
            if self._socks is None and (own := self._guard.find_own(origin.host, origin.port)) is None:
                proxy = self._proxies.find(origin)
                await self._check(outgoing, proxy)
            response = await self._request(outgoing, own, proxy, options)
        except (aiohttp.ClientError, OSError) as error:
            raise explain(error, origin, proxy, options.connect_timeout) from None
        return await _read_response(response, outgoing, options)

    async def _check(self, outgoing: Outgoing, proxy: URL | None) -> None:
        """Check what the resolver does not see: literal addresses, and names that a proxy will resolve."""
        origin = outgoing.target.origin
        if origin.address is not None:
            self._guard.check(origin.host, origin.address, origin.port)
        elif proxy is not None:
            await self._guard.check_for_proxy(origin.host, origin.port)

    async def _request(
        self, outgoing: Outgoing, own: tuple[str, int] | None, proxy: URL | None, options: _SendOptions
    ) -> aiohttp.ClientResponse:
        session = self._direct if proxy is None else self._proxied
        if session is None:
            raise RuntimeError("The gate is closed: use it inside `async with`.")
        method, target, headers, body = outgoing
        url, ours = target.url, {MARK: self._policy.mark} if self._policy.mark else {}
        if own is not None or proxy is not None:
            # Our dispatcher and some proxies use this header: another one would lead to another host.
            ours["Host"] = url.host_port_subcomponent or ""
        if ours:
            headers = CIMultiDict(headers)
            headers.update(ours)
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
            ssl=self._trusted if "https" in (url.scheme, proxy and proxy.scheme) else True,
            timeout=aiohttp.ClientTimeout(connect=options.connect_timeout),
        )

    @cached_property
    def _trusted(self) -> ssl.SSLContext | bool:
        """Loaded on first use of TLS: a large bundle takes a while, and many runs do not need it."""
        return self._tls or read_authorities(self._policy)

    def _connector(self, guard: Guard) -> aiohttp.TCPConnector:
        # No connection limit: callers limit concurrency, and waiting must not count as connecting.
        return aiohttp.TCPConnector(resolver=PinningResolver(guard), limit=0, socket_factory=new_socket)


async def send_once(
    policy: Policy,
    method: str,
    url: str,
    *,
    headers: Headers = _NO_HEADERS,
    body: bytes | None = None,
    seconds: float,
    connect_seconds: float | None = None,
    max_bytes: int,
) -> Response:
    """Send a single small request, without following redirects: they could carry a secret to another host."""
    async with Gate(policy) as gate:
        return await gate.send(
            method,
            url,
            headers=headers,
            body=body,
            timeout=seconds,
            connect_timeout=connect_seconds or seconds,
            max_bytes=max_bytes,
            follow=False,
        )


async def _read_response(
    response: aiohttp.ClientResponse, outgoing: Outgoing, options: _SendOptions
) -> Response | Outgoing:
    try:
        if options.is_following and response.status in STATUSES and (location := response.headers.get("Location")):
            return follow_redirect(outgoing, response.status, location)
        body = await read_body(response, outgoing.target.host, options.max_bytes, options.into)
    finally:
        response.release()  # closes the connection if the body was not read
    return Response(response.status, response.reason or "", response.headers, body, str(outgoing.target.url))


def _prepare(method: str, url: str, headers: Headers, body: bytes | None) -> Outgoing:
    if not TOKEN.fullmatch(method):
        raise Refused("The HTTP method must be a single word.")
    return Outgoing(method.upper(), read_target(url), read_headers(headers), body)
