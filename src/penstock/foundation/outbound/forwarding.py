"""An HTTP proxy that enforces a policy: for programs that do not use the gate themselves.

It accepts CONNECT, and plain requests with an absolute URL. A name is resolved once, every address is checked, and the
connection goes to a checked address, as with the gate. Each connection carries one request: after a plain request,
whose `Host` was checked, no other can follow.
"""

from __future__ import annotations

import asyncio
import base64
import re
from contextlib import suppress
from typing import NamedTuple

from yarl import URL

from penstock.foundation.outbound.authorities import trusting
from penstock.foundation.outbound.errors import OutboundError, Refused, Unreachable
from penstock.foundation.outbound.guard import Guard, Lookup, system_lookup
from penstock.foundation.outbound.headers import MARK, TOKEN, speaks_for_a_proxy
from penstock.foundation.outbound.policy import Policy
from penstock.foundation.outbound.proxies import Proxies
from penstock.foundation.outbound.urls import Origin, Target, read_target

HEAD_SECONDS = 30.0
CONNECT_SECONDS = 30.0
_CHUNK = 1 << 16
_NOT_FORWARDED = ("proxy-", "connection:", "keep-alive:", "upgrade:", "host:", f"{MARK.lower()}:")

# No blank before the colon and no line break in a value: another server could read another header in it.
_HEADER = re.compile(TOKEN.pattern + r":[^\r\n\0]*")

Streams = tuple[asyncio.StreamReader, asyncio.StreamWriter]


class _Request(NamedTuple):
    method: str
    target: Target
    lines: list[str]
    """Its headers."""


class Forwarder:
    """Serves connections: `await asyncio.start_server(forwarder.serve, sock=listener)`."""

    def __init__(self, policy: Policy, lookup: Lookup = system_lookup) -> None:
        self._policy, self._guard, self._proxies = policy, Guard(policy, lookup), Proxies(policy)

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(OSError, asyncio.CancelledError):
            try:
                await self._response(reader, writer)
            finally:
                writer.close()

    async def _response(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            async with asyncio.timeout(HEAD_SECONDS):
                request = read_request(await reader.readuntil(b"\r\n\r\n"))
            async with asyncio.timeout(CONNECT_SECONDS):
                there = await self._open(request)
        except (asyncio.IncompleteReadError, asyncio.LimitOverrunError):
            return  # no request, or one whose head is too long
        except (OutboundError, OSError) as error:
            await _refuse(writer, error)
            return
        if request.method == "CONNECT":
            writer.write(b"HTTP/1.1 200 Connection established\r\n\r\n")
        await _relay((reader, writer), there)

    async def _open(self, request: _Request) -> Streams:
        """A connection to the host on which the request has been sent, or a tunnel to it."""
        origin = request.target.origin
        if own := self._guard.find_own(origin.host, origin.port):
            if request.method == "CONNECT":
                raise Refused(f"{origin.host} is a host of this stack, which is called with http://, not with TLS.")
            return await self._send_plain(await asyncio.open_connection(*own), request)
        proxy = self._proxies.find(origin)
        if proxy is not None:
            await self._check(origin)
            return await self._open_through(proxy, request)
        there = await self._connect(origin)
        return there if request.method == "CONNECT" else await self._send_plain(there, request)

    async def _check(self, origin: Origin) -> None:
        if origin.address is not None:
            self._guard.check(origin.host, origin.address, origin.port)
        else:
            await self._guard.check_for_proxy(origin.host, origin.port)

    async def _connect(self, origin: Origin) -> Streams:
        """Connect to the first checked address that accepts."""
        if origin.address is not None:
            self._guard.check(origin.host, origin.address, origin.port)
            addresses = [str(origin.address)]
        else:
            addresses = await self._guard.resolve(origin.host, origin.port)
        for address in addresses:
            with suppress(OSError):
                return await asyncio.open_connection(address, origin.port)
        raise Unreachable("connect", f"{origin.host} does not accept connections on port {origin.port}.")

    async def _open_through(self, proxy: URL, request: _Request) -> Streams:
        """Through the operator's proxy, whose password is not passed on."""
        tls = trusting(self._policy) if proxy.scheme == "https" else None
        there = await asyncio.open_connection(proxy.host, proxy.port, ssl=tls)
        if request.method != "CONNECT":
            return await self._send_plain(there, request, str(request.target.url), _authorization(proxy))
        reader, writer = there
        place = _authority(request.target.origin)
        words = [f"CONNECT {place} HTTP/1.1", f"Host: {place}", *_authorization(proxy), "", ""]
        writer.write("\r\n".join(words).encode("latin-1"))
        status = (await reader.readuntil(b"\r\n\r\n")).split(maxsplit=2)[1]
        if status != b"200":
            writer.close()
            raise Unreachable("connect", f"The proxy refused {request.target.host} with status {status.decode()}.")
        return there

    async def _send_plain(
        self, there: Streams, request: _Request, url: str = "", headers: list[str] | None = None
    ) -> Streams:
        kept = filter(_is_forwarded, request.lines)
        mark = [f"{MARK}: {self._policy.mark}"] if self._policy.mark else []
        place = request.target.url.host_port_subcomponent or ""
        first = f"{request.method} {url or request.target.url.raw_path_qs} HTTP/1.1"
        words = [first, f"Host: {place}", "Connection: close", *(headers or []), *mark, *kept, "", ""]
        there[1].write("\r\n".join(words).encode("latin-1"))
        return there


def read_request(head: bytes) -> _Request:
    """Raise Refused if it is not a proxy request."""
    first, *lines = head.decode("latin-1").rstrip("\r\n").split("\r\n")
    method, _, rest = first.partition(" ")
    url, _, version = rest.rpartition(" ")
    url = url.encode("latin-1").decode("utf-8", "surrogateescape")
    if not version.startswith("HTTP/1.") or not TOKEN.fullmatch(method) or not all(map(_HEADER.fullmatch, lines)):
        raise Refused("This is a proxy for HTTP/1.1, and it cannot read the request.")
    if method == "CONNECT":
        return _Request(method, read_target(f"https://{url}/"), lines)
    target = read_target(url)
    if target.origin.scheme != "http":
        raise Refused(f"Ask this proxy for {target.host} with CONNECT: https:// is encrypted from end to end.")
    return _Request(method, target, lines)


def _is_forwarded(line: str) -> bool:
    return not line.lower().startswith(_NOT_FORWARDED) and not speaks_for_a_proxy(line.partition(":")[0])


def _authorization(proxy: URL) -> list[str]:
    if proxy.user is None:
        return []
    both = f"{proxy.user}:{proxy.password or ''}".encode()
    return [f"Proxy-Authorization: Basic {base64.b64encode(both).decode()}"]


def _authority(origin: Origin) -> str:
    return f"[{origin.host}]:{origin.port}" if ":" in origin.host else f"{origin.host}:{origin.port}"


async def _refuse(writer: asyncio.StreamWriter, error: OutboundError | OSError) -> None:
    if isinstance(error, TimeoutError):
        status, message = "504 Gateway Timeout", "The host did not respond in time."
    else:
        status, message = "403 Forbidden" if isinstance(error, Refused) else "502 Bad Gateway", str(error)
    body = f"{message}\n".encode()
    head = f"HTTP/1.1 {status}\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Length: {len(body)}\r\n"
    writer.write(head.encode() + b"Connection: close\r\n\r\n" + body)
    await writer.drain()


async def _relay(here: Streams, there: Streams) -> None:
    """Relay in both directions, until both sides have finished or one is gone."""
    try:
        await asyncio.gather(_copy(here[0], there[1]), _copy(there[0], here[1]))
    finally:
        there[1].close()


async def _copy(source: asyncio.StreamReader, target: asyncio.StreamWriter) -> None:
    while piece := await source.read(_CHUNK):
        target.write(piece)
        await target.drain()
    if target.can_write_eof():
        target.write_eof()
