"""The server of a stack: uvicorn on the plain port, granian on the TLS port, one application and one process.

PostgreSQL clients have a port of their own.
"""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import Callable, Generator
from contextlib import contextmanager
from socket import socket
from types import FrameType

from starlette.types import ASGIApp

from penstock.foundation.admission import Admission
from penstock.foundation.errors import Invalid
from penstock.pgwire.listener import SqlListener
from penstock.server.certificates import Secure
from penstock.server.limits import CHECK_TICKS
from penstock.server.listening import Listening
from penstock.server.plain_server import DRAIN_SECONDS, PlainServer
from penstock.server.tls_connections import TlsConnections
from penstock.server.tls_listener import TlsListener
from penstock.server.workers import Workers

REFRESH_TICKS = 20
"""How often the files of the certificate are checked; a tick is a tenth of a second."""


class TlsPortFailed(Invalid):
    def __init__(self) -> None:
        super().__init__("The server of the TLS port stopped unexpectedly; see the log lines above.")


class Server(PlainServer):
    """The first signal stops it gracefully, a second Ctrl-C immediately."""

    def __init__(
        self,
        app: ASGIApp,
        workers: Workers,
        on_ready: Callable[[], None],
        listening: Listening,
        secure: Secure | None,
        admission: Admission,
        sql: SqlListener | None = None,
    ) -> None:
        super().__init__(app, admission)
        self._workers, self._on_ready = workers, on_ready
        self._listening, self._secure = listening, secure
        self._connections = TlsConnections(app, admission, listening.secure_port)
        self._sql = sql
        self._tls: list[TlsListener] = []
        self._replaced: list[TlsListener] = []

    async def startup(self, sockets: list[socket] | None = None) -> None:
        await super().startup(self._listening.plain)
        self._start_tls()
        if self._sql:
            self._sql.start()
        self._on_ready()

    def _start_tls(self) -> None:
        if self._secure:
            most = self._connections.most
            self._tls = [
                TlsListener(self._connections, sock, self._secure.pair, most) for sock in self._listening.secure
            ]

    async def on_tick(self, counter: int) -> bool:
        if any(each.has_failed for each in self._tls):
            raise TlsPortFailed
        if self._secure and counter % CHECK_TICKS == 0:
            self._connections.check()
        if self._secure and counter % REFRESH_TICKS == REFRESH_TICKS - 1:
            self._refresh_tls(self._secure)
        return await super().on_tick(counter)

    def _refresh_tls(self, secure: Secure) -> None:
        """A new certificate on the same sockets; requests on the old listeners are still completed."""
        self._replaced = [each for each in self._replaced if not each.is_done]
        if secure.refresh():
            old = self._tls
            self._start_tls()
            self._replaced += old
            for each in old:
                each.end()

    async def shutdown(self, sockets: list[socket] | None = None) -> None:
        ends = [each.drain(DRAIN_SECONDS) for each in (*self._tls, *self._replaced)]
        ends += [self._sql.stop()] if self._sql else []
        await asyncio.gather(super().shutdown(sockets), *ends)

    @contextmanager
    def capture_signals(self) -> Generator[None, None, None]:
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, self.handle_exit)
        yield

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        if self.should_exit and sig == signal.SIGINT:
            self._workers.kill()
            os._exit(130)
        self.should_exit = True
        self._workers.stop()
