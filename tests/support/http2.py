"""A client that speaks HTTP/2 only, on one connection: what it asks, how its pings are answered."""

from __future__ import annotations

import socket
import ssl
import time
from collections.abc import Iterator
from pathlib import Path
from types import TracebackType

from h2.config import H2Configuration
from h2.connection import H2Connection
from h2.events import DataReceived, Event, PingAckReceived, ResponseReceived, StreamEnded, StreamReset

PING_SECONDS = 0.2
STREAMS = 20
"""Requests at once."""


class Http2:
    def __init__(self, host: str, port: int, authority: str | Path) -> None:
        context = ssl.create_default_context(cafile=authority)
        context.set_alpn_protocols(["h2"])
        plain = socket.create_connection(("127.0.0.1", port), 30)
        self._socket = context.wrap_socket(plain, server_hostname=host)
        assert self._socket.selected_alpn_protocol() == "h2"
        self._host = host
        self._http = H2Connection(H2Configuration(header_encoding=None))
        self._http.initiate_connection()
        self._socket.sendall(self._http.data_to_send())
        self._socket.settimeout(PING_SECONDS)
        self._pinged: dict[bytes, float] = {}
        self._last_ping = 0.0
        self.statuses: dict[int, int] = {}
        self.bodies: dict[int, bytes] = {}
        self.pings: list[float] = []
        """How many seconds each ping took."""

    def __enter__(self) -> Http2:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._socket.close()

    def ask(self, path: str, headers: dict[str, str], times: int) -> None:
        """GET the path so often, some at once, and ping all the while until everything is answered."""
        waiting: set[int] = set()
        left = times
        while left or waiting or self._pinged:
            while left and len(waiting) < STREAMS:
                waiting.add(self._get(path, headers))
                left -= 1
            if left or waiting:
                self._ping()
            self._socket.sendall(self._http.data_to_send())
            waiting -= {stream for event in self._receive() for stream in self._take(event)}

    def is_closed_within(self, seconds: float) -> bool:
        """Whether the server ends the connection, although pings are answered."""
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline:
            try:
                data = self._socket.recv(65536)
            except TimeoutError:
                continue
            except OSError:
                return True
            if not data:
                return True
            self._http.receive_data(data)
            self._socket.sendall(self._http.data_to_send())
        return False

    def _get(self, path: str, headers: dict[str, str]) -> int:
        stream = self._http.get_next_available_stream_id()
        pseudo = [(":method", "GET"), (":scheme", "https"), (":authority", self._host), (":path", path)]
        self._http.send_headers(stream, [*pseudo, *headers.items()], end_stream=True)
        return stream

    def _ping(self) -> None:
        now = time.monotonic()
        if now - self._last_ping >= PING_SECONDS:
            name = int(now * 1e6).to_bytes(8)
            self._last_ping = self._pinged[name] = now
            self._http.ping(name)

    def _receive(self) -> list[Event]:
        try:
            data = self._socket.recv(65536)
        except TimeoutError:
            return []
        assert data, "the server closed the connection"
        return self._http.receive_data(data)

    def _take(self, event: Event) -> Iterator[int]:
        """The stream that ended, if one did."""
        if isinstance(event, ResponseReceived):
            self.statuses[event.stream_id] = int(dict(event.headers)[b":status"])
        elif isinstance(event, DataReceived):
            self.bodies[event.stream_id] = self.bodies.get(event.stream_id, b"") + (event.data or b"")
            self._http.acknowledge_received_data(event.flow_controlled_length or 0, event.stream_id)
        elif isinstance(event, PingAckReceived):
            self.pings.append(time.monotonic() - self._pinged.pop(event.ping_data))
        elif isinstance(event, StreamEnded):
            yield event.stream_id
        assert not isinstance(event, StreamReset)
