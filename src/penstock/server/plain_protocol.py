"""One connection of the plain port: uvicorn's, with limits on what a client may send and how long it may take.

uvicorn limits neither the head of a request nor its time. A header line of 100 MB would be buffered in memory, with a
copy for each chunk. Slow bodies are handled by the application: `penstock.web.slow_bodies`.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any

from starlette.types import ASGIApp
from uvicorn.config import Config
from uvicorn.protocols.http.flow_control import HIGH_WATER_LIMIT
from uvicorn.protocols.http.httptools_impl import STATUS_LINE, HttpToolsProtocol, RequestResponseCycle
from uvicorn.server import ServerState

from penstock.foundation.admission import Admission
from penstock.foundation.errors import AppError, Invalid
from penstock.server.limits import HEAD_BYTES, HEAD_SECONDS, HEADERS, LINGER_SECONDS, UNREAD_BYTES, UNREAD_SECONDS
from penstock.web.entrance import CLOSE, NO_SNIFFING
from penstock.web.errors import to_response, with_status_code


class HeadTooLarge(AppError):
    status = 431
    code = "requestHeaderFieldsTooLarge"

    def __init__(self) -> None:
        super().__init__(
            f"The headers are larger than {HEAD_BYTES // 1024} kB, or there are more than {HEADERS} of them."
        )


class UriTooLong(AppError):
    status = 414
    code = "uriTooLong"

    def __init__(self) -> None:
        super().__init__(f"The URL is longer than {HEAD_BYTES // 1024} kB.")


class HeadTooSlow(AppError):
    status = 408
    code = "requestTimeout"

    def __init__(self) -> None:
        super().__init__(f"The headers did not arrive within {HEAD_SECONDS:.0f} seconds.")


class AmbiguousHead(Invalid):
    """A proxy before the stack may read such a head in another way, and with it where the next request begins."""


def find_refusal(version: str, url_bytes: int, headers: Sequence[tuple[bytes, bytes]]) -> AppError | None:
    """The reason if a head is refused. Names of headers are lower-case."""
    if url_bytes > HEAD_BYTES:
        return UriTooLong()
    size = url_bytes + sum([len(name) + len(value) + 4 for name, value in headers])
    if size > HEAD_BYTES or len(headers) > HEADERS:
        return HeadTooLarge()
    return _find_ambiguity(version, headers)


def _find_ambiguity(version: str, headers: Sequence[tuple[bytes, bytes]]) -> AmbiguousHead | None:
    if version == "0.9":
        return AmbiguousHead("The request names no version of HTTP: send HTTP/1.1 or HTTP/2.")
    if sum([name == b"host" for name, _ in headers]) > 1:
        return AmbiguousHead("The request has more than one header `Host`: send it once.")
    encodings = [value.strip().lower() for name, value in headers if name == b"transfer-encoding"]
    if encodings and (encodings != [b"chunked"] or version == "1.0"):
        return AmbiguousHead("`Transfer-Encoding` must be `chunked`, once and with HTTP/1.1: nothing else is decoded.")
    return None


class State(ServerState):
    """State shared by all connections of the port."""

    def __init__(self, admission: Admission) -> None:
        super().__init__()
        self.admission = admission


class PlainProtocol(HttpToolsProtocol):
    def __init__(
        self,
        config: Config,
        server_state: State,
        app_state: dict[str, Any],
        _loop: asyncio.AbstractEventLoop | None = None,
    ) -> None:
        super().__init__(config, server_state, app_state, _loop)
        self._admission = server_state.admission
        self._address, self._is_counted, self._is_lingering = "", False, False
        self._head_since: float | None = None
        """When the incomplete head began, or the connection without a request."""
        self._pending = 0
        """Bytes since the last complete head or chunk of a body. It limits heads, trailers and what separates the
        chunks of a body, to one read from the socket."""
        self._is_in_message = False
        self.url = b""
        self._unread, self._unread_since = 0, 0.0
        self._refusal: AppError | None = None
        self._refused_at: float | None = None
        self._running: RequestResponseCycle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._head_since = self.loop.time()
        self._address = self.client[0] if self.client else ""
        self._refusal = self._admission.enter(self._address)
        self._is_counted = not self._refusal
        if self._refusal:
            self._refuse_connection(self._refusal)

    def connection_lost(self, exc: Exception | None) -> None:
        self._leave()
        if self._is_lingering:
            self._is_lingering = False
            self._admission.end_lingering()
        super().connection_lost(exc)
        if self._running and not self._running.response_complete:
            # uvicorn tells only the request that has arrived last, which may wait behind this one.
            self._running.disconnected = True
            self._running.message_event.set()

    def _start_asgi_task(self, cycle: RequestResponseCycle, app: ASGIApp) -> None:  # type: ignore[override]
        self._running = cycle
        super()._start_asgi_task(cycle, app)  # type: ignore[arg-type]

    def handle_websocket_upgrade(self) -> None:
        self._leave()
        super().handle_websocket_upgrade()

    def _leave(self) -> None:
        if self._is_counted:
            self._is_counted = False
            self._admission.leave(self._address)

    def data_received(self, data: bytes) -> None:
        if self._refused_at is not None:
            return
        self._pending += len(data)
        super().data_received(data)
        if self._pending > HEAD_BYTES and self._refused_at is None:
            self._refuse(UriTooLong() if len(self.url) > HEAD_BYTES // 2 else HeadTooLarge())

    def on_message_begin(self) -> None:
        super().on_message_begin()
        self._is_in_message, self._unread, self._unread_since = True, 0, 0.0
        if self._head_since is None:
            self._head_since = self.loop.time()

    def on_headers_complete(self) -> None:
        assert self.parser
        if refusal := find_refusal(self.parser.get_http_version(), len(self.url), self.headers):
            # Stops the parser; uvicorn then calls send_400_response.
            self._refusal = refusal
            raise refusal
        super().on_headers_complete()
        self._head_since, self._pending = None, 0

    def on_body(self, body: bytes) -> None:
        self._pending = 0
        if self.cycle.response_complete:
            self._unread += len(body)
        elif len(body) > HIGH_WATER_LIMIT and not self.cycle.body and not self._is_upgrade():
            self._pass_on(body)
            return
        if isinstance(self.cycle.body, bytes):
            # Otherwise each of many small chunks would copy all before it.
            self.cycle.body = bytearray(self.cycle.body)
        super().on_body(body)

    def _is_upgrade(self) -> bool:
        return self.parser is not None and self.parser.should_upgrade()

    def _pass_on(self, body: bytes) -> None:
        """Like uvicorn's on_body(), without its two copies of every chunk: the application receives these bytes."""
        self.cycle.body = body  # type: ignore[assignment]
        self.flow.pause_reading()
        self.cycle.message_event.set()

    def on_message_complete(self) -> None:
        self._is_in_message, self._pending = False, 0
        super().on_message_complete()

    def send_400_response(self, msg: str) -> None:
        self._refuse(self._refusal or Invalid(msg))

    def check(self, now: float) -> None:
        """Called every second."""
        if self._refused_at is not None:
            if now - self._refused_at > LINGER_SECONDS:
                self.transport.abort()
        elif self._head_since is not None:
            self._check_head(now - self._head_since)
        elif self._has_response and self._is_in_message:
            self._check_unread(now)
        elif self._has_response and self.timeout_keep_alive_task is None:
            # Data arrived that is not the beginning of a request, and stopped the timer of idle connections.
            self._head_since = now

    @property
    def _has_response(self) -> bool:
        return not self.cycle or self.cycle.response_complete

    def _check_head(self, seconds: float) -> None:
        if seconds <= HEAD_SECONDS:
            return
        if self._is_in_message:
            self._refuse(HeadTooSlow())
        elif self._has_response:
            self.transport.close()

    def _check_unread(self, now: float) -> None:
        self._unread_since = self._unread_since or now
        if self._unread > UNREAD_BYTES or now - self._unread_since > UNREAD_SECONDS:
            self.transport.abort()

    def _refuse_connection(self, error: AppError) -> None:
        """Send the reason, unless too many refused connections are open, which would exhaust the file descriptors."""
        self._is_lingering = self._admission.begin_lingering()
        if self._is_lingering:
            self._refuse(error)
        else:
            self._refused_at = self.loop.time()
            self.transport.abort()

    def _refuse(self, error: AppError) -> None:
        """Send the reason, if it is a head and no other response is being sent, and read nothing more."""
        self._refused_at = self.loop.time()
        self._unset_keepalive_if_required()
        if self._head_since is None or not self._has_response:
            self.transport.abort()
            return
        self.transport.write(_to_bytes(error))
        if self.transport.can_write_eof():
            self.transport.write_eof()


def _to_bytes(error: AppError) -> bytes:
    response = to_response(error, with_status_code)
    headers = [*response.raw_headers, NO_SNIFFING, CLOSE]
    lines = [name + b": " + value + b"\r\n" for name, value in headers]
    return b"".join([STATUS_LINE[error.status], *lines, b"\r\n", bytes(response.body)])
