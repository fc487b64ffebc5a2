"""Begins transactions, on whichever database the stack has.

reading()    one state of the database, whatever others commit meanwhile; waits for nobody
writing()    begins as a writer of a project: two of them wait for each other instead of failing halfway. Without a
             project, as the only writer of the stack: for what concerns several projects
claiming()   a writer that takes one job; on PostgreSQL many do so at once
unlocked()   a writer of rows, of any project, that nobody else touches; on PostgreSQL it waits for no other writer
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Generator, Mapping
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from types import CodeType
from typing import Any, Protocol

from sqlalchemy import Connection, Engine, RootTransaction
from sqlalchemy.exc import DBAPIError
from sqlalchemy.exc import TimeoutError as PoolTimeout

from penstock.foundation.database.errors import UNUSABLE, DatabaseUnavailable
from penstock.foundation.database.sqlite import Sqlite
from penstock.foundation.database.transaction import Transaction
from penstock.foundation.errors import AppError
from penstock.foundation.logging import Log

log = Log("database")

LONG_SECONDS = 1.0
"""Longer than any request may keep others from writing."""


class Kind(Protocol):
    """What SQLite and PostgreSQL do each in its own way."""

    engine: Engine
    place: str
    """Where it is, for people: without a password."""
    reading: Mapping[str, Any]
    writing: Mapping[str, Any]
    unlocked: Mapping[str, Any]
    claiming: Mapping[str, Any]
    """How a connection is told what it is for."""

    def commit(self, connection: Connection, begun: RootTransaction) -> None: ...
    def explain(self, error: DBAPIError) -> AppError | None:
        """What to tell the user; None for a mistake of ours."""
        ...

    def turn(self) -> AbstractContextManager[None]:
        """Held while writing, where those who write must wait for each other in this process already."""
        ...

    def version(self, of: str = "") -> int | None: ...
    def change_count(self) -> int | None: ...
    def send_change(self) -> None:
        """Called after each commit of a writer."""
        ...

    def notify_workers(self) -> None: ...
    def on_work(self, callback: Callable[[], None]) -> None: ...
    def close(self) -> None: ...


class Database:
    """A path is SQLite's file, a text PostgreSQL's URL."""

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
        """Where it is, for people: without a password."""
        return self._kind.place

    def version(self, of: str = "") -> int | None:
        """A number that differs whenever anybody, in whatever process, has committed a change; None if it cannot be
        told now. It waits for nobody and takes microseconds. `of` names what is counted (ids.count_change): then other
        changes do not matter."""
        return self._kind.version(of)

    def change_count(self) -> int | None:
        """A number that differs soon after anybody, in whatever process, has written something; None if it cannot be
        told now. For whoever polls, not for caches: on PostgreSQL it comes some milliseconds after the commit."""
        return self._kind.change_count()

    def notify_workers(self) -> None:
        """There is a job to claim: wake the workers of other machines, where the database can."""
        self._kind.notify_workers()

    def on_work(self, callback: Callable[[], None]) -> None:
        """Call it when another process has called notify_workers()."""
        self._kind.on_work(callback)

    @contextmanager
    def reading(self) -> Generator[Transaction]:
        with self._begin(self._reader, is_writing=False) as tx:
            yield tx

    @contextmanager
    def writing(self, project_id: int | None = None) -> Generator[Transaction]:
        """Nobody else writes in this project meanwhile, nor, without a project, anywhere in the stack. On SQLite it is
        always the latter. One that takes long is in the log, with who held it.

        With a project, only rows of this project are changed, and what is read of others may change meanwhile.
        """
        with self._kind.turn():
            held = _Held()
            try:
                with self._begin(self._writer, project_id) as tx:
                    held = _Held()
                    yield tx
            finally:
                # 0 is this function, 1 is contextlib's, 2 is the one with the block.
                held.tell(sys._getframe(2).f_code)  # pyright: ignore[reportPrivateUsage]
        self._kind.send_change()

    @contextmanager
    def unlocked(self) -> Generator[Transaction]:
        """Only for rows that nobody else reads or changes at the same time."""
        with self._kind.turn(), self._begin(self._unlocked) as tx:
            yield tx

    @contextmanager
    def claiming(self) -> Generator[Transaction]:
        """Only for taking a job: whatever is read here, another may be changing. Nothing else is written."""
        with self._kind.turn(), self._begin(self._claimer) as tx:
            yield tx

    def close(self) -> None:
        self._kind.close()
        self.engine.dispose()

    @contextmanager
    def _begin(
        self, engine: Engine, project_id: int | None = None, *, is_writing: bool = True
    ) -> Generator[Transaction]:
        try:
            with _connect(engine, project_id) as (connection, begun):
                yield Transaction(connection, is_writing=is_writing)
                self._kind.commit(connection, begun)
        except DBAPIError as error:
            explained = self._kind.explain(error)
            if not explained:
                raise
            # What the user can fix is nothing to wake the operator for.
            if isinstance(explained, DatabaseUnavailable):
                log.error("the database cannot be used", reason=str(error.orig), place=self.place)
            raise explained from error
        except PoolTimeout as error:
            log.error("the database cannot be used", reason="every connection is in use", place=self.place)
            raise DatabaseUnavailable(UNUSABLE) from error


@contextmanager
def _connect(engine: Engine, project_id: int | None) -> Generator[tuple[Connection, RootTransaction]]:
    """A transaction that has begun. A connection that was lost in the pool is replaced: nothing was asked of it yet."""
    with _open_connection(engine, project_id) as connection:
        begun = _try_to_begin(connection)
        if begun:
            with begun:
                yield connection, begun
            return
    with _open_connection(engine, project_id) as connection, connection.begin() as begun:
        yield connection, begun


def _open_connection(engine: Engine, project_id: int | None) -> Connection:
    """Told which project it writes in, before it begins."""
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
    """How long a transaction was held, and how much of that was work: the rest is waiting for a slow machine."""

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
    # Imported only where it is used: its driver is an extra.
    from penstock.foundation.database.postgresql import PostgreSQL

    return PostgreSQL(place)
