"""Many requests at once on one HTTP/2 connection, of a client that reads no response."""

from __future__ import annotations

import socket
import ssl
from pathlib import Path

from h2.config import H2Configuration
from h2.connection import H2Connection
from h2.errors import ErrorCodes
from h2.settings import SettingCodes

STREAMS = 200
"""As many as a connection may have."""


class Flood:
    """Requests to one address, encoded once for all connections."""

    def __init__(
        self,
        port: int,
        authority: str | Path,
        method: str,
        path: str,
        streams: int = STREAMS,
        *,
        resets: bool = False,
    ) -> None:
        """`resets` takes each request back as soon as it is sent."""
        self._port = port
        self._context = ssl.create_default_context(cafile=authority)
        self._context.set_alpn_protocols(["h2"])
        self._data = _encode(method, f"127.0.0.1:{port}", path, streams, resets)

    def begin(self) -> socket.socket:
        """The client leaves when the socket is closed."""
        plain = socket.create_connection(("127.0.0.1", self._port), 30)
        connection = self._context.wrap_socket(plain, server_hostname="connection.penstock.localhost")
        connection.sendall(self._data)
        return connection


def _encode(method: str, authority: str, path: str, streams: int, resets: bool) -> bytes:
    """Nothing of a response can be sent, since the window is empty."""
    http = H2Connection(H2Configuration(header_encoding=None))
    http.initiate_connection()
    http.update_settings({SettingCodes.INITIAL_WINDOW_SIZE: 0})
    head = [(":method", method), (":scheme", "https"), (":authority", authority), (":path", path)]
    has_body = method != "GET"
    for _ in range(streams):
        stream = http.get_next_available_stream_id()
        http.send_headers(stream, [*head, ("content-type", "application/json")], end_stream=not has_body)
        if has_body:
            http.send_data(stream, b"{}", end_stream=True)
        if resets:
            http.reset_stream(stream, ErrorCodes.CANCEL)
    return http.data_to_send()
