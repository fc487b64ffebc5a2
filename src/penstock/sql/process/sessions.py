"""Connections to the database: temporary tables, variables and transactions of a session live in one."""

from __future__ import annotations

import threading
import time
from collections.abc import Generator
from contextlib import contextmanager

import duckdb

from penstock.sql.errors import StatementFailed
from penstock.sql.messages import Setup
from penstock.sql.process.database import use_schema

MOST_SESSIONS = 100
IDLE_SECONDS = 3600.0


class Session:
    def __init__(self, cursor: duckdb.DuckDBPyConnection) -> None:
        self.cursor = cursor
        self.lock = threading.Lock()
        self.last_used = time.monotonic()
        self.in_transaction = False
        self.is_read_only = False
        """Whether the open transaction is."""


class Sessions:
    """Thread-safe."""

    def __init__(self, setup: Setup, database: duckdb.DuckDBPyConnection) -> None:
        self._setup, self._database = setup, database
        self._sessions: dict[str, Session] = {}
        self._guard = threading.Lock()

    @contextmanager
    def use(self, session_id: str, seconds: float) -> Generator[Session]:
        """The session, for one statement at a time. Without an id, one that ends with the statement."""
        session = self._find(session_id) if session_id else self._new()
        if not session.lock.acquire(timeout=seconds):
            raise StatementFailed(f"Session {session_id} runs another statement. Wait for it, or use another session.")
        try:
            yield session
        finally:
            session.last_used = time.monotonic()
            session.lock.release()
            if not session_id:
                session.cursor.close()

    def end(self, session_id: str) -> bool:
        """Whether there was such a session. One that runs a statement is left to end when it is idle for long."""
        with self._guard:
            found = self._sessions.get(session_id)
            if not found or found.lock.locked():
                return False
            self._sessions.pop(session_id).cursor.close()
            return True

    @contextmanager
    def cursor(self) -> Generator[duckdb.DuckDBPyConnection]:
        """A connection for work of the process itself."""
        with self._guard:
            cursor = self._database.cursor()
        try:
            yield cursor
        finally:
            cursor.close()

    def _find(self, session_id: str) -> Session:
        with self._guard:
            found = self._sessions.pop(session_id, None)
        if not found:
            self._make_room()
            found = self._new()
        with self._guard:
            return self._sessions.setdefault(session_id, found)

    def _new(self) -> Session:
        with self._guard:
            cursor = self._database.cursor()
        use_schema(cursor, self._setup)
        return Session(cursor)

    def _make_room(self) -> None:
        """End sessions that were not used for long, and the oldest ones of too many."""
        oldest = time.monotonic() - IDLE_SECONDS
        with self._guard:
            free = [(name, each) for name, each in self._sessions.items() if not each.lock.locked()]
            extra = len(self._sessions) - MOST_SESSIONS + 1
            for number, (name, session) in enumerate(free):
                if number < extra or session.last_used < oldest:
                    self._sessions.pop(name).cursor.close()
