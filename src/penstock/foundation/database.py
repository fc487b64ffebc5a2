"""The metadata database: one engine, and transactions that commit when their block ends.

A writing transaction begins as one (`BEGIN IMMEDIATE`), so that two writers wait for each other instead of failing
halfway. Nothing slow happens inside: no tables, files, processes or HTTP.
"""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, TypeVar, cast

import msgspec
from sqlalchemy import Connection, DateTime, Dialect, Engine, Executable, MetaData, create_engine, event
from sqlalchemy.exc import DatabaseError, OperationalError
from sqlalchemy.types import TypeDecorator

from penstock.foundation.errors import Unavailable
from penstock.foundation.logging import Log

T = TypeVar("T")

metadata = MetaData()
"""Every table of every service; migrations/ is what makes them."""

BUSY_SECONDS = 20

_UNUSABLE = "The stack's database cannot be used now. Try again; the operator finds why in the log."
_FULL = "The stack's database cannot be used now: the disk is full. Nothing was changed; try again when there is room."
_DAMAGED = "The stack's database is damaged. The operator finds more in the log, and restores it from a backup."

log = Log("database")


class Moment(TypeDecorator[datetime]):
    """A time in UTC; databases keep it without its zone."""

    impl = DateTime
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        return value.astimezone(UTC).replace(tzinfo=None) if value else None

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        return value.replace(tzinfo=UTC) if value else None


class DatabaseUnavailable(Unavailable):
    """The database cannot take this now: locked for too long, or the disk is full. Nothing was changed."""


def _unavailable(error: DatabaseError, sentence: str, path: Path) -> DatabaseUnavailable:
    """What the engine says holds SQL and paths, so it is for the operator's log alone."""
    log.error("the database cannot be used", reason=str(error.orig), path=str(path))
    return DatabaseUnavailable(sentence)


class Transaction:
    """Asks questions and makes changes; whoever opened it commits."""

    def __init__(self, connection: Connection) -> None:
        self.connection = connection

    def one(self, question: Executable, into: type[T]) -> T | None:
        row = self.connection.execute(question).mappings().first()
        return into(**_fields(row)) if row else None

    def all(self, question: Executable, into: type[T]) -> list[T]:
        return [into(**_fields(row)) for row in self.connection.execute(question).mappings()]

    def converted(self, question: Executable, into: type[T]) -> list[T]:
        """As all(), for rows with documents inside that are structs themselves."""
        found = self.connection.execute(question).mappings()
        return [msgspec.convert({str(name): value for name, value in row.items()}, into) for row in found]

    def value(self, question: Executable) -> Any:
        return self.connection.execute(question).scalar()

    def change(self, statement: Executable, rows: list[dict[str, Any]] | None = None) -> int:
        """Execute and return how many rows were changed."""
        return self.connection.execute(statement, rows).rowcount


class Database:
    def __init__(self, path: Path) -> None:
        self.path = path
        self.engine = _open_sqlite(path)
        self._watch = Watch(path)

    def version(self) -> int | None:
        """A number that differs whenever anybody, in whatever process, has committed a change; None if it cannot be
        told now. It waits for nobody and takes microseconds."""
        return self._watch.version()

    @contextmanager
    def reading(self) -> Generator[Transaction]:
        with self._begin({}) as tx:
            yield tx

    @contextmanager
    def writing(self) -> Generator[Transaction]:
        with self._begin({"writing": True}) as tx:
            yield tx

    def close(self) -> None:
        self._watch.close()
        self.engine.dispose()

    @contextmanager
    def _begin(self, options: dict[str, Any]) -> Generator[Transaction]:
        try:
            with self.engine.connect().execution_options(**options) as connection, connection.begin():
                yield Transaction(connection)
        except OperationalError as error:
            raise _unavailable(error, _FULL if "disk is full" in str(error.orig) else _UNUSABLE, self.path) from error
        except DatabaseError as error:
            # This very class and none below it: what SQLite raises when the file is not what it was.
            if type(error.orig) is not sqlite3.DatabaseError:
                raise
            raise _unavailable(error, _DAMAGED, self.path) from error


class Watch:
    """A connection that only watches: SQLite tells each connection whether others have changed the file since."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._connection: sqlite3.Connection | None = None
        self._is_closed = False
        self._lock = threading.Lock()

    def version(self) -> int | None:
        with self._lock:
            # Never a second connection: it would count from the beginning, and reach old numbers again.
            if self._is_closed:
                return None
            try:
                self._connection = self._connection or self._open()
                return self._connection.execute("PRAGMA data_version").fetchone()[0]
            except sqlite3.Error:
                return None

    def close(self) -> None:
        with self._lock:
            self._is_closed = True
            if self._connection:
                self._connection.close()

    def _open(self) -> sqlite3.Connection:
        # No waiting: whoever asks may be the event loop, which nobody else can do without.
        uri = f"{self._path.absolute().as_uri()}?mode=rw"
        return sqlite3.connect(uri, uri=True, timeout=0, check_same_thread=False, isolation_level=None)


def _fields(row: Mapping[Any, Any]) -> dict[str, Any]:
    return cast(dict[str, Any], dict(row))


def _open_sqlite(path: Path) -> Engine:
    engine = create_engine(
        f"sqlite:///{path}", pool_size=20, max_overflow=40, hide_parameters=True, connect_args={"timeout": BUSY_SECONDS}
    )
    event.listen(engine, "connect", _prepare_sqlite)
    event.listen(engine, "begin", _begin_sqlite)
    return engine


def _prepare_sqlite(connection: sqlite3.Connection, _record: object) -> None:
    # None: transactions are ours to begin; the driver would begin a deferred one, which can fail on its first write.
    connection.isolation_level = None
    connection.execute("PRAGMA journal_mode = WAL")
    # FULL: what was committed survives a power cut. NORMAL does not promise that.
    connection.execute("PRAGMA synchronous = FULL")
    connection.execute("PRAGMA foreign_keys = ON")


def _begin_sqlite(connection: Connection) -> None:
    writing = connection.get_execution_options().get("writing")
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writing else "BEGIN")
