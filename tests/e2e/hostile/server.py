"""The hostile API: a bare socket that answers a scenario's requests, and on one page does what its fault does.

    with serving(scenario) as api:
        ...                       # run the extractor against api.url
    assert not api.leaks          # what other hosts were told that they should not know

It runs on a loop in a thread of its own, so that the extractor can run in the test's.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Generator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from typing import Any

from penstock.foundation.outbound.loop import BackgroundLoop
from tests.e2e.hostile.exchange import Exchange, Request
from tests.e2e.hostile.scenario import SECRET, Fault, Scenario

MAX_HEAD_LENGTH = 4 << 20
HANDSHAKE = b"\x16"
"""The first byte of whoever starts with TLS."""
_loop = BackgroundLoop()


@dataclass
class HostileApi:
    scenario: Scenario
    scheme: str = "http"
    host: str = "127.0.0.1"
    port: int = 0
    requests: list[Request] = field(default_factory=list[Request])
    leaks: list[str] = field(default_factory=list[str])
    broken: list[BaseException] = field(default_factory=list[BaseException])
    """Mistakes of a fault itself."""
    asked: Counter[int] = field(default_factory=Counter[int])
    memory: dict[str, Any] = field(default_factory=dict[str, Any])
    _tasks: set[asyncio.Task[Any]] = field(default_factory=set[asyncio.Task[Any]])

    @property
    def url(self) -> str:
        return f"{self.scheme}://{self.host}:{self.port}"

    async def handle(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task
        self._tasks.add(task)
        try:
            while not writer.is_closing():
                await self._respond(await read_request(reader), writer)
        except (OSError, asyncio.IncompleteReadError, asyncio.CancelledError):
            pass  # the other side went away, or the scenario is over
        except Exception as error:
            self.broken.append(error)
        finally:
            self._tasks.discard(task)
            writer.transport.abort() if self.broken else writer.close()

    async def close(self, listener: asyncio.Server) -> None:
        listener.close()
        for task in [*self._tasks]:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _respond(self, request: Request, writer: asyncio.StreamWriter) -> None:
        self.requests.append(request)
        self._look_for_leaks(request)
        is_login = request.path == "/login"
        start = -1 if is_login else self.scenario.way.start_of(self.scenario.data, request.params)
        page = -1 if is_login else -(-start // self.scenario.data.size)
        exchange = Exchange(self.scenario, request, writer, self.url, start, page, self.asked[page], self.memory)
        self.asked[page] += 1
        await self._fault_for(exchange, is_login=is_login)(exchange)

    def _fault_for(self, exchange: Exchange, *, is_login: bool) -> Fault:
        variant = self.scenario.variant
        if is_login:
            return variant.login or _refuse
        if variant.is_everywhere and variant.fault:
            return variant.fault
        is_hit = exchange.page == self.scenario.position and exchange.attempt < variant.times
        return variant.fault if variant.fault and is_hit else _response

    def _look_for_leaks(self, request: Request) -> None:
        is_own = request.headers.get("host") == f"{self.host}:{self.port}"
        if not is_own and (SECRET in str(request.headers) or SECRET.encode() in request.body):
            self.leaks.append(request.target)


@contextmanager
def serving(scenario: Scenario) -> Generator[HostileApi]:
    tls = scenario.variant.tls
    api = HostileApi(scenario, "https", "localhost") if tls else HostileApi(scenario)
    listener = _loop.run(
        asyncio.start_server(api.handle, "127.0.0.1", 0, limit=MAX_HEAD_LENGTH, ssl=tls() if tls else None)
    )
    api.port = listener.sockets[0].getsockname()[1]
    try:
        yield api
    finally:
        _loop.run(api.close(listener))
    if api.broken:
        raise AssertionError("the fault itself is broken") from api.broken[0]


async def read_request(reader: asyncio.StreamReader) -> Request:
    start = await reader.readexactly(1)
    if start == HANDSHAKE:
        raise ConnectionAbortedError("TLS is not spoken here")
    head = (start + await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
    first, *lines = head.strip().split("\r\n")
    method, target, _ = first.split(" ")
    headers = {name.lower(): value.strip() for name, value in (line.split(":", 1) for line in lines)}
    return Request(method, target, headers, await reader.readexactly(int(headers.get("content-length", 0))))


async def _response(exchange: Exchange) -> None:
    with suppress(ConnectionError):
        await exchange.response()


async def _refuse(exchange: Exchange) -> None:
    await exchange.response(b'{"message":"nothing here"}', (), "404 Not Found")
