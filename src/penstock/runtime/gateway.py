"""The way out of a sandbox that has its own network.

Inside, there is only the loopback interface. The first program there makes listening sockets and hands them out through
an inherited socket; here, outside, connections to them are served: by a proxy that decides with the stack's policy, and
for what the job itself offers (its log, Storage) by passing everything on. No process has to stay inside.
"""

from __future__ import annotations

import asyncio
import socket
import threading
from collections.abc import Sequence
from contextlib import suppress
from typing import Any

import msgspec

from penstock.foundation.outbound import Policy, call
from penstock.foundation.outbound.forwarding import Forwarder
from penstock.runtime.launch import Endpoint

LOOPBACK = "127.0.0.1"
PROXY_PORT = 3128
_CHUNK = 1 << 16


class Gateway:
    """Made before the component is started, which inherits `theirs`; closed after it has ended."""

    def __init__(self, policy: Policy, reaches: Sequence[Endpoint]) -> None:
        self._policy = policy
        # A port below 1024 cannot be opened inside; what is there is reached through the proxy.
        self._reaches = [reach for reach in reaches if reach.port >= 1024]
        ports = {reach.port for reach in self._reaches}
        self._port = next(port for port in range(PROXY_PORT, PROXY_PORT + 100) if port not in ports)
        self._own_end, self.child_end = socket.socketpair()
        self._servers: list[asyncio.AbstractServer | asyncio.BaseTransport] = []
        self._thread = threading.Thread(target=self._receive, daemon=True)

    @property
    def listen(self) -> str:
        """Return what the first program inside is told: `tcp:3128,udp:12201`."""
        return ",".join([f"tcp:{self._port}", *(f"{reach.kind}:{reach.port}" for reach in self._reaches)])

    @property
    def environment(self) -> dict[str, str]:
        """Return the variables in both spellings: programs differ in which they read."""
        proxy, direct = f"http://{LOOPBACK}:{self._port}", f"localhost,.localhost,{LOOPBACK},::1"
        variables = {"HTTP_PROXY": proxy, "HTTPS_PROXY": proxy, "ALL_PROXY": proxy, "NO_PROXY": direct}
        return {**variables, **{name.lower(): value for name, value in variables.items()}}

    def start(self) -> None:
        """Start after the component was started, with the other end."""
        self._thread.start()

    def close(self) -> None:
        with suppress(OSError):
            self._own_end.shutdown(socket.SHUT_RDWR)
        self._own_end.close()
        if self._thread.is_alive():
            self._thread.join()
        call(self._close_all())

    def _receive(self) -> None:
        try:
            _, numbers, _, _ = socket.recv_fds(self._own_end, 1, 1 + len(self._reaches))
        except OSError:
            return
        if numbers:
            call(self._serve([socket.socket(fileno=number) for number in numbers]))

    async def _serve(self, listeners: list[socket.socket]) -> None:
        for listener in listeners:
            listener.setblocking(False)
        first, *rest = listeners
        self._servers.append(await asyncio.start_server(Forwarder(self._policy).serve, sock=first))
        for endpoint, listener in zip(self._reaches, rest, strict=True):
            self._servers.append(await _pass_on(endpoint, listener))

    async def _close_all(self) -> None:
        for server in self._servers:
            server.close()


async def _pass_on(endpoint: Endpoint, listener: socket.socket) -> asyncio.AbstractServer | asyncio.BaseTransport:
    if endpoint.kind == "udp":
        loop = asyncio.get_running_loop()
        target = (endpoint.host, endpoint.port)
        return (await loop.create_datagram_endpoint(lambda: _Datagrams(target), sock=listener))[0]

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(OSError, asyncio.CancelledError):
            try:
                there = await asyncio.open_connection(endpoint.host, endpoint.port)
                await asyncio.gather(_copy(reader, there[1]), _copy(there[0], writer))
            finally:
                writer.close()

    return await asyncio.start_server(serve, sock=listener)


async def _copy(source: asyncio.StreamReader, target: asyncio.StreamWriter) -> None:
    try:
        while chunk := await source.read(_CHUNK):
            target.write(chunk)
            await target.drain()
    finally:
        with suppress(OSError):
            target.write_eof()


class _Datagrams(asyncio.DatagramProtocol):
    """One way: a log is not answered."""

    def __init__(self, target: tuple[str, int]) -> None:
        self._target, self._socket = target, socket.socket(socket.AF_INET, socket.SOCK_DGRAM)

    def datagram_received(self, data: bytes, addr: Any) -> None:
        with suppress(OSError):
            self._socket.sendto(data, self._target)

    def connection_lost(self, exc: Exception | None) -> None:
        self._socket.close()


def without_proxy(policy: Policy) -> Policy:
    """Return the policy for a program inside: the proxy is behind the gateway, which knows it."""
    return msgspec.structs.replace(Policy(is_open=True, use_environment=True), ca_bundle=policy.ca_bundle)
