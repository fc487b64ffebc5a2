"""Group commit for SQLite: writers of one process that wait for each other share a transaction.

They write one after the other, each in a savepoint, and return when all of it is committed. On a busy machine, to begin
and to commit takes longer than most changes, so a group is faster than its writers one by one. A change that fails is
undone alone; if the commit fails, all of them fail. A writer that refuses its change waits for the commit as well: it
may have read what is committed with it, and its caller must find that.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Generator
from contextlib import AbstractContextManager, ExitStack, contextmanager, nullcontext

from sqlalchemy import Connection, RootTransaction

from penstock.foundation.database.errors import UNUSABLE, DatabaseUnavailable
from penstock.foundation.database.turns import Turns
from penstock.foundation.errors import AppError
from penstock.foundation.logging import Log

log = Log("database")

Begin = Callable[[], AbstractContextManager[tuple[Connection, RootTransaction]]]
"""Opens a connection and begins a transaction on it."""

GROUP_SECONDS = 0.05
"""After this time a group is committed even if others wait, since its first writers wait as well."""


class GroupCommit:
    """`seconds` is how long a writer waits for others at most; `place` is named in the log."""

    def __init__(self, seconds: float, place: str) -> None:
        self._turns, self._seconds, self._place = Turns(), seconds, place
        self._group: _Group | None = None
        """Of the thread whose turn it is."""

    @contextmanager
    def write(self, begin: Begin, *, is_alone: bool, project_id: int | None = None) -> Generator[Connection]:
        """`is_alone`: later writers are not committed with this one. Projects take turns."""
        if not self._turns.take(self._seconds, project_id):
            log.error("the database cannot be used", reason="other writers of this process", place=self._place)
            raise DatabaseUnavailable(UNUSABLE)
        group, refusal = self._join(begin), None
        try:
            with group.change() as connection:
                yield connection
        except AppError as error:
            refusal = error
        finally:
            self._leave(group, is_last=is_alone)
        group.wait()
        if refusal:
            raise refusal

    def _join(self, begin: Begin) -> _Group:
        try:
            self._group = self._group or _Group(begin())
        except BaseException:
            self._turns.end()
            raise
        return self._group

    def _leave(self, group: _Group, *, is_last: bool) -> None:
        if not is_last and group.can_go_on() and self._turns.hand_over():
            return
        self._group = None
        try:
            group.end()
        finally:
            self._turns.end()


class _Group:
    """A transaction, and how many changes were made in it."""

    def __init__(self, opened: AbstractContextManager[tuple[Connection, RootTransaction]]) -> None:
        self._stack = ExitStack()
        self._connection, self._transaction = self._stack.enter_context(opened)
        self._began, self._changes = time.monotonic(), 0
        self._has_ended = threading.Event()
        self._error: Exception | None = None

    @contextmanager
    def change(self) -> Generator[Connection]:
        # The first one needs no savepoint: if it fails, there is nothing to keep.
        with self._connection.begin_nested() if self._changes else nullcontext():
            yield self._connection
        self._changes += 1

    def can_go_on(self) -> bool:
        is_young = time.monotonic() - self._began < GROUP_SECONDS
        return is_young and self._changes > 0 and self._is_active()

    def end(self) -> None:
        try:
            with self._stack:
                self._commit()
        except Exception as error:
            self._error = error
        finally:
            self._has_ended.set()

    def wait(self) -> None:
        """Wait until it is committed; raise if it was not."""
        self._has_ended.wait()
        if self._error:
            raise self._error

    def _commit(self) -> None:
        if not self._changes:
            self._transaction.rollback()
        elif self._is_active():
            self._transaction.commit()
        else:
            raise DatabaseUnavailable(UNUSABLE)

    def _is_active(self) -> bool:
        """False if SQLite has rolled back everything, as it does on a full disk: then a commit would do nothing."""
        driver = self._connection.connection.dbapi_connection
        return bool(driver and driver.in_transaction)
