"""A service as an application."""

from __future__ import annotations

import asyncio

from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Scope

from penstock.web.application import OnFirstRequest

SCOPE: Scope = {"type": "http", "method": "GET", "path": "/", "headers": []}


async def _receive() -> Message:
    return {"type": "http.request"}


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
