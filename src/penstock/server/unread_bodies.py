"""Over HTTP/2 a client that still sends when its request is refused may never see the response.

The server resets the stream behind an early response. curl then reports an error of the protocol, and httpx waits for
ever. So the rest of a body that the application left unread is read first, within limits.
"""

from __future__ import annotations

import asyncio

from starlette.types import ASGIApp, Message, Receive, Scope, Send

MAX_BYTES = 64 * 1024 * 1024
MAX_SECONDS = 10.0


def with_read_bodies(app: ASGIApp) -> ASGIApp:
    async def answer(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or not scope["http_version"].startswith("2"):
            await app(scope, receive, send)
            return
        body = _Body(receive)

        async def send_after_body(message: Message) -> None:
            if message["type"] == "http.response.body" and not message.get("more_body", False):
                await body.discard()
            await send(message)

        await app(scope, body.receive, send_after_body)

    return answer


class _Body:
    def __init__(self, receive: Receive) -> None:
        self._receive, self._is_whole = receive, False

    async def receive(self) -> Message:
        message = await self._receive()
        self._is_whole = not message.get("more_body", False)
        return message

    async def discard(self) -> None:
        size = 0
        try:
            async with asyncio.timeout(MAX_SECONDS):
                while not self._is_whole and size < MAX_BYTES:
                    size += len((await self.receive()).get("body", b""))
        except TimeoutError:
            return
