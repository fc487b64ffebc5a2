"""The server of the plain port in a thread of this process, which starts and stops at once: most tests do both."""

from __future__ import annotations

import asyncio
import threading
from contextlib import suppress
from socket import socket

from starlette.types import ASGIApp

from penstock.server.plain_server import PlainServer

TICK_SECONDS = 1.0


class ServerInThread(PlainServer):
    def __init__(self, app: ASGIApp, sockets: list[socket]) -> None:
        super().__init__(app)
        self._is_up, self._ended = threading.Event(), asyncio.Event()
        self._thread = threading.Thread(target=self.run, args=(sockets,), daemon=True)
        self._thread.start()
        self._is_up.wait()

    def stop(self) -> None:
        if self._thread.is_alive():
            self._loop.call_soon_threadsafe(self._ended.set)
            self._thread.join()

    async def startup(self, sockets: list[socket] | None = None) -> None:
        await super().startup(sockets)
        self._loop = asyncio.get_running_loop()
        self._is_up.set()

    async def main_loop(self) -> None:
        while not self._ended.is_set():
            await self.on_tick(0)
            with suppress(TimeoutError):
                await asyncio.wait_for(self._ended.wait(), TICK_SECONDS)

    async def shutdown(self, sockets: list[socket] | None = None) -> None:
        for each in self.servers:
            each.close()
        for connection in list(self.server_state.connections):
            connection.shutdown()
        await asyncio.gather(*self.server_state.tasks, return_exceptions=True)
