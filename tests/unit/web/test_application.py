"""A service as an application."""

from __future__ import annotations

import asyncio
import json
import threading

import pytest
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Scope

from penstock.web.application import OnFirstRequest

SCOPE: Scope = {"type": "http", "method": "GET", "path": "/", "headers": []}


async def _receive() -> Message:
    return {"type": "http.request"}


def test_requests_at_once_build_an_application_once_and_do_not_block_others() -> None:
    built, begun, may_end = list[ASGIApp](), threading.Event(), threading.Event()

    def build() -> ASGIApp:
        begun.set()
        assert may_end.wait(10), "the event loop is blocked"
        built.append(PlainTextResponse("fine"))
        return built[-1]

    async def send(_message: Message) -> None: ...

    async def run() -> None:
        app = OnFirstRequest(build)
        async with asyncio.TaskGroup() as tasks:
            for _ in range(3):
                tasks.create_task(app(SCOPE, _receive, send))
            await asyncio.to_thread(begun.wait, 10)
            may_end.set()

    asyncio.run(run())
    assert len(built) == 1


def test_an_application_that_cannot_be_built_is_logged_once_and_is_an_error_with_an_id(
    caplog: pytest.LogCaptureFixture,
) -> None:
    tries, sent = list[int](), list[Message]()

    def build() -> ASGIApp:
        tries.append(1)
        raise LookupError("a row without a right")

    async def send(message: Message) -> None:
        sent.append(message)

    app = OnFirstRequest(build)
    for _ in range(2):
        asyncio.run(app(SCOPE, _receive, send))

    first, second = (json.loads(message["body"]) for message in sent if "body" in message)
    assert [message["status"] for message in sent if "status" in message] == [500, 500]
    assert (first["error"], first) == ("Internal Server Error occurred.", second)
    [logged] = [record for record in caplog.records if record.msg == "service was not built"]
    assert first["exceptionId"] in str(vars(logged))
    assert len(tries) == 1


def test_an_application_is_built_by_its_first_request_and_once() -> None:
    built, sent = list[ASGIApp](), list[Message]()

    def build() -> ASGIApp:
        built.append(PlainTextResponse("fine"))
        return built[-1]

    async def send(message: Message) -> None:
        sent.append(message)

    app = OnFirstRequest(build)
    assert built == []
    for _ in range(2):
        asyncio.run(app(SCOPE, _receive, send))

    assert len(built) == 1
    assert [message["body"] for message in sent if "body" in message] == [b"fine", b"fine"]
