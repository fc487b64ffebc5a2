"""PostgreSQL: a server shared by many processes on many machines.

Writers of one project wait for each other, as all writers do with SQLite: each begins by taking a lock of its project
(`pg_advisory_xact_lock`). A writer for several projects, or for none, takes the lock that all writers share
exclusively. Every writer takes the shared lock first and at most one other after it, so there are no deadlocks. Only
claiming a job takes none of these locks.
"""

from __future__ import annotations

import select
import time
from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager
from typing import Any

from sqlalchemy import URL, Connection, Engine, RootTransaction, Text, create_engine, event, make_url, text
from sqlalchemy.exc import (
    ArgumentError,
    DataError,
    DBAPIError,
    DisconnectionError,
    InterfaceError,
    InternalError,
    OperationalError,
)
from sqlalchemy.ext.compiler import compiles

from penstock.foundation.database.columns import decode_json
from penstock.foundation.database.errors import (
    DAMAGED,
    FULL,
    UNKNOWN,
    UNUSABLE,
    DatabaseUnavailable,
    Unstorable,
)
from penstock.foundation.database.group_commit import Begin
from penstock.foundation.errors import AppError, Invalid

WRITERS = 0x70656E73746F636B
"""The lock that all writers share: an arbitrary number. That of a project is this number and the project's together."""
BUSY_SECONDS = 20
IDLE_SECONDS = 15
"""A process that stops in the middle of a transaction loses it before waiting writers time out."""
SURE_SECONDS = 10.0

_DISK_FULL, _CORRUPTED = "53100", ("XX001", "XX002")
_NOT_OURS = ("42501", "42P01", "42703")
"""No right to it, no such table, no such column: the schema is not the one that this program makes."""
_BEGIN = "SELECT pg_current_xact_id()::text FROM (SELECT {}) AS held"
_BEGIN_ALONE = _BEGIN.format(f"pg_advisory_xact_lock({WRITERS})")
_BEGIN_IN_PROJECT = _BEGIN.format(
    f"pg_advisory_xact_lock_shared({WRITERS}), pg_advisory_xact_lock({WRITERS} + %s::bigint)"
)
_STATUS = text("SELECT pg_xact_status(CAST(CAST(:number AS text) AS xid8))")
_SESSION = {
    "timezone": "UTC",
    "lock_timeout": f"{BUSY_SECONDS}s",
    "idle_in_transaction_session_timeout": f"{IDLE_SECONDS}s",
}
_CONNECTING = {"connect_timeout": 10, "tcp_user_timeout": 30_000, "application_name": "penstock"}


class PostgreSQL:
    # As with SQLite, readers see one snapshot and change nothing.
    reading: Mapping[str, Any] = {"isolation_level": "REPEATABLE READ", "postgresql_readonly": True}
    writing: Mapping[str, Any] = {"writing": True}
    unlocked: Mapping[str, Any] = {}
    claiming: Mapping[str, Any] = {}
    # They wait for the server. Each needs a connection of the pool.
    readers, writers = 20, 20

    def __init__(self, address: str) -> None:
        url = read_url(address)
        self.place = url.set(drivername="postgresql").render_as_string(hide_password=True)
        self.engine = _open(url)
        # After the engine, whose error says how to install the driver.
        from penstock.foundation.database.notifications import Notifications

        _, connect_with = self.engine.dialect.create_connect_args(url)
        self._notifications = Notifications({**connect_with, **_connect_args()})

    @contextmanager
    def write(self, begin: Begin, *, is_alone: bool, project_id: int | None) -> Generator[Connection]:
        """The server serializes writers of a project, and groups their commits."""
        with begin() as (connection, begun):
            yield connection
            self._commit(connection, begun)

    def version(self, of: str = "") -> None:
        """Return None: it would take a round trip to the server, and the caller may be the event loop. Notifications
        are too late for this: a revoked token would be accepted for another millisecond."""

    def change_count(self) -> int | None:
        return self._notifications.change_count()

    def send_change(self) -> None:
        self._notifications.send_change()

    def notify_workers(self, service_id: str) -> None:
        self._notifications.send_work(service_id)

    def on_work(self, callback: Callable[[str], None]) -> None:
        self._notifications.on_work(callback)

    def close(self) -> None:
        self._notifications.close()

    def _commit(self, connection: Connection, begun: RootTransaction) -> None:
        """If the connection is lost meanwhile, the outcome is unknown; then the server is asked for it."""
        number = connection.info.pop("number", None)
        try:
            begun.commit()
        except DBAPIError as error:
            if not error.connection_invalidated or not number:
                raise
            is_committed = self._is_committed(number)
            if is_committed is None:
                raise DatabaseUnavailable(UNKNOWN) from error
            if not is_committed:
                raise

    def explain(self, error: DBAPIError) -> AppError | None:
        state = getattr(error.orig, "sqlstate", None)
        if isinstance(error, DataError):
            return Unstorable()
        if state in _CORRUPTED:
            return DatabaseUnavailable(DAMAGED)
        if state in _NOT_OURS or isinstance(error, OperationalError | InternalError | InterfaceError):
            return DatabaseUnavailable(FULL if state == _DISK_FULL else UNUSABLE)
        return None

    def _is_committed(self, number: str) -> bool | None:
        """The outcome of a transaction; None if it cannot be found out soon."""
        deadline = time.monotonic() + SURE_SECONDS
        while time.monotonic() < deadline:
            status = self._read_status(number)
            if status in ("committed", "aborted"):
                return status == "committed"
            time.sleep(0.1)
        return None

    def _read_status(self, number: str) -> str | None:
        try:
            with self.engine.connect() as connection:
                return connection.execute(_STATUS, {"number": number}).scalar()
        except DBAPIError:
            return None


def read_url(address: str) -> URL:
    try:
        url = make_url(address)
    except (ArgumentError, ValueError):
        # Without the original message, which contains the password.
        raise Invalid("The setting `database` is not a URL like postgresql://user@host:5432/name.") from None
    return url.set(drivername="postgresql+psycopg")


def _open(url: URL) -> Engine:
    try:
        engine = create_engine(
            url,
            pool_size=20,
            max_overflow=40,
            pool_timeout=BUSY_SECONDS,
            hide_parameters=True,
            json_deserializer=decode_json,
            connect_args=_connect_args(),
        )
    except ModuleNotFoundError as error:
        raise Invalid("For PostgreSQL its driver is missing. Install it: pip install 'penstock[cluster]'") from error
    event.listen(engine, "checkout", _check)
    event.listen(engine, "begin", _begin)
    return engine


def _connect_args() -> dict[str, Any]:
    return {**_CONNECTING, "options": " ".join(f"-c {name}={value}" for name, value in _SESSION.items())}


def _check(connection: Any, _record: object, _proxy: object) -> None:
    """No request fails because the server was restarted. This costs no round trip: a server that shuts down sends a
    message, so there is something to read although nothing was sent."""
    waiting = select.poll()
    waiting.register(connection.fileno(), select.POLLIN)
    if waiting.poll(0):
        raise DisconnectionError


def _begin(connection: Connection) -> None:
    options = connection.get_execution_options()
    if not options.get("writing"):
        return
    project_id = options.get("project_id")
    begin, values = (_BEGIN_IN_PROJECT, (project_id,)) if project_id else (_BEGIN_ALONE, ())
    connection.info["number"] = connection.exec_driver_sql(begin, values).scalar()


@compiles(Text, "postgresql")
def write_text(type_: Text, compiler: Any, **words: Any) -> str:
    """Columns sort by code point, as SQLite's do: the stores query ranges of names. Not so in expressions."""
    written: str = compiler.visit_TEXT(type_, **words)
    return f'{written} COLLATE "C"' if words.get("type_expression") is not None and not type_.collation else written
