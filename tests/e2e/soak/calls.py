"""One client of the soak: its connection, and how long each of its requests took."""

from __future__ import annotations

import http.client
import json
import time
from typing import Any, NamedTuple
from urllib.parse import urlsplit

TIMEOUT = 60
IDLE_SECONDS = 30
"""After which a connection is not used again: the stack closes it after 75."""
BROKEN = 599
"""The status of a request that got no response."""
UNEXPLAINED = 598
"""That of a 503 which does not say when to try again."""


class Reply(NamedTuple):
    status: int
    document: Any


class Call(NamedTuple):
    name: str
    seconds: float
    status: int
    detail: str
    begin: float
    """On the clock that all processes of the machine share."""


class Client:
    """Keeps its connection, as official clients do."""

    def __init__(self, url: str, token: str) -> None:
        self.url = url
        self._address, self._token = urlsplit(url), token
        self._connection: http.client.HTTPConnection | None = None
        self._used = time.monotonic()
        self.calls: list[Call] = []

    def send(self, name: str, method: str, path: str, document: Any = None, **more: Any) -> Reply:
        body: bytes | None = more.get("body")
        headers: dict[str, str] = {"X-StorageApi-Token": self._token, **more.get("headers", {})}
        if document is not None:
            body, headers["Content-Type"] = json.dumps(document).encode(), "application/json"
        begin = time.monotonic()
        status, content = self._exchange(method, path, body, headers)
        self._used = time.monotonic()
        detail = content[:300].decode(errors="replace") if status >= 400 else ""
        self.calls.append(Call(name, time.monotonic() - begin, status, detail, begin))
        return Reply(status, _parse(content))

    def _exchange(self, method: str, path: str, body: bytes | None, headers: dict[str, str]) -> tuple[int, bytes]:
        try:
            connection = self._connect()
            connection.request(method, self._address.path + path, body, headers)
            response = connection.getresponse()
            is_unexplained = response.status == 503 and not response.headers["Retry-After"]
            return UNEXPLAINED if is_unexplained else response.status, response.read()
        except (OSError, http.client.HTTPException) as error:
            self.close()
            return BROKEN, repr(error).encode()

    def _connect(self) -> http.client.HTTPConnection:
        if time.monotonic() - self._used > IDLE_SECONDS:
            self.close()
        if not self._connection:
            host, port = self._address.hostname or "", self._address.port
            self._connection = http.client.HTTPConnection(host, port, timeout=TIMEOUT)
        return self._connection

    def close(self) -> None:
        if self._connection:
            self._connection.close()
            self._connection = None


def _parse(content: bytes) -> Any:
    try:
        return json.loads(content)
    except ValueError:
        return None
