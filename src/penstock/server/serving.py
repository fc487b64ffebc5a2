"""The HTTP server of a stack: uvicorn on the plain port, granian on the TLS port, one application and one process."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import Callable, Generator
from contextlib import contextmanager
from socket import socket
from types import FrameType

import uvicorn
from starlette.types import ASGIApp

from penstock.foundation.errors import Invalid
from penstock.server.certificates import Secure
from penstock.server.listening import Listening
from penstock.server.tls_listener import TlsListener
from penstock.server.workers import Workers

DRAIN_SECONDS = 5
REFRESH_TICKS = 20
"""How often the files of the certificate are looked at; a tick is a tenth of a second."""


class TlsPortFailed(Invalid):
    def __init__(self) -> None:
        super().__init__("The server of the TLS port ended by itself; the lines above say why.")


class Server(uvicorn.Server):
    """The first signal ends it gently, a second Ctrl-C at once."""

    def __init__(
        self,
        app: ASGIApp,
        workers: Workers,
        on_ready: Callable[[], None],
        listening: Listening,
        secure: Secure | None,
    ) -> None:
        super().__init__(
            uvicorn.Config(
                app,
                lifespan="off",
                log_config=None,
                access_log=False,
                server_header=False,
                proxy_headers=False,
                timeout_graceful_shutdown=DRAIN_SECONDS,
                timeout_keep_alive=75,
            )
        )
        self._app, self._workers, self._on_ready = app, workers, on_ready
        self._listening, self._secure = listening, secure
        self._tls: list[TlsListener] = []
        self._replaced: list[TlsListener] = []

    async def startup(self, sockets: list[socket] | None = None) -> None:
        await super().startup(self._listening.plain)
        self._start_tls()
        self._on_ready()

    def _start_tls(self) -> None:
        if self._secure:
            self._tls = [TlsListener(self._app, sock, self._secure.pair) for sock in self._listening.secure]

    async def on_tick(self, counter: int) -> bool:
        if any(each.has_failed for each in self._tls):
            raise TlsPortFailed
        if self._secure and counter % REFRESH_TICKS == REFRESH_TICKS - 1:
            self._refresh_tls(self._secure)
        return await super().on_tick(counter)

    def _refresh_tls(self, secure: Secure) -> None:
        """A new certificate on the same sockets; what was asked of the old listeners is still answered."""
        self._replaced = [each for each in self._replaced if not each.is_done]
        if secure.refresh():
            old = self._tls
            self._start_tls()
            self._replaced += old
            for each in old:
                each.end()

    async def shutdown(self, sockets: list[socket] | None = None) -> None:
        listeners = [*self._tls, *self._replaced]
        await asyncio.gather(super().shutdown(sockets), *(each.drain(DRAIN_SECONDS) for each in listeners))

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
