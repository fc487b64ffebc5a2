"""Real servers on loopback that respond as a test defines, however wrong that is."""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import Awaitable, Callable, Generator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from penstock.foundation.outbound import Gate, Policy, Response, call
from penstock.foundation.outbound.guard import Lookup, system_lookup
from penstock.foundation.outbound.loop import BackgroundLoop

OPEN = Policy(is_open=True)
STRICT = Policy()

_loop = BackgroundLoop()


@dataclass(frozen=True)
class Request:
    method: str
    path: str
    headers: Mapping[str, str]
    body: bytes


Reply = bytes | Callable[[Request, asyncio.StreamWriter], Awaitable[None]]


@dataclass
class Server:
    """Answers every request with `reply(request)`: bytes to send, or a function that writes them itself."""

    reply: Callable[[Request], Reply]
    greeting: bytes = b""
    port: int = 0
    connections: int = 0
    requests: list[Request] = field(default_factory=list)
    heads: list[bytes] = field(default_factory=list)

    def url(self, path: str = "/", host: str = "127.0.0.1", scheme: str = "http") -> str:
        return f"{scheme}://{host}:{self.port}{path}"

    async def handle(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.connections += 1
        writer.write(self.greeting)
        try:
            while request := await _read_request(reader, self.heads):
                self.requests.append(request)
                reply = self.reply(request)
                if isinstance(reply, bytes):
                    writer.write(reply)
                    await writer.drain()
                else:
                    await reply(request, writer)
        except (OSError, asyncio.IncompleteReadError):
            pass
        finally:
            writer.close()


async def _read_request(reader: asyncio.StreamReader, heads: list[bytes]) -> Request | None:
    head = await reader.readuntil(b"\r\n\r\n")
    heads.append(head)
    first, *lines = head.decode("latin-1").strip().split("\r\n")
    method, path, _ = first.split(" ")
    headers = {name.lower(): value.strip() for name, value in (line.split(":", 1) for line in lines)}
    return Request(method, path, headers, await reader.readexactly(int(headers.get("content-length", 0))))


@dataclass
class Proxy:
    """A small forward proxy that finds every host on a port of this machine."""

    ports: Mapping[str, int]
    port: int = 0
    heads: list[str] = field(default_factory=list)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def lines(self) -> list[str]:
        return [head.split("\r\n")[0] for head in self.heads]

    async def handle(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
            self.heads.append(head)
            method, where, _ = head.split("\r\n")[0].split(" ")
            host = where.removeprefix("http://").split("/")[0].split(":")[0]
            if host not in self.ports:
                writer.write(ok(b"", "403 Forbidden"))
                return
            inner_reader, inner_writer = await asyncio.open_connection("127.0.0.1", self.ports[host])
            if method == "CONNECT":
                writer.write(b"HTTP/1.1 200 Connection established\r\n\r\n")
            else:
                inner_writer.write(head.encode("latin-1").replace(b"http://" + host.encode(), b"", 1))
            await asyncio.gather(_pump(reader, inner_writer), _pump(inner_reader, writer))
        except (OSError, asyncio.IncompleteReadError):
            pass
        finally:
            writer.close()


async def _pump(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    while data := await reader.read(65536):
        writer.write(data)
        await writer.drain()
    writer.close()


@contextmanager
def proxying(ports: Mapping[str, int]) -> Generator[Proxy]:
    proxy = Proxy(ports)
    listener = _loop.run(asyncio.start_server(proxy.handle, "127.0.0.1", 0))
    proxy.port = listener.sockets[0].getsockname()[1]
    try:
        yield proxy
    finally:
        _loop.run(_close(listener))


@contextmanager
def serving(
    reply: bytes | Callable[[Request], Reply], tls: ssl.SSLContext | None = None, greeting: bytes = b""
) -> Generator[Server]:
    """A server that always replies the same, or as a function of the request decides."""
    server = Server((lambda _: reply) if isinstance(reply, bytes) else reply, greeting)
    listener = _loop.run(asyncio.start_server(server.handle, "127.0.0.1", 0, ssl=tls))
    server.port = listener.sockets[0].getsockname()[1]
    try:
        yield server
    finally:
        _loop.run(_close(listener))


async def _close(listener: asyncio.Server) -> None:
    listener.close()


def writing(write: Callable[[asyncio.StreamWriter], Awaitable[None]]) -> Callable[[Request], Reply]:
    """A reply that is written by hand; the connection closes when it is done."""

    async def run(_: Request, writer: asyncio.StreamWriter) -> None:
        await write(writer)
        raise ConnectionAbortedError

    return lambda _: run


def ok(body: bytes = b"ok", status: str = "200 OK", headers: Mapping[str, str] | None = None) -> bytes:
    lines = [f"HTTP/1.1 {status}", f"Content-Length: {len(body)}"]
    lines += [f"{name}: {value}" for name, value in (headers or {}).items()]
    return "\r\n".join([*lines, "", ""]).encode() + body


def redirect(location: str, status: int = 302) -> bytes:
    return ok(b"", f"{status} Found", {"Location": location})


def knowing(**addresses: str | Sequence[str]) -> Lookup:
    """A lookup that knows these names (`_` for a dot) and no others."""
    known = {name.replace("_", "."): [text] if isinstance(text, str) else text for name, text in addresses.items()}

    async def lookup(host: str, port: int) -> Sequence[str]:
        if host not in known:
            raise OSError(f"{host} is not known")
        return known[host]

    return lookup


def fetch(
    url: str, policy: Policy = OPEN, lookup: Lookup = system_lookup, method: str = "GET", **options: Any
) -> Response:
    """One request through a gate of its own, from plain code."""

    async def send() -> Response:
        async with Gate(policy, lookup) as gate:
            return await gate.send(method, url, **options)

    return call(send())
