"""Accepts connections, runs their requests in threads, and ends the process when it is idle or its folder is gone."""

from __future__ import annotations

import os
import select
import socket
import threading
import time
from contextlib import closing, suppress
from pathlib import Path

import duckdb

from penstock.sql.messages import ConnectionLost, Hello, Request, Setup, Stop, receive_request, send
from penstock.sql.process import results
from penstock.sql.process.local_engine import LocalEngine
from penstock.sql.process.requests import Handler

TICK_SECONDS = 0.5
CLEAN_SECONDS = 600.0


class Server:
    def __init__(self, setup: Setup, database: duckdb.DuckDBPyConnection, listener: socket.socket) -> None:
        self._setup, self._database, self._listener = setup, database, listener
        self._engine = LocalEngine(setup, database)
        self._busy, self._last_used = 0, time.monotonic()
        self._guard = threading.Lock()
        self._is_stopped = threading.Event()

    def run(self) -> None:
        cleaned = 0.0
        while not self._is_stopped.is_set() and not self._is_idle() and Path().stat().st_nlink:
            if time.monotonic() - cleaned > CLEAN_SECONDS:
                results.remove_old_results()
                cleaned = time.monotonic()
            if select.select([self._listener], [], [], TICK_SECONDS)[0]:
                line, _ = self._listener.accept()
                threading.Thread(target=self._serve, args=(line,), daemon=True).start()
        # Those who connect from now on are refused, and start another process.
        self._listener.close()
        self._database.close()

    def _is_idle(self) -> bool:
        with self._guard:
            return not self._busy and time.monotonic() - self._last_used > self._setup.limits.idle_seconds

    def _serve(self, line: socket.socket) -> None:
        with closing(line), suppress(ConnectionLost, OSError):
            handler = Handler(line, self._engine)
            send(line, Hello(os.getpid()))
            while True:
                self._handle(line, handler, receive_request(line))

    def _handle(self, line: socket.socket, handler: Handler, request: Request) -> None:
        if isinstance(request, Stop):
            self._is_stopped.set()
            send(line, Hello(os.getpid()))
            return
        self._count(1)
        try:
            handler.handle(request)
        finally:
            self._count(-1)

    def _count(self, change: int) -> None:
        with self._guard:
            self._busy += change
            self._last_used = time.monotonic()
