"""Begins transactions, on SQLite or PostgreSQL.

reading()    a consistent snapshot, whatever is committed meanwhile; never blocks
writing()    begins as a writer of a project: two of them wait for each other instead of failing halfway. Without a
             project, as the only writer of the stack: for changes in several projects
claiming()   a writer that takes one job; on PostgreSQL many do so at once
unlocked()   a writer of rows that no other transaction uses; on PostgreSQL it waits for no other writer
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Generator, Mapping
from contextlib import AbstractContextManager, contextmanager
from functools import partial
from pathlib import Path
from types import CodeType
from typing import Any, Protocol

from sqlalchemy import Connection, Engine, RootTransaction
from sqlalchemy.exc import DBAPIError
from sqlalchemy.exc import TimeoutError as PoolTimeout

from penstock.foundation.database.errors import UNUSABLE, DatabaseUnavailable
from penstock.foundation.database.group_commit import Begin
from penstock.foundation.database.sqlite import Sqlite
from penstock.foundation.database.transaction import Transaction
from penstock.foundation.errors import AppError
from penstock.foundation.logging import Log

log = Log("database")

LONG_SECONDS = 1.0
"""Longer than any request should block other writers."""
DOCUMENT_SECONDS = 10.0
_COUNT_BITS = 40
"""More than the changes of any process."""


class Kind(Protocol):
    """What SQLite and PostgreSQL implement differently."""

    engine: Engine
    place: str
    """Its location for messages: without a password."""
    reading: Mapping[str, Any]
    writing: Mapping[str, Any]
    unlocked: Mapping[str, Any]
    claiming: Mapping[str, Any]
    """Prepares a connection for its purpose."""
    readers: int
    writers: int
    """See Database."""

    def write(self, begin: Begin, *, is_alone: bool, project_id: int | None) -> AbstractContextManager[Connection]:
        """Commits at the end, perhaps together with other writers; `is_alone`: never with later ones. Where all
        writers wait for each other, projects take turns."""
        ...

    def explain(self, error: DBAPIError) -> AppError | None:
        """The message for the user; None for an error of ours."""
        ...

    def version(self, of: str = "") -> int | None: ...
    def change_count(self) -> int | None: ...
    def send_change(self) -> None:
        """Called after each commit of a writer."""
        ...

    def notify_workers(self, service_id: str) -> None: ...
    def on_work(self, callback: Callable[[str], None]) -> None: ...
    def close(self) -> None: ...


class Database:
    """A Path is an SQLite file, a string the URL of PostgreSQL."""

    def __init__(self, place: Path | str) -> None:
        self._kind = _open(place)
        self.engine = self._kind.engine
        kind = self._kind
        self._reader, self._writer, self._unlocked, self._claimer = (
            self.engine.execution_options(**options)
            for options in (kind.reading, kind.writing, kind.unlocked, kind.claiming)
        )

    @property
    def place(self) -> str:
        """Return its location for messages: without a password."""
        return self._kind.place

    @property
    def readers(self) -> int:
        """How many transactions of one process may usefully read at the same time."""
        return self._kind.readers

    @property
    def writers(self) -> int:
        """The same for those that write."""
        return self._kind.writers

    def version(self, of: str = "") -> int | None:
        """A number that changes whenever any process commits a change; None if it is not available. It never blocks and
        takes microseconds. `of` names a counter (ids.count_change): then other changes are ignored."""
        return self._kind.version(of)

    def change_count(self) -> int | None:
        """A number that changes soon after any process has written something; None if it is not available. For polling,
        not for caches: on PostgreSQL it changes some milliseconds after the commit."""
        return self._kind.change_count()

    def document_version(self) -> int | None:
        """Like version(), for documents that everybody may read: on PostgreSQL it changes immediately after a commit of
        this process, and some milliseconds after one of another. That may be killed before it tells others, so the
        number changes every DOCUMENT_SECONDS too."""
        version = self.version()
        if version is not None:
            return version
        count, period = self.change_count(), int(time.monotonic() / DOCUMENT_SECONDS)
        return None if count is None else (period << _COUNT_BITS) + count

    def notify_workers(self, service_id: str) -> None:
        """There is a job of the service to claim: wake its workers on other machines, where the database can."""
        self._kind.notify_workers(service_id)

    def on_work(self, callback: Callable[[str], None]) -> None:
        """Register a function to call when another process has called notify_workers(), with its service."""
        self._kind.on_work(callback)

    @contextmanager
    def reading(self) -> Generator[Transaction]:
        with self._explaining(), _connect(self._reader, None) as (connection, begun):
            yield Transaction(connection, is_writing=False)
            begun.commit()

    @contextmanager
    def writing(self, project_id: int | None = None) -> Generator[Transaction]:
        """The only writer of the project or, without a project, of the whole stack. On SQLite it is always the latter.
        A transaction that takes long is logged, with the function that opened it.

        With a project, change only rows of this project; rows of others may change meanwhile.
        """
        with self._write(self._writer, project_id) as tx:
            held = _Held()
            try:
                yield tx
            finally:
                # Frame 0 is this function, 1 is contextlib's, 2 is the caller's.
                held.tell(sys._getframe(2).f_code)  # pyright: ignore[reportPrivateUsage]
        self._kind.send_change()

    @contextmanager
    def unlocked(self) -> Generator[Transaction]:
        """Open a transaction for rows that no other transaction reads or changes at the same time."""
        with self._write(self._unlocked) as tx:
            yield tx

    @contextmanager
    def claiming(self) -> Generator[Transaction]:
        """Open a transaction that only claims a job: whatever is read here may be changed concurrently. Nothing else is
        written."""
        with self._write(self._claimer, is_alone=True) as tx:
            yield tx

    def close(self) -> None:
        self._kind.close()
        self.engine.dispose()

    @contextmanager
    def _write(
        self, engine: Engine, project_id: int | None = None, *, is_alone: bool = False
    ) -> Generator[Transaction]:
        begin = partial(_connect, engine, project_id)
        with self._explaining(), self._kind.write(begin, is_alone=is_alone, project_id=project_id) as connection:
            yield Transaction(connection)

    @contextmanager
    def _explaining(self) -> Generator[None]:
        try:
            yield
        except DBAPIError as error:
            explained = self._kind.explain(error)
            if not explained:
                raise
            # Errors that the user can fix are not logged for the operator.
            if isinstance(explained, DatabaseUnavailable):
                log.error("the database cannot be used", reason=str(error.orig), place=self.place)
            raise explained from error
        except PoolTimeout as error:
            log.error("the database cannot be used", reason="every connection is in use", place=self.place)
            raise DatabaseUnavailable(UNUSABLE) from error


@contextmanager
def _connect(engine: Engine, project_id: int | None) -> Generator[tuple[Connection, RootTransaction]]:
    """A transaction that has begun. A connection that was lost in the pool is replaced: nothing was sent on it yet."""
    with _open_connection(engine, project_id) as connection:
        begun = _try_to_begin(connection)
        if begun:
            with begun:
                yield connection, begun
            return
    with _open_connection(engine, project_id) as connection, connection.begin() as begun:
        yield connection, begun


def _open_connection(engine: Engine, project_id: int | None) -> Connection:
    """The connection is configured with the project before the transaction begins."""
    connection = engine.connect()
    return connection.execution_options(project_id=project_id) if project_id else connection


def _try_to_begin(connection: Connection) -> RootTransaction | None:
    try:
        return connection.begin()
    except DBAPIError as error:
        if not error.connection_invalidated:
            raise
        return None


class _Held:
    """How long a transaction was open, and its CPU time: the rest was waiting for a slow machine."""

    def __init__(self) -> None:
        self._began, self._worked = time.monotonic(), time.thread_time()

    def tell(self, code: CodeType) -> None:
        seconds = time.monotonic() - self._began
        if seconds > LONG_SECONDS:
            facts = {"seconds": round(seconds, 2), "busy_seconds": round(time.thread_time() - self._worked, 2)}
            log.warning("a writing transaction took long", **facts, held_by=code.co_qualname)


def _open(place: Path | str) -> Kind:
    if isinstance(place, Path):
        return Sqlite(place)
    # Imported only when used: its driver is an optional dependency.
    from penstock.foundation.database.postgresql import PostgreSQL

    return PostgreSQL(place)
