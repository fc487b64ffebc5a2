"""Many requests at once on one HTTP/2 connection, of a client that reads no response."""

from __future__ import annotations

import re
import socket
import ssl
from pathlib import Path

from h2.config import H2Configuration
from h2.connection import H2Connection
from h2.settings import SettingCodes

from penstock.web.routing import Route

STREAMS = 200
"""As many as a connection may have."""


class Flood:
    """Requests to one address, encoded once for all connections."""

    def __init__(self, port: int, authority: str | Path, method: str, path: str, streams: int = STREAMS) -> None:
        self._port = port
        self._context = ssl.create_default_context(cafile=authority)
        self._context.set_alpn_protocols(["h2"])
        self._data = _encode(method, f"127.0.0.1:{port}", path, streams)

    def begin(self) -> socket.socket:
        """The client leaves when the socket is closed."""
        plain = socket.create_connection(("127.0.0.1", self._port), 30)
        connection = self._context.wrap_socket(plain, server_hostname="connection.penstock.localhost")
        connection.sendall(self._data)
        return connection


def _encode(method: str, authority: str, path: str, streams: int) -> bytes:
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
    return http.data_to_send()


def fill_path(service_id: str, route: Route) -> str:
    """An address of the row; the documents that are made are the largest there are."""
    path = route.path.replace("{file}", "storage.json").replace("{component_id}", "ex-generic-v2")
    return f"/_svc/{service_id}" + re.sub(r"\{[^}]*\}", "x", path)
