"""A real HTTP API on loopback, scripted by a test, which remembers what it was asked.

    with Api() as api:
        api.on("/users", {"items": [{"id": 1}]})                # always the same response
        api.on("/orders", [Answer(503), Answer(body=b"[]")])    # one after another; then 404
        api.on("/items", lambda seen: Answer.json(page_for(seen.params)))
        ...
        assert api.asked("/users") == ["limit=2&offset=0"]

A path that nobody scripted is answered 404, in JSON.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any, Self
from urllib.parse import parse_qsl, urlsplit


@dataclass(frozen=True)
class Seen:
    """A request as it arrived."""

    method: str
    path: str
    query: str
    headers: Mapping[str, str]
    body: bytes

    @property
    def params(self) -> dict[str, str]:
        return dict(parse_qsl(self.query, keep_blank_values=True))


@dataclass(frozen=True)
class Response:
    status: int = 200
    body: bytes = b""
    headers: Mapping[str, str] = field(default_factory=dict)
    cut: int | None = None
    """How many bytes of the body are sent before the connection breaks."""

    @classmethod
    def json(cls, document: Any, status: int = 200, **headers: str) -> Response:
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        return cls(status, json.dumps(document).encode(), {"Content-Type": "application/json", **named})


Script = Callable[[Seen], Response]


class Api:
    """Listens from the moment it is made, on a free port."""

    def __init__(self) -> None:
        self.seen: list[Seen] = []
        self.failed: BaseException | None = None
        """What a script of the test itself raised."""
        self._scripts: dict[str, Script] = {}
        self._otherwise: Script = _nothing_there
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), _handler(self))
        self._server.daemon_threads = True
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
        self._thread.start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_port}"

    def on(self, path: str, script: Script | list[Response] | Response | dict[str, Any]) -> None:
        """What a path answers. A dict is a JSON document."""
        if isinstance(script, dict):
            script = Response.json(script)
        self._scripts[path] = _as_script(script)

    def on_everything(self, script: Script) -> None:
        """What all other paths answer."""
        self._otherwise = script

    def asked(self, path: str) -> list[str]:
        """The query strings that a path was asked with, in order."""
        return [seen.query for seen in self.seen if seen.path == path]

    def response(self, seen: Seen) -> Response:
        self.seen.append(seen)
        try:
            return self._scripts.get(seen.path, self._otherwise)(seen)
        except AssertionError as error:
            self.failed = error
            return Response.json({"message": str(error)}, 400)

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
        if error is None and self.failed is not None:
            raise self.failed


def _nothing_there(seen: Seen) -> Response:
    return Response.json({"message": f"Nothing at {seen.path}"}, 404)


def _as_script(script: Script | list[Response] | Response) -> Script:
    if callable(script):
        return script
    if isinstance(script, Response):
        return lambda _seen: script
    left = iter(list(script))
    return lambda seen: next(left, Response.json({"message": f"No more answers at {seen.path}"}, 404))


def _handler(api: Api) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        # The response goes out in two writes; together they would wait for each other.
        disable_nagle_algorithm = True

        def reply(self) -> None:
            parts = urlsplit(self.path)
            size = int(self.headers.get("Content-Length") or 0)
            headers = {name.lower(): value for name, value in self.headers.items()}
            response = api.response(Seen(self.command, parts.path, parts.query, headers, self.rfile.read(size)))
            self.send_response(response.status)
            for name, value in {"Content-Length": str(len(response.body)), **response.headers}.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(response.body[: response.cut])
            self.close_connection = self.close_connection or response.cut is not None

        do_GET = do_POST = do_PUT = do_PATCH = do_DELETE = reply  # noqa: N815

        def log_message(self, format: str, *args: Any) -> None:  # noqa: A002
            pass

    return Handler
