"""A plain HTTP client for tests: what it sends is what was written, and what comes back is shown as it is."""

from __future__ import annotations

import http.client
import json
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit

from tests.support.patience import PATIENCE

TIMEOUT = PATIENCE


@dataclass(frozen=True)
class Response:
    status: int
    headers: dict[str, str]
    body: bytes
    cookies: dict[str, str] = field(default_factory=dict)
    """The whole header that sets each of them, by name."""

    @property
    def json(self) -> Any:
        return json.loads(self.body)

    @property
    def text(self) -> str:
        return self.body.decode()


@dataclass
class Http:
    """Calls below one base URL. `host` names the service where the address alone does not."""

    base: str
    token: str | None = None
    host: str | None = None
    headers: dict[str, str] = field(default_factory=dict)

    def get(self, path: str, **rest: Any) -> Response:
        return self.send("GET", path, **rest)

    def post(self, path: str, document: Any = None, **rest: Any) -> Response:
        body = None if document is None else json.dumps(document).encode()
        return self.send("POST", path, body=body, headers={"Content-Type": "application/json"}, **rest)

    def put(self, path: str, document: Any = None, **rest: Any) -> Response:
        body = None if document is None else json.dumps(document).encode()
        return self.send("PUT", path, body=body, headers={"Content-Type": "application/json"}, **rest)

    def delete(self, path: str, **rest: Any) -> Response:
        return self.send("DELETE", path, **rest)

    def send(
        self, method: str, path: str, body: bytes | None = None, headers: dict[str, str] | None = None
    ) -> Response:
        address = urlsplit(self.base)
        connection = http.client.HTTPConnection(address.hostname or "", address.port, timeout=TIMEOUT)
        named = {"Host": self.host} if self.host else {}
        token = {"X-StorageApi-Token": self.token} if self.token is not None else {}
        try:
            connection.request(method, address.path + path, body, {**self.headers, **named, **token, **(headers or {})})
            response = connection.getresponse()
            fields = [(name.lower(), value) for name, value in response.getheaders()]
            cookies = {value.partition("=")[0]: value for name, value in fields if name == "set-cookie"}
            return Response(response.status, dict(fields), response.read(), cookies)
        finally:
            connection.close()
