"""A request that is sent again gets the response of the first: its status, its content type and its body."""

from __future__ import annotations

from collections.abc import Generator

import pytest

from penstock.foundation.callers import Right
from penstock.web.requests import Request, Text
from penstock.web.routing import Route, post
from tests.support.http import Http
from tests.support.stacks import ServicesOnly
from tests.unit.web.served import serve


def routes() -> list[Route]:
    return [
        post("/nothing", make_nothing, needs=Right.TOKEN),
        post("/text", make_text, needs=Right.TOKEN, status=201),
        post("/json", make_json, needs=Right.TOKEN, status=202),
    ]


def make_nothing(_request: Request) -> None:
    return None


def make_text(_request: Request) -> Text:
    return Text("id\n1\n", "text/csv; charset=UTF-8")


def make_json(_request: Request) -> dict[str, int]:
    return {"id": 1}


@pytest.fixture(scope="module")
def service(shared: ServicesOnly) -> Generator[Http]:
    yield from serve(shared, routes())


@pytest.mark.parametrize(
    ("path", "status", "media_type", "body"),
    [
        ("/nothing", 204, None, b""),
        ("/text", 201, "text/csv; charset=UTF-8", b"id\n1\n"),
        ("/json", 202, "application/json", b'{"id":1}'),
    ],
)
def test_a_response_is_replayed_as_it_was(
    service: Http, path: str, status: int, media_type: str | None, body: bytes
) -> None:
    for _ in range(2):
        response = service.send("POST", path, b"", {"Idempotency-Key": path})
        assert (response.status, response.headers.get("content-type"), response.body) == (status, media_type, body)


def test_responses_that_were_stored_without_their_type_are_json(service: Http, shared: ServicesOnly) -> None:
    first = service.send("POST", "/json", b"", {"Idempotency-Key": "earlier"})
    with shared.stack.database.writing() as tx:
        tx.connection.exec_driver_sql("UPDATE web_repeats SET media_type = NULL")

    again = service.send("POST", "/json", b"", {"Idempotency-Key": "earlier"})

    assert (again.status, again.headers["content-type"], again.body) == (202, "application/json", first.body)
