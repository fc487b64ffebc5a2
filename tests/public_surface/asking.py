"""One request to a public row, without a socket."""

from __future__ import annotations

import asyncio
import json
from typing import Any

from starlette.types import ASGIApp, Message

from tests.public_surface.rows import Row
from tests.support.public_rows import fill_path

LOGIN = {"email": "nobody@example.com", "password": "a wrong password"}
BODIES: dict[str, Any] = {
    "encryption POST /encrypt": {"#secrets": ["s3cret"] * 1000},
    "management POST /v1/auth/login": LOGIN,
    "management POST /v1/auth/session": LOGIN,
    "developer POST /auth/login": LOGIN,
}
"""Of rows that would refuse an empty body before they do anything."""


async def ask(app: ASGIApp, row: Row) -> int:
    """The status of the response."""
    path = fill_path(row.service_id, row.route)
    scope = {
        "type": "http",
        "http_version": "1.1",
        "method": row.route.method,
        "scheme": "http",
        "path": path,
        "raw_path": path.encode(),
        "query_string": b"",
        "root_path": "",
        "headers": [(b"host", b"localhost"), (b"content-type", b"application/json")],
        "client": ("127.0.0.1", 50000),
        "server": ("127.0.0.1", 80),
    }
    body = json.dumps(BODIES.get(row.name, {})).encode()
    statuses = list[int]()
    messages: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

    async def receive() -> Message:
        if messages:
            return messages.pop()
        return await asyncio.get_running_loop().create_future()

    async def send(message: Message) -> None:
        if message["type"] == "http.response.start":
            statuses.append(message["status"])

    await app(scope, receive, send)
    return statuses[0]
