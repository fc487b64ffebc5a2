"""How the limit programs get their pages: the standard library's client, one connection, nothing asked twice.

Each is called with PORT WAY KIND ROWS DELAY_MS OUT.
"""

from __future__ import annotations

import http.client
import sys
from collections.abc import Iterator
from typing import NamedTuple

PAGE = 1000


class Wanted(NamedTuple):
    """What a program was asked to fetch, and where its tables go."""

    port: int
    way: str
    kind: str
    rows: int
    delay: int
    out: str

    def target(self, start: int) -> str:
        name = "offset" if self.way == "offset" else "after"
        return f"/{self.way}/{self.kind}-{self.rows}?limit={PAGE}&{name}={start}&delay_ms={self.delay}"


def read_arguments() -> Wanted:
    port, way, kind, rows, delay, out = sys.argv[1:]
    return Wanted(int(port), way, kind, int(rows), int(delay), out)


def read_pages(wanted: Wanted) -> Iterator[bytes]:
    """The bodies, one request after the other."""
    connection = http.client.HTTPConnection("127.0.0.1", wanted.port)
    start: int | None = 0
    while start is not None:
        body = read_page(connection, wanted.target(start))
        yield body
        start = _next(wanted, start, body)


def read_page(connection: http.client.HTTPConnection, target: str) -> bytes:
    connection.request("GET", target)
    return connection.getresponse().read()


def _next(wanted: Wanted, start: int, body: bytes) -> int | None:
    if wanted.way == "offset":
        return start + PAGE if start + PAGE < wanted.rows else None
    told = body[body.rindex(b":") + 1 : -1]
    return None if told == b"null" else int(told)
