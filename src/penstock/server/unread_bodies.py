"""Reads the rest of a body after the response: over HTTP/2, a client that is still sending may otherwise never see the
response.

The server resets the stream as soon as the application is done. curl then reports a protocol error, and httpx waits
forever. So the unread part of a body is read after the response, within limits.
"""

from __future__ import annotations

import asyncio

from starlette.types import ASGIApp, Message, Receive, Scope, Send

MAX_BYTES = 1024 * 1024 * 1024
IDLE_SECONDS = 10.0
"""How long to wait for the next chunk."""


def with_read_bodies(app: ASGIApp) -> ASGIApp:
    async def call(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or not scope["http_version"].startswith("2"):
            await app(scope, receive, send)
            return
        body = _Body(receive)
        await app(scope, body.receive, send)
        await body.discard()

    return call


class _Body:
    def __init__(self, receive: Receive) -> None:
        self._receive, self._is_whole = receive, False

    async def receive(self) -> Message:
        message = await self._receive()
        self._is_whole = not message.get("more_body", False)
        return message

    async def discard(self) -> None:
        size = 0
        while not self._is_whole and size < MAX_BYTES:
            try:
                message = await asyncio.wait_for(self.receive(), IDLE_SECONDS)
            except TimeoutError:
                return
            size += len(message.get("body", b""))
