"""uvicorn, as a stack runs it: one process and one application behind a plain port and a TLS one, with our signals."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import Callable, Generator
from contextlib import contextmanager
from socket import socket
from types import FrameType
from typing import Any

import uvicorn
from starlette.types import ASGIApp

from penstock.server.certificates import Secure
from penstock.server.listening import Listening
from penstock.server.workers import Workers

DRAIN_SECONDS = 5
HANDSHAKE_SECONDS, GOODBYE_SECONDS = 15, 0.5
REFRESH_TICKS = 20
"""How often the files of the certificate are looked at; a tick is a tenth of a second."""


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
        self._workers, self._on_ready = workers, on_ready
        self._listening, self._secure = listening, secure

    async def startup(self, sockets: list[socket] | None = None) -> None:
        await super().startup(self._listening.plain)
        if self._secure:
            self.servers += [await self._serve_tls(sock, self._secure) for sock in self._listening.secure]
        self._on_ready()

    async def _serve_tls(self, sock: socket, secure: Secure) -> asyncio.Server:
        """Beside uvicorn's own: it has one TLS context for all its sockets, and waits long for clients that left."""
        make: Any = self.config.http_protocol_class
        return await asyncio.get_running_loop().create_server(
            lambda: make(config=self.config, server_state=self.server_state, app_state=self.lifespan.state),
            sock=sock,
            ssl=secure.context,
            backlog=self.config.backlog,
            ssl_handshake_timeout=HANDSHAKE_SECONDS,
            ssl_shutdown_timeout=GOODBYE_SECONDS,
        )

    async def on_tick(self, counter: int) -> bool:
        if self._secure and counter % REFRESH_TICKS == REFRESH_TICKS - 1:
            self._secure.refresh()
        return await super().on_tick(counter)

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
