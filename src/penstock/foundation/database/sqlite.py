"""SQLite: a file in the data folder, one writer at a time.

A writing transaction begins as one (`BEGIN IMMEDIATE`): a deferred one fails on its first write if another one has
written since its first read. Writers of one process queue for their turn and may share a commit (group_commit.py); they
poll every millisecond whether another process is done: SQLite itself would sleep for up to a tenth of a second.

A claim is not synced to disk: a power failure ends the worker too, and then the job should be unclaimed. Later writes
do not reach the disk without it.
"""

from __future__ import annotations

import sqlite3
import threading
import time
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Engine, create_engine, event
from sqlalchemy.dialects.sqlite.base import SQLiteCompiler
from sqlalchemy.exc import DatabaseError, DBAPIError, OperationalError

from penstock.foundation.database.columns import decode_json
from penstock.foundation.database.errors import DAMAGED, FULL, UNUSABLE, DatabaseUnavailable
from penstock.foundation.database.group_commit import Begin, GroupCommit
from penstock.foundation.files.ballast import Ballast

BUSY_SECONDS = 20
LOOK_SECONDS = 0.001


class Sqlite:
    reading: Mapping[str, Any] = {}
    writing: Mapping[str, Any] = {"writing": True}
    unlocked: Mapping[str, Any] = writing
    claiming: Mapping[str, Any] = {"writing": True, "synchronous": "NORMAL"}
    # Reading is work of this process: more threads only compete for the interpreter. Writers mostly wait for each
    # other, and those that wait share a commit.
    readers, writers = 4, 8

    def __init__(self, path: Path) -> None:
        self.place = str(path)
        self.engine = _open(path)
        self._watch = Watch(path)
        self._commits = GroupCommit(BUSY_SECONDS, self.place)
        self._ballast = Ballast(path.parent)

    def write(self, begin: Begin, *, is_alone: bool, project_id: int | None) -> AbstractContextManager[Connection]:
        # On a full disk: requests that must be refused were refused before.
        self._ballast.ensure_room()
        return self._commits.write(begin, is_alone=is_alone, project_id=project_id)

    def version(self, of: str = "") -> int | None:
        return self._watch.version(of)

    def change_count(self) -> int | None:
        return self._watch.version()

    def send_change(self) -> None:
        """Nothing to do: other processes poll the file."""

    def notify_workers(self, service_id: str) -> None:
        """Nothing to do: the stack wakes the workers on this machine."""

    def on_work(self, callback: Callable[[str], None]) -> None:
        """Never called: there are no workers on other machines."""

    def close(self) -> None:
        self._watch.close()

    def explain(self, error: DBAPIError) -> DatabaseUnavailable | None:
        if isinstance(error, OperationalError):
            return DatabaseUnavailable(FULL if "disk is full" in str(error.orig) else UNUSABLE)
        # Exactly this class, not a subclass: SQLite raises it when the file was damaged or replaced.
        is_damaged = isinstance(error, DatabaseError) and type(error.orig) is sqlite3.DatabaseError
        return DatabaseUnavailable(DAMAGED) if is_damaged else None


class Watch:
    """A connection that only polls for changes: SQLite reports to each connection whether others have changed the
    file."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._connection: sqlite3.Connection | None = None
        self._is_closed = False
        self._lock = threading.Lock()
        self._counted: dict[str, tuple[int, int]] = {}
        """The counters by name, with the version of the file they were read at."""

    def version(self, of: str = "") -> int | None:
        with self._lock:
            # Never a second connection: it would count from the beginning, and repeat old numbers.
            if self._is_closed:
                return None
            try:
                self._connection = self._connection or self._open()
                version: int = self._connection.execute("PRAGMA data_version").fetchone()[0]
                return self._count(self._connection, of, version) if of else version
            except sqlite3.Error:
                return None

    def _count(self, connection: sqlite3.Connection, of: str, version: int) -> int | None:
        known, value = self._counted.get(of, (None, None))
        if known == version:
            return value
        # The table is that of ids.py.
        row = connection.execute("SELECT value FROM foundation_sequences WHERE name = ?", (of,)).fetchone()
        if row:
            self._counted[of] = version, row[0]
        return row[0] if row else None

    def close(self) -> None:
        with self._lock:
            self._is_closed = True
            if self._connection:
                self._connection.close()

    def _open(self) -> sqlite3.Connection:
        # No waiting: the caller may be the event loop.
        uri = f"{self._path.absolute().as_uri()}?mode=rw"
        return sqlite3.connect(uri, uri=True, timeout=0, check_same_thread=False, isolation_level=None)


class _Compiler(SQLiteCompiler):
    """Writes `NOT x`, not `x = 0`: a partial index on `NOT x` is used only for the same expression."""

    def visit_is_false_unary_operator(self, element: Any, operator: Any, **options: Any) -> str:
        return f"NOT {self.process(element.element, **options)}"


def _open(path: Path) -> Engine:
    engine = create_engine(
        f"sqlite:///{path}",
        pool_size=20,
        max_overflow=40,
        hide_parameters=True,
        json_deserializer=decode_json,
        connect_args={"timeout": BUSY_SECONDS},
    )
    engine.dialect.statement_compiler = _Compiler
    event.listen(engine, "connect", _prepare)
    event.listen(engine, "begin", _begin)
    return engine


def _prepare(connection: sqlite3.Connection, _record: object) -> None:
    # None: we begin transactions ourselves; the driver would begin a deferred one, which can fail on its first write.
    connection.isolation_level = None
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA foreign_keys = ON")


def _begin(connection: Connection) -> None:
    options = connection.get_execution_options()
    if not options.get("writing"):
        connection.exec_driver_sql("BEGIN")
        return
    # FULL: committed data survives a power failure. NORMAL does not guarantee that.
    connection.exec_driver_sql(f"PRAGMA synchronous = {options.get('synchronous', 'FULL')}")
    connection.exec_driver_sql("PRAGMA busy_timeout = 0")
    try:
        _begin_writing(connection)
    finally:
        connection.exec_driver_sql(f"PRAGMA busy_timeout = {BUSY_SECONDS * 1000}")


def _begin_writing(connection: Connection) -> None:
    driver = connection.connection.dbapi_connection
    assert driver
    deadline = time.monotonic() + BUSY_SECONDS
    while time.monotonic() < deadline:
        try:
            driver.cursor().execute("BEGIN IMMEDIATE")
        except sqlite3.Error as error:
            # The last byte: busy for any reason.
            if getattr(error, "sqlite_errorcode", 0) & 0xFF != sqlite3.SQLITE_BUSY:
                break
            time.sleep(LOOK_SECONDS)
        else:
            return
    # Any other error is raised by SQLAlchemy on the next statement.
    connection.exec_driver_sql("BEGIN IMMEDIATE")
