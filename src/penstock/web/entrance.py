"""Middleware around all services, on both ports: requests start in turn from every client, bodies that arrive too
slowly time out, and browsers must not guess the content type of responses."""

from __future__ import annotations

from collections.abc import Collection, Hashable

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from penstock.foundation.machine import is_loopback, network_of
from penstock.web.errors import to_response, with_status_code
from penstock.web.fair_threads import TooBusy
from penstock.web.slow_bodies import TimedBody
from penstock.web.start_queue import StartQueue

NO_SNIFFING = (b"x-content-type-options", b"nosniff")
CLOSE = (b"connection", b"close")


class Entrance:
    def __init__(self, app: ASGIApp, proxies: Collection[str] = ()) -> None:
        self._app, self._proxies = app, frozenset(proxies)
        self._starts = StartQueue()

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

        try:
            await self._starts.enter(self._find_client(scope))
        except TooBusy as error:
            await to_response(error, with_status_code)(scope, receive, send_safely)
            return
        await self._app(scope, body.receive if body else receive, send_safely)

    def _find_client(self, scope: Scope) -> Hashable:
        """The network that a request comes from. A proxy and this machine stand for many clients: there it is the
        connection."""
        address = str(scope["client"][0]) if scope.get("client") else ""
        return tuple(scope["client"]) if address in self._proxies or is_loopback(address) else network_of(address)
