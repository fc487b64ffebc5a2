"""The TLS port: HTTP/2 and HTTP/1.1, as the handshake agrees (ALPN), and WebSockets, by granian in this process.

uvicorn has no HTTP/2, and serves the plain port, where it is faster: docs/decisions/0022-http2.md has the figures.
granian opens its own sockets; ours are open before anything starts, so that a port in use is reported first. Hence
`_init_shared_socket` is replaced, and the version is pinned.
"""

from __future__ import annotations

import asyncio
import os
from socket import socket
from typing import Any

from granian._granian import SocketHolder  # pyright: ignore[reportPrivateUsage]
from granian.constants import Interfaces, SSLProtocols
from granian.http import HTTP1Settings, HTTP2Settings
from granian.log import LogLevels
from granian.server.embed import Server as EmbeddedServer
from starlette.types import ASGIApp

from penstock.foundation.admission import MAX_CONNECTIONS
from penstock.server.certificates.pair import Pair
from penstock.server.limits import HEAD_BYTES, HEAD_SECONDS
from penstock.server.unread_bodies import with_read_bodies

PING_SECONDS = 20
"""How often an idle HTTP/2 client is pinged, and how long it has to respond."""
MEGABYTE = 1024 * 1024

# The buffer is for bodies too, so larger heads pass here; TlsConnections refuses them.
_HTTP1 = HTTP1Settings(header_read_timeout=int(1000 * HEAD_SECONDS), max_buffer_size=HEAD_BYTES + MEGABYTE // 2)
_HTTP2 = HTTP2Settings(
    initial_stream_window_size=MEGABYTE,
    initial_connection_window_size=4 * MEGABYTE,
    max_headers_size=HEAD_BYTES,
    max_frame_size=MEGABYTE // 4,
    keep_alive_interval=1000 * PING_SECONDS,
    keep_alive_timeout=PING_SECONDS,
)
_OUR_LOG: dict[str, Any] = {"incremental": True, "handlers": {}, "loggers": {}}
"""It logs through our handlers: only the level is set."""


class TlsListener(EmbeddedServer):
    def __init__(self, app: ASGIApp, sock: socket, pair: Pair, most: int = MAX_CONNECTIONS) -> None:
        super().__init__(
            with_read_bodies(app),
            interface=Interfaces.ASGINL,
            backpressure=most,
            http1_settings=_HTTP1,
            http2_settings=_HTTP2,
            log_level=LogLevels.error,
            log_dictconfig=_OUR_LOG,
            ssl_cert=pair.certificate,
            ssl_key=pair.key,
            ssl_protocol_min=SSLProtocols.tls12,
        )
        self._socket, self._is_ending = sock, False
        self._task = asyncio.ensure_future(self.serve())

    @property
    def is_done(self) -> bool:
        return self._task.done()

    @property
    def has_failed(self) -> bool:
        return self.is_done and not self._is_ending

    def end(self) -> None:
        """Accept no more connections, and finish running requests."""
        self._is_ending = True
        self.stop()

    async def drain(self, seconds: float) -> None:
        self.end()
        await asyncio.wait([self._task], timeout=seconds)

    def _init_shared_socket(self) -> None:
        """A duplicate, since granian closes the socket it is given."""
        self._socket.setblocking(False)
        hold: Any = SocketHolder
        self._shd = hold(os.dup(self._socket.fileno()), False, self.backlog)
