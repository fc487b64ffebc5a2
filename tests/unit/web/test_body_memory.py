"""The memory of request bodies: however slowly they arrive, each sender holds only so much of it."""

from __future__ import annotations

import socket
from collections.abc import Generator
from contextlib import ExitStack
from urllib.parse import urlsplit

import msgspec
import pytest

from penstock.foundation.callers import Right
from penstock.foundation.memory_shares import MemoryShares
from penstock.web.body_memory import UNCOUNTED_BYTES
from penstock.web.request_threads import RequestThreads
from penstock.web.requests import Request
from penstock.web.routing import post
from tests.support.http import Http
from tests.support.stacks import ServicesOnly, wait_for
from tests.unit.services.fill import add_project
from tests.unit.web import served

MEGABYTE = 1_000_000
OF_ALL, OF_ONE = 4 * MEGABYTE, 2 * MEGABYTE


class Body(msgspec.Struct):
    text: str


def tell(_request: Request, body: Body) -> dict[str, int]:
    return {"characters": len(body.text)}


@pytest.fixture(scope="module")
def threads(shared: ServicesOnly) -> RequestThreads:
    known = RequestThreads.of(shared.stack.database)
    return msgspec.structs.replace(
        known, bodies=MemoryShares(OF_ALL, OF_ONE), anonymous_bodies=MemoryShares(OF_ALL, OF_ONE)
    )


@pytest.fixture(scope="module")
def http(shared: ServicesOnly, threads: RequestThreads) -> Generator[Http]:
    routes = [post("/told", tell, status=200, needs=Right.TOKEN), post("/open", tell, status=200, needs=Right.PUBLIC)]
    yield from served.serve(shared, routes, threads=threads, body_limit=OF_ALL)


def begin(http: Http, row: str, size: int, open_clients: ExitStack) -> None:
    """A request whose last byte does not come."""
    place, path = urlsplit(http.base), f"{urlsplit(http.base).path}/{row}"
    client = open_clients.enter_context(socket.create_connection((place.hostname, place.port or 80)))
    token = f"X-StorageApi-Token: {http.token}\r\n" if http.token else ""
    head = f"POST {path} HTTP/1.1\r\nHost: {http.host or place.netloc}\r\n{token}Content-Length: {size + 1}\r\n\r\n"
    client.sendall(head.encode() + b"x" * size)


def send(http: Http, row: str, size: int) -> int:
    return http.post(f"/{row}", {"text": "x" * size}).status


@pytest.mark.parametrize("row", ["told", "open"])
def test_bodies_that_do_not_end_hold_no_more_than_their_share(http: Http, threads: RequestThreads, row: str) -> None:
    memory = threads.bodies if row == "told" else threads.anonymous_bodies
    with ExitStack() as open_clients:
        for _ in range(2):
            begin(http, row, MEGABYTE, open_clients)
        wait_for(lambda: memory.total > 2 * (MEGABYTE - UNCOUNTED_BYTES) - 1)
        refused = http.post(f"/{row}", {"text": "x" * MEGABYTE})
        small = send(http, row, UNCOUNTED_BYTES // 2)
    wait_for(lambda: memory.total == 0)

    assert (refused.status, refused.json["code"], refused.headers["retry-after"], small) == (503, "tooBusy", "2", 200)
    assert send(http, row, MEGABYTE) == 200


def test_what_one_project_holds_is_not_missing_to_another(
    shared: ServicesOnly, http: Http, threads: RequestThreads
) -> None:
    other = Http(http.base, add_project(shared, "Other").token, http.host)
    with ExitStack() as open_clients:
        for _ in range(2):
            begin(http, "told", MEGABYTE, open_clients)
        wait_for(lambda: threads.bodies.total > 2 * (MEGABYTE - UNCOUNTED_BYTES) - 1)
        assert (send(http, "told", MEGABYTE), send(other, "told", MEGABYTE)) == (503, 200)


def test_many_together_hold_equal_shares() -> None:
    memory = MemoryShares(10, 6)
    for key in ("a", "b"):
        memory.add(key, 5)

    assert not memory.is_full("c", 3)
    assert memory.is_full("c", 4)
    assert memory.is_full("a", 1)
    memory.add("b", -5)
    assert not memory.is_full("a", 1)
    assert memory.is_full("a", 2)
