"""The API that is extracted, as a program: rows rendered beforehand, sent as fast as a socket takes them.

    GET /offset/flat-100000?limit=1000&offset=0     {"items": […], "total": 100000}
    GET /cursor/flat-100000?limit=1000&after=0      {"items": […], "next": 1000}, and null at the end
    GET /whole/wide-2000000                         […], all in one response and never as a whole in memory
    GET /served                                     what was sent since this was last asked for

The ids of `flat-100000` are 1 to 100000. `delay_ms` holds a response back; other connections do not wait for it. The
port is chosen by the system and is the only line on standard output.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple
from urllib.parse import parse_qsl, urlsplit

import msgspec
import uvloop

from tests.benchmarks.extractor.rows import render_rows

_OK = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n"
_NOT_FOUND = b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n"
_PIECE = 1000
"""Rows that are rendered at once."""

rows_of = lru_cache(render_rows)


class Asked(NamedTuple):
    """One request: which rows, of which kind, how the next page is told, and how long to wait."""

    way: str
    kind: str
    rows: int
    start: int
    stop: int
    delay: float


class Served(msgspec.Struct):
    """What the benchmark wants to know about a run: it proves that everything was asked for, and how."""

    requests: int = 0
    rows: int = 0
    most_at_once: int = 0


def read_target(target: str) -> Asked:
    parts = urlsplit(target)
    _, way, name = parts.path.split("/")
    kind, _, count = name.partition("-")
    query, rows = dict(parse_qsl(parts.query)), int(count)
    start = min(int(query.get("offset") or query.get("after") or 0), rows)
    stop = rows if way == "whole" else min(start + int(query.get("limit", 1000)), rows)
    return Asked(way, kind, rows, start, stop, int(query.get("delay_ms", 0)) / 1000)


def items(kind: str, start: int, stop: int) -> bytes:
    """The rows behind the first `start`, with commas between them."""
    known = rows_of(kind)
    count = len(known)
    return b",".join([b'{"id":%d%b' % (index + 1, known[index % count]) for index in range(start, stop)])


@lru_cache(256)
def page(asked: Asked) -> bytes:
    """Pages of a hundred thousand rows are kept, so that rendering does not slow those who come again."""
    held = items(asked.kind, asked.start, asked.stop)
    if asked.way == "offset":
        return b'{"items":[%b],"total":%d}' % (held, asked.rows)
    return b'{"items":[%b],"next":%b}' % (held, b"%d" % asked.stop if asked.stop < asked.rows else b"null")


def whole(asked: Asked) -> Iterator[bytes]:
    """One array of all rows, piece by piece."""
    for start in range(0, asked.rows, _PIECE):
        yield b"," if start else b"["
        yield items(asked.kind, start, min(start + _PIECE, asked.rows))
    yield b"]"


def whole_size(asked: Asked) -> int:
    known = list(map(len, rows_of(asked.kind)))
    times, rest = divmod(asked.rows, len(known))
    digits = sum(len(str(number)) for number in range(1, asked.rows + 1))
    return times * sum(known) + sum(known[:rest]) + digits + len('{"id":,') * asked.rows + 1


class Api:
    def __init__(self) -> None:
        self.served, self._at_once = Served(), 0

    async def converse(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """One connection, until the other side has enough."""
        try:
            while True:
                request = await reader.readuntil(b"\r\n\r\n")
                await self.response(request.split(b" ", 2)[1].decode(), writer)
        except (asyncio.IncompleteReadError, ConnectionError):
            writer.close()

    async def response(self, target: str, writer: asyncio.StreamWriter) -> None:
        if target == "/served":
            body, self.served = msgspec.json.encode(self.served), Served()
            writer.writelines([_OK % len(body), body])
            return
        try:
            asked = read_target(target)
        except ValueError:
            writer.write(_NOT_FOUND)
            return
        self._count(asked)
        try:
            await self._send(asked, writer)
        finally:
            self._at_once -= 1

    def _count(self, asked: Asked) -> None:
        self._at_once += 1
        self.served.requests += 1
        self.served.rows += asked.stop - asked.start
        self.served.most_at_once = max(self.served.most_at_once, self._at_once)

    async def _send(self, asked: Asked, writer: asyncio.StreamWriter) -> None:
        if asked.delay:
            await asyncio.sleep(asked.delay)
        if asked.way != "whole":
            body = page(asked._replace(delay=0))
            writer.writelines([_OK % len(body), body])
            return
        writer.write(_OK % whole_size(asked))
        for piece in whole(asked):
            writer.write(piece)
            await writer.drain()


async def serve() -> None:
    server = await asyncio.start_server(Api().converse, "127.0.0.1", 0)
    print(server.sockets[0].getsockname()[1], flush=True)
    await server.serve_forever()


if __name__ == "__main__":
    uvloop.run(serve())
