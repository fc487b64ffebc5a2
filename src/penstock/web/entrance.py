"""Middleware around all services, on both ports: bodies that arrive too slowly time out, and browsers must not guess
the content type of responses."""

from __future__ import annotations

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from penstock.web.slow_bodies import TimedBody

NO_SNIFFING = (b"x-content-type-options", b"nosniff")
CLOSE = (b"connection", b"close")


class Entrance:
    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        body = None if scope["method"] in ("GET", "HEAD") else TimedBody(receive)

        async def send_safely(message: Message) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [*message.get("headers", ()), NO_SNIFFING]
                if body and body.was_slow and scope["http_version"].startswith("1"):
                    message["headers"].append(CLOSE)
            await send(message)

        await self._app(scope, body.receive if body else receive, send_safely)
