"""The API of tests/support/api.py behind TLS, which tells whom it refuses why, as other people's servers do."""

from __future__ import annotations

import socket
import ssl
from contextlib import suppress
from typing import Any

from tests.support.api import Api

PATIENCE = 30


class SecureApi(Api):
    """At https://localhost; `handshakes` counts all who tried to get in."""

    def __init__(self, tls: ssl.SSLContext) -> None:
        super().__init__()
        self.handshakes = 0
        self._tls = tls
        self._server.get_request = self._welcome

    @property
    def url(self) -> str:
        return super().url.replace("http://127.0.0.1", "https://localhost")

    def _welcome(self) -> tuple[socket.socket, Any]:
        plain, address = self._server.socket.accept()
        plain.settimeout(PATIENCE)
        self.handshakes += 1
        connection = self._tls.wrap_socket(plain, server_side=True, do_handshake_on_connect=False)
        try:
            connection.do_handshake()
        except OSError:
            _hang_up(connection)
            raise
        return connection, address


def _hang_up(connection: ssl.SSLSocket) -> None:
    """Wait for the other side to close first: otherwise the system may drop the alert that is on its way."""
    with suppress(OSError):
        connection.shutdown(socket.SHUT_WR)
        while connection.recv(1 << 16):
            pass
    connection.close()
