"""Connections through a SOCKS5 proxy that resolves names itself, as an SSH tunnel does.

aiohttp does not support SOCKS, so its connector is given a socket that the proxy has already connected; TLS, with the
name and the certificates of the host behind the proxy, starts on that socket.
"""

from __future__ import annotations

import asyncio
import errno
import socket
import ssl
from collections.abc import Awaitable, Callable
from ipaddress import IPv4Address
from typing import Any

from aiohttp.abc import AbstractResolver, ResolveResult
from aiohttp.client_proto import ResponseHandler
from yarl import URL

from penstock.foundation.outbound.addresses import read_address
from penstock.foundation.outbound.connections import note_opened
from penstock.foundation.outbound.quick_start import aiohttp

FindProxy = Callable[[], Awaitable[str]]
"""Returns the current address of the proxy, like `socks5h://127.0.0.1:1080`; called for each connection, since a tunnel
may move."""

_ADDRESS_SIZES = {1: 4, 4: 16}
_NAME = 3
_REFUSALS = {3: errno.ENETUNREACH, 4: errno.EHOSTUNREACH, 5: errno.ECONNREFUSED, 6: errno.ETIMEDOUT}


class SocksConnector(aiohttp.TCPConnector):
    def __init__(self, find_proxy: FindProxy, tls: ssl.SSLContext | bool) -> None:
        # aiohttp's types are incomplete here.
        super().__init__(  # pyright: ignore[reportUnknownMemberType]
            resolver=_Unresolved(), use_dns_cache=False, limit=0, ssl=tls
        )
        self._find_proxy = find_proxy

    async def _wrap_create_connection(
        self,
        *args: Any,
        addr_infos: Any,
        req: aiohttp.ClientRequest,
        timeout: aiohttp.ClientTimeout,  # noqa: ASYNC109 - aiohttp's signature
        client_error: type[Exception] = aiohttp.ClientConnectorError,
        **kwargs: Any,
    ) -> tuple[asyncio.Transport, ResponseHandler]:
        proxy = URL(await self._find_proxy())
        note_opened()
        try:
            connection = await _connect(proxy, req.url.raw_host or "", req.port or 0)
        except OSError as error:
            raise client_error(req.connection_key, error) from error
        return await self._wrap_existing_connection(
            *args, req=req, timeout=timeout, client_error=client_error, sock=connection, **kwargs
        )


class _Unresolved(AbstractResolver):
    """aiohttp requires an address for every name; this one is never connected to."""

    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_INET
    ) -> list[ResolveResult]:
        return [ResolveResult(hostname=host, host="0.0.0.0", port=port, family=family, proto=0, flags=0)]  # noqa: S104

    async def close(self) -> None:
        """Has no resources to close."""


async def _connect(proxy: URL, host: str, port: int) -> socket.socket:
    """A socket connected to the host; raises OSError if the proxy is unreachable or refuses."""
    loop = asyncio.get_running_loop()
    connection = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    connection.setblocking(False)
    try:
        await loop.sock_connect(connection, (proxy.host, proxy.port))
        await loop.sock_sendall(connection, b"\x05\x01\x00")  # version 5, one way to log in: none
        if await _receive(connection, 2) != b"\x05\x00":
            raise ConnectionAbortedError(errno.ECONNABORTED, "The SOCKS proxy requires a password.")
        await loop.sock_sendall(connection, b"\x05\x01\x00" + _spell(host) + port.to_bytes(2))
        await _read_reply(connection)
    except BaseException:
        connection.close()
        raise
    return connection


async def _read_reply(connection: socket.socket) -> None:
    _, refusal, _, kind = await _receive(connection, 4)
    if refusal:
        raise OSError(_REFUSALS.get(refusal, errno.ECONNABORTED), "The SOCKS proxy refused.")
    size = _ADDRESS_SIZES.get(kind) or (await _receive(connection, 1))[0]
    await _receive(connection, size + 2)


async def _receive(connection: socket.socket, size: int) -> bytes:
    """Exactly this many bytes: the next ones belong to the host."""
    loop, data = asyncio.get_running_loop(), b""
    while len(data) < size:
        more = await loop.sock_recv(connection, size - len(data))
        if not more:
            raise ConnectionAbortedError(errno.ECONNABORTED, "The SOCKS proxy closed the connection.")
        data += more
    return data


def _spell(host: str) -> bytes:
    address = read_address(host)
    if address is None:
        return bytes([_NAME, len(host)]) + host.encode("ascii")
    return bytes([1 if isinstance(address, IPv4Address) else 4]) + address.packed
