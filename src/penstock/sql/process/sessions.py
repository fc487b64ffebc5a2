"""Connections to the database: temporary tables, variables and transactions of a session live in one."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager

import duckdb

from penstock.sql.errors import SessionGone, StatementFailed
from penstock.sql.messages import Setup
from penstock.sql.process.database import use_schema

MAX_SESSIONS = 100
IDLE_SECONDS = 3600.0


class Session:
    def __init__(self, cursor: duckdb.DuckDBPyConnection) -> None:
        self.cursor = cursor
        self.lock = threading.Lock()
        self.last_used = time.monotonic()
        self.in_transaction = False
        self.is_read_only = False
        """Whether the open transaction is."""
        self.views: dict[tuple[str, str], str] = {}
        """The views of project tables that the open transaction sees, by schema and name."""
        self.new_views: dict[tuple[str, str], str] = {}
        """Those that it has made itself."""
        self.has_temporary = False
        """Whether it has temporary tables or views, or variables."""
        self.users = 0
        """Statements that run in it or wait for it."""
        self.is_ended = False
        """Whether it ends with the last of them."""


class Sessions:
    """Thread-safe. `on_end` is called with the id of a session that somebody has ended, when nothing runs in it."""

    def __init__(
        self,
        setup: Setup,
        database: duckdb.DuckDBPyConnection,
        on_end: Callable[[str], None],
    ) -> None:
        self._setup, self._database, self._on_end = setup, database, on_end
        self._sessions: dict[str, Session] = {}
        """Those that were used last are at the end."""
        self._guard = threading.Lock()

    @contextmanager
    def use(self, session_id: str, seconds: float, *, is_expected: bool = False) -> Generator[Session]:
        """The session, for one statement at a time. Without an id, one that ends with the statement.

        Raises SessionGone if it is expected to be there, and is not."""
        session = self._take(session_id, is_expected) if session_id else self._new()
        try:
            with _locked(session, session_id, seconds):
                yield session
        finally:
            self._release(session, session_id)

    def end(self, session_id: str) -> bool:
        """Whether there was such a session. One that runs a statement ends with it."""
        with self._guard:
            found = self._sessions.pop(session_id, None)
            if found:
                found.is_ended = True
            is_used = found is not None and found.users > 0
        if not is_used:
            self._close(found, session_id)
        return found is not None

    @contextmanager
    def cursor(self) -> Generator[duckdb.DuckDBPyConnection]:
        """A connection for work of the process itself."""
        with self._guard:
            cursor = self._database.cursor()
        try:
            yield cursor
        finally:
            cursor.close()

    def _take(self, session_id: str, is_expected: bool) -> Session:
        with self._guard:
            found = self._sessions.get(session_id)
            if not found and is_expected:
                raise SessionGone(session_id)
            if not found:
                self._make_room()
                found = self._connect()
            self._sessions.pop(session_id, None)
            self._sessions[session_id] = found
            found.users += 1
            return found

    def _release(self, session: Session, session_id: str) -> None:
        with self._guard:
            session.last_used = time.monotonic()
            session.users -= 1
            is_over = session.is_ended and not session.users
        if not session_id:
            session.cursor.close()
        elif is_over:
            self._close(session, session_id)

    def _close(self, session: Session | None, session_id: str) -> None:
        if session:
            session.cursor.close()
        self._on_end(session_id)

    def _new(self) -> Session:
        with self._guard:
            return self._connect()

    def _connect(self) -> Session:
        cursor = self._database.cursor()
        use_schema(cursor, self._setup)
        return Session(cursor)

    def _make_room(self) -> None:
        """End sessions that were not used for long, and the oldest ones of too many; never one in a transaction, whose
        next statement would change tables outside of it."""
        if sum(each.in_transaction for each in self._sessions.values()) >= MAX_SESSIONS:
            raise StatementFailed(
                f"The workspace has {MAX_SESSIONS} sessions with an open transaction. Commit one or roll it back."
            )
        oldest = time.monotonic() - IDLE_SECONDS
        free = [(name, each) for name, each in self._sessions.items() if not each.users and not each.in_transaction]
        extra = len(self._sessions) - MAX_SESSIONS + 1
        for number, (name, session) in enumerate(free):
            if number < extra or session.last_used < oldest:
                self._sessions.pop(name).cursor.close()


@contextmanager
def _locked(session: Session, session_id: str, seconds: float) -> Generator[None]:
    if not session.lock.acquire(timeout=seconds):
        raise StatementFailed(f"Session {session_id} runs another statement. Wait for it, or use another session.")
    try:
        yield
    finally:
        session.lock.release()
