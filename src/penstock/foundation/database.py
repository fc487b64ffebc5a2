"""The metadata database: one engine, and transactions that commit when their block ends.

A writing transaction begins as one (`BEGIN IMMEDIATE`), so that two writers wait for each other instead of failing
halfway. Nothing slow happens inside: no tables, files, processes or HTTP.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, TypeVar, cast

from sqlalchemy import Connection, DateTime, Dialect, Engine, Executable, MetaData, create_engine, event
from sqlalchemy.exc import DatabaseError, OperationalError
from sqlalchemy.types import TypeDecorator

from penstock.foundation.errors import Unavailable

T = TypeVar("T")

metadata = MetaData()
"""Every table of every service; migrations/ is what makes them."""

BUSY_SECONDS = 20


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


class Transaction:
    """Asks questions and makes changes; whoever opened it commits."""

    def __init__(self, connection: Connection) -> None:
        self.connection = connection

    def one(self, question: Executable, into: type[T]) -> T | None:
        row = self.connection.execute(question).mappings().first()
        return into(**_fields(row)) if row else None

    def all(self, question: Executable, into: type[T]) -> list[T]:
        return [into(**_fields(row)) for row in self.connection.execute(question).mappings()]

    def value(self, question: Executable) -> Any:
        return self.connection.execute(question).scalar()

    def change(self, statement: Executable, rows: list[dict[str, Any]] | None = None) -> int:
        """Execute and return how many rows were changed."""
        return self.connection.execute(statement, rows).rowcount


class Database:
    def __init__(self, path: Path) -> None:
        self.path = path
        self.engine = _open_sqlite(path)

    @contextmanager
    def reading(self) -> Generator[Transaction]:
        with self._begin({}) as tx:
            yield tx

    @contextmanager
    def writing(self) -> Generator[Transaction]:
        with self._begin({"writing": True}) as tx:
            yield tx

    def close(self) -> None:
        self.engine.dispose()

    @contextmanager
    def _begin(self, options: dict[str, Any]) -> Generator[Transaction]:
        try:
            with self.engine.connect().execution_options(**options) as connection, connection.begin():
                yield Transaction(connection)
        except OperationalError as error:
            raise DatabaseUnavailable(f"The stack's database cannot be used now: {error.orig}. Try again.") from error
        except DatabaseError as error:
            # This very class and none below it: what SQLite raises when the file is not what it was.
            if type(error.orig) is not sqlite3.DatabaseError:
                raise
            raise DatabaseUnavailable(f"{self.path} is damaged ({error.orig}). Restore it from a backup.") from error


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
