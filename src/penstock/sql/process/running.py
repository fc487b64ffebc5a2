"""Running statements: each has a deadline, and may be canceled.

The database is asked to interrupt the statement, again and again, since it ignores that between two steps. A statement
that does not end within a second after that ends the process: another workspace must not wait for it.
"""

from __future__ import annotations

import os
import sys
import threading
import time
from collections.abc import Generator
from contextlib import contextmanager

import duckdb

from penstock.sql.errors import StatementCanceled, StatementTimedOut

TICK_SECONDS = 0.1
KILL_SECONDS = 1.2


class Running:
    """A statement from its request to its response."""

    def __init__(self, cursor: duckdb.DuckDBPyConnection, seconds: float) -> None:
        self._cursor, self._seconds = cursor, seconds
        self._deadline = time.monotonic() + seconds
        self._stop_at: float | None = None
        self.is_canceled = False

    def cancel(self) -> None:
        self.is_canceled = True
        self.look(time.monotonic())

    def look(self, now: float) -> None:
        """Interrupt it if it has to end; end the process if that does not help."""
        if not self.is_canceled and now < self._deadline:
            return
        self._stop_at = self._stop_at or now
        self._cursor.interrupt()
        if now - self._stop_at > KILL_SECONDS:
            sys.stderr.write("A statement did not end when it was interrupted.\n")
            os._exit(3)

    def check(self) -> None:
        """Raise if it has to end."""
        if self.is_canceled:
            raise StatementCanceled
        if time.monotonic() >= self._deadline:
            raise StatementTimedOut(self._seconds)


class RunningStatements:
    """Thread-safe."""

    def __init__(self) -> None:
        self._running: dict[str, Running] = {}
        self._change = threading.Condition()
        threading.Thread(target=self._watch, daemon=True, name="deadlines").start()

    @contextmanager
    def add(self, statement_id: str, cursor: duckdb.DuckDBPyConnection, seconds: float) -> Generator[Running]:
        running = Running(cursor, seconds)
        with self._change:
            self._running[statement_id] = running
            self._change.notify()
        try:
            yield running
        except duckdb.InterruptException:
            running.check()
            raise
        finally:
            with self._change:
                self._running.pop(statement_id, None)

    def cancel(self, statement_id: str) -> bool:
        with self._change:
            running = self._running.get(statement_id)
            if running:
                running.cancel()
            return running is not None

    def _watch(self) -> None:
        while True:
            with self._change:
                while not self._running:
                    self._change.wait()
                now = time.monotonic()
                for running in self._running.values():
                    running.look(now)
            time.sleep(TICK_SECONDS)
