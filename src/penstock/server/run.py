"""One stack, from its lock to its last worker."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable, Generator
from contextlib import contextmanager, suppress
from socket import socket
from types import FrameType

import uvicorn
from starlette.types import ASGIApp

from penstock.app import build_app, ensure_project, open_from, outbound_policy
from penstock.foundation import locks, logging
from penstock.foundation.errors import Invalid
from penstock.foundation.logging import Log
from penstock.foundation.stack import read_format
from penstock.server.greeting import describe, greet
from penstock.server.running import LOCK, forget
from penstock.server.sockets import open_sockets
from penstock.server.workers import Workers
from penstock.settings import Settings

log = Log("stack")

DRAIN_SECONDS = 5
LOCAL = {"0.0.0.0": "127.0.0.1", "::": "::1"}  # noqa: S104
"""How this machine reaches itself when a stack listens on every address."""


def run_stack(settings: Settings, as_json: bool) -> int:
    """Run until a signal ends it. One stack per data folder."""
    if sys.platform == "win32":
        raise Invalid("Penstock runs on Linux and macOS; on Windows start it inside WSL.")
    # What a stack keeps is its owner's alone, whoever made the folder.
    os.umask(0o077)
    settings.folder.mkdir(parents=True, exist_ok=True)
    lock = locks.try_to_hold(settings.folder / LOCK)
    if not lock:
        holder = locks.holder_of(settings.folder / LOCK)
        raise Invalid(
            f"A stack is already running on {settings.folder} (process {holder}). Stop it, or use another --data-dir."
        )
    with lock:
        _serve(settings, _open_sockets(settings), as_json)
    return 0


def _open_sockets(settings: Settings) -> list[socket]:
    try:
        return open_sockets(settings.host, settings.port)
    except Invalid:
        # A start that failed leaves no new folder behind.
        if not read_format(settings.folder):
            (settings.folder / LOCK).unlink()
            with suppress(OSError):
                settings.folder.rmdir()
        raise


def _serve(settings: Settings, sockets: list[socket], as_json: bool) -> None:
    logging.set_up(settings.folder / "logs" / "stack.log")
    name: tuple[str, int] = sockets[0].getsockname()[:2]
    bound, port = name
    address = LOCAL.get(bound, bound)
    outbound = outbound_policy(settings, f"[{address}]:{port}" if ":" in address else f"{address}:{port}")
    stack = open_from(settings, outbound)
    running = describe(settings, address, port, ensure_project(stack))
    workers = Workers(settings, outbound)
    workers.start()
    server = Server(build_app(settings, stack), workers, lambda: greet(running, settings, as_json))
    try:
        server.run(sockets)
    finally:
        workers.stop()
        workers.wait()
        forget(settings.folder)
        stack.close()


class Server(uvicorn.Server):
    """uvicorn with our signals: the first ends gently, a second Ctrl-C at once."""

    def __init__(self, app: ASGIApp, workers: Workers, on_ready: Callable[[], None]) -> None:
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

    async def startup(self, sockets: list[socket] | None = None) -> None:
        await super().startup(sockets)
        self._on_ready()

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
