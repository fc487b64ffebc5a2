"""What a small API is: its records, how it responds, and how a user would ask it."""

from __future__ import annotations

import base64
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from tests.support.api import Api, Response, Seen

Record = dict[str, Any]
Respond = Callable[[Seen, list[Record], str], Response]
"""From a request, all records and the address of the server."""


@dataclass(frozen=True)
class SmallApi:
    name: str
    path: str
    records: list[Record]
    respond: Respond
    table: str
    query: str = ""
    options: str = ""
    """Of the curl command, after the URL."""
    required: dict[str, str] = field(default_factory=dict[str, str])
    """Headers without which it responds with 401."""
    method: str = ""
    """Of the pagination that should be recognised; empty if any will do."""

    def command(self, url: str) -> str:
        query = f"?{self.query}" if self.query else ""
        return f"curl '{url}{self.path}{query}' {self.options}"

    def serve(self, api: Api) -> None:
        api.on_everything(lambda seen: self._response(seen, api.url))

    def _response(self, seen: Seen, url: str) -> Response:
        if any(seen.headers.get(name.lower()) != value for name, value in self.required.items()):
            return Response.json({"message": "Unauthorized"}, 401)
        return self.respond(seen, self.records, url)


def basic(login: str) -> dict[str, str]:
    return {"Authorization": f"Basic {base64.b64encode(login.encode()).decode()}"}


def number(seen: Seen, name: str, default: int) -> int:
    return int(seen.params.get(name, default))


def wrong(message: str, status: int = 400) -> Response:
    return Response.json({"error": {"message": message}}, status)


def missing() -> Response:
    return wrong("not found", 404)
