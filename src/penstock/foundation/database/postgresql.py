"""PostgreSQL: a server that many processes on many machines share.

Writers wait for each other here too: each begins by taking one lock of the database (`pg_advisory_xact_lock`), so that
whatever was written for SQLite's single writer stays right. Only claiming a job does without it.
"""

from __future__ import annotations

import select
import time
from collections.abc import Mapping
from contextlib import AbstractContextManager, nullcontext
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

from penstock.foundation.database.errors import (
    DAMAGED,
    FULL,
    UNKNOWN,
    UNUSABLE,
    DatabaseUnavailable,
    Unstorable,
)
from penstock.foundation.errors import AppError, Invalid

WRITERS = 0x70656E73746F636B
"""The lock that writers take: any number will do, if only all take the same."""
BUSY_SECONDS = 20
IDLE_SECONDS = 15
"""A process that stops in the middle of a transaction loses it before those who wait for it give up."""
SURE_SECONDS = 10.0

_DISK_FULL, _CORRUPTED = "53100", ("XX001", "XX002")
_NOT_OURS = ("42501", "42P01", "42703")
"""No right to it, no such table, no such column: the schema is not the one that this program makes."""
_BEGIN = f"SELECT pg_current_xact_id()::text FROM (SELECT pg_advisory_xact_lock({WRITERS})) AS held"
_STATUS = text("SELECT pg_xact_status(CAST(CAST(:number AS text) AS xid8))")
_SESSION = {
    "timezone": "UTC",
    "lock_timeout": f"{BUSY_SECONDS}s",
    "idle_in_transaction_session_timeout": f"{IDLE_SECONDS}s",
}
_CONNECTING = {"connect_timeout": 10, "tcp_user_timeout": 30_000, "application_name": "penstock"}


class PostgreSQL:
    # As with SQLite, who reads sees one state and changes nothing.
    reading: Mapping[str, Any] = {"isolation_level": "REPEATABLE READ", "postgresql_readonly": True}
    writing: Mapping[str, Any] = {"writing": True}
    claiming: Mapping[str, Any] = {}

    def __init__(self, address: str) -> None:
        url = read_url(address)
        self.place = url.set(drivername="postgresql").render_as_string(hide_password=True)
        self.engine = _open(url)

    def turn(self) -> AbstractContextManager[None]:
        """The server lets them take turns."""
        return nullcontext()

    def version(self, of: str = "") -> None:
        """Never told: asking takes a trip to the server, and whoever asks may be the event loop."""

    def close(self) -> None:
        """Nothing but the engine is open."""

    def commit(self, connection: Connection, begun: RootTransaction) -> None:
        """A connection that is lost meanwhile leaves open whether it was done; then the server is asked again."""
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
        """What became of a transaction; None if that cannot be found out soon."""
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
        # Without its own words: they would show the password.
        raise Invalid("The setting `database` is not a URL like postgresql://user@host:5432/name.") from None
    return url.set(drivername="postgresql+psycopg")


def _open(url: URL) -> Engine:
    options = " ".join(f"-c {name}={value}" for name, value in _SESSION.items())
    try:
        engine = create_engine(
            url,
            pool_size=20,
            max_overflow=40,
            pool_timeout=BUSY_SECONDS,
            hide_parameters=True,
            connect_args={**_CONNECTING, "options": options},
        )
    except ModuleNotFoundError as error:
        raise Invalid("For PostgreSQL its driver is missing. Install it: pip install 'penstock[cluster]'") from error
    event.listen(engine, "checkout", _check)
    event.listen(engine, "begin", _begin)
    return engine


def _check(connection: Any, _record: object, _proxy: object) -> None:
    """After a restart of the server no request fails for it. Costs no trip: a server that goes says so, and then there
    is something to read although nothing was asked."""
    waiting = select.poll()
    waiting.register(connection.fileno(), select.POLLIN)
    if waiting.poll(0):
        raise DisconnectionError


def _begin(connection: Connection) -> None:
    if connection.get_execution_options().get("writing"):
        connection.info["number"] = connection.exec_driver_sql(_BEGIN).scalar()


@compiles(Text, "postgresql")
def write_text(type_: Text, compiler: Any, **words: Any) -> str:
    """Columns sort by code point, as SQLite's do: the stores ask for ranges of names. Not so in expressions."""
    written: str = compiler.visit_TEXT(type_, **words)
    return f'{written} COLLATE "C"' if words.get("type_expression") is not None and not type_.collation else written
