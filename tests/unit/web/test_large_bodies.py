"""Requests with large bodies take a processor for long: few are handled at a time, and others do not wait for them."""

from __future__ import annotations

import threading
from collections.abc import Generator
from concurrent.futures import ThreadPoolExecutor

import msgspec
import pytest

from penstock.foundation.callers import Right
from penstock.web.request_threads import LARGE_BODY_BYTES, LARGE_BODY_THREADS, RequestThreads
from penstock.web.requests import Request
from penstock.web.routing import post
from tests.support.http import Http
from tests.support.patience import PATIENCE
from tests.support.stacks import ServicesOnly, wait_for
from tests.unit.services.fill import add_project
from tests.unit.web import served

SENT = 20
"""More than there are threads of any kind."""


class Body(msgspec.Struct):
    text: str


class Inside:
    def __init__(self) -> None:
        self.is_open = threading.Event()
        self.projects: list[int] = []


INSIDE = Inside()


def wait_inside(request: Request, body: Body) -> dict[str, int]:
    if len(body.text) > LARGE_BODY_BYTES:
        INSIDE.projects.append(request.caller.project_id)
        assert INSIDE.is_open.wait(PATIENCE)
    return {"bytes": len(body.text)}


@pytest.fixture(scope="module")
def threads(shared: ServicesOnly) -> RequestThreads:
    return RequestThreads.of(shared.stack.database)


@pytest.fixture(scope="module")
def http(shared: ServicesOnly, threads: RequestThreads) -> Generator[Http]:
    routes = [post("/wait", wait_inside, status=200, needs=Right.TOKEN)]
    yield from served.serve(shared, routes, threads=threads, body_limit=10 * LARGE_BODY_BYTES)


def send(http: Http, size: int) -> int:
    return http.post("/wait", {"text": "x" * size}).json["bytes"]


def test_a_project_has_one_large_body_handled_at_a_time_and_another_one_does_not_wait(
    shared: ServicesOnly, http: Http, threads: RequestThreads
) -> None:
    large, other = LARGE_BODY_BYTES + 1, add_project(shared, "Other")
    with ThreadPoolExecutor(SENT + 1) as clients:
        sent = [clients.submit(send, http, large) for _ in range(SENT)]
        wait_for(lambda: threads.large_bodies.waiting == SENT - 1)
        assert len(INSIDE.projects) == 1
        assert send(http, 10) == 10, "of the same project"
        sent.append(clients.submit(send, Http(http.base, other.token), large))
        wait_for(lambda: len(INSIDE.projects) == LARGE_BODY_THREADS)
        assert INSIDE.projects[1] == other.caller.project_id
        INSIDE.is_open.set()

        assert {each.result() for each in sent} == {large}
