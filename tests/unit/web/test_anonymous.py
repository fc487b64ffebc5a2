"""Requests without a token: they have few threads and a short queue, and those with a token do not wait for them."""

from __future__ import annotations

import socket
import threading
from collections.abc import Generator
from concurrent.futures import ThreadPoolExecutor
from urllib.parse import urlsplit

import pytest
from starlette.requests import Request as HttpRequest
from starlette.responses import Response

from penstock.foundation.callers import Right
from penstock.web.request_threads import ANONYMOUS_THREADS, MAX_ANONYMOUS, RequestThreads
from penstock.web.requests import Request
from penstock.web.routing import get
from penstock.web.streaming import on_disk
from tests.support.http import Http
from tests.support.patience import PATIENCE
from tests.support.stacks import ServicesOnly, wait_for
from tests.unit.web import served

MORE = 20


class Door:
    """Closed, every public request of this service waits in its thread."""

    def __init__(self) -> None:
        self.passed: list[str] = []
        self.is_open = threading.Event()
        self.inside = threading.Semaphore(0)

    def enter(self, name: str) -> dict[str, str]:
        self.passed.append(name)
        self.inside.release()
        assert self.is_open.wait(PATIENCE)
        return {"name": name}

    def fill(self) -> None:
        for _ in range(ANONYMOUS_THREADS):
            assert self.inside.acquire(timeout=PATIENCE)


DOORS: list[Door] = []
"""The last one is that of the test."""


def wait_inside(_request: Request, name: str) -> dict[str, str]:
    return DOORS[-1].enter(name)


async def wait_beside(_request: Request, name: str, http: HttpRequest) -> Response:
    """What handlers that read the request themselves do."""
    assert http.method == "GET"
    await on_disk(DOORS[-1].enter, name)
    return Response("{}", headers={"content-type": "application/json"})


def tell(request: Request) -> dict[str, int]:
    return {"project": request.caller.project_id}


@pytest.fixture(scope="module")
def threads(shared: ServicesOnly) -> RequestThreads:
    return RequestThreads.of(shared.stack.database)


@pytest.fixture(scope="module")
def http(shared: ServicesOnly, threads: RequestThreads) -> Generator[Http]:
    yield from served.serve(
        shared,
        [
            get("/inside/{name}", wait_inside, needs=Right.PUBLIC),
            get("/beside/{name}", wait_beside, needs=Right.PUBLIC),
            get("/told", tell, needs=Right.TOKEN),
        ],
        threads=threads,
    )


@pytest.fixture(autouse=True)
def door() -> Generator[Door]:
    DOORS.append(Door())
    yield DOORS[-1]
    DOORS[-1].is_open.set()


@pytest.mark.parametrize("row", ["inside", "beside"])
def test_a_flood_is_refused_beyond_its_queue_and_a_token_that_was_idle_is_not_delayed(
    http: Http, door: Door, shared: ServicesOnly, row: str
) -> None:
    fresh = shared.service("storage").post("/v2/storage/tokens", {"description": "never used"}).json["token"]
    with ThreadPoolExecutor(ANONYMOUS_THREADS + MAX_ANONYMOUS + MORE) as clients:
        flood = [
            clients.submit(http.get, f"/{row}/{number}") for number in range(ANONYMOUS_THREADS + MAX_ANONYMOUS + MORE)
        ]
        door.fill()
        wait_for(lambda: sum(each.done() for each in flood) == MORE)
        answer = Http(http.base, fresh).get("/told")
        is_waiting = sum(not each.done() for each in flood)
        door.is_open.set()
        answers = [each.result() for each in flood]

    assert (answer.status, is_waiting) == (200, ANONYMOUS_THREADS + MAX_ANONYMOUS)
    refused = [each for each in answers if each.status != 200]
    assert {(each.status, each.json["code"], each.headers["retry-after"]) for each in refused} == {
        (503, "tooBusy", "2")
    }
    assert len(refused) == MORE
    assert refused[0].json["error"].endswith("send the request again in 2 seconds.")


@pytest.mark.parametrize("row", ["inside", "beside"])
def test_what_a_client_asked_for_before_it_left_is_not_done(
    http: Http, door: Door, threads: RequestThreads, row: str
) -> None:
    place = urlsplit(http.base)
    with ThreadPoolExecutor(ANONYMOUS_THREADS + 1) as clients:
        first = [clients.submit(http.get, f"/{row}/first") for _ in range(ANONYMOUS_THREADS)]
        door.fill()
        leaving = [socket.create_connection((place.hostname or "", place.port or 0), PATIENCE) for _ in range(5)]
        for each in leaving:
            each.sendall(f"GET {place.path}/{row}/left HTTP/1.1\r\nHost: {place.netloc}\r\n\r\n".encode())
        wait_for(lambda: threads.anonymous.waiting == 5)
        for each in leaving:
            each.close()
        wait_for(lambda: threads.anonymous.waiting == 0)
        last = clients.submit(http.get, f"/{row}/last")
        door.is_open.set()
        statuses = [each.result().status for each in (*first, last)]

    assert statuses == [200] * (ANONYMOUS_THREADS + 1)
    assert set(door.passed) == {"first", "last"}
