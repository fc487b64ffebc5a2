"""PostgreSQL's LISTEN and NOTIFY: a process is notified of changes by others, instead of polling for them.

Each process has one connection and one thread for this, started on first use. A notification is sent after the commit
that it is about, not in its transaction: PostgreSQL serializes the commits of transactions that notify, and each waits
for the disk. A process that is killed in between has committed without a notification, so waiting code still polls now
and then (ChangePoller).

A lost connection is reestablished; until then change_count() is None, which means: poll.
"""

from __future__ import annotations

import select
import socket
import threading
import time
from collections.abc import Callable, Mapping
from contextlib import closing, suppress
from typing import Any, TypeAlias

import psycopg

from penstock.foundation.logging import Log

log = Log("database")

CHANNEL = "penstock_changes"
CHANGED, WORK = "changed", "work of "
SEND_SECONDS = 0.005
"""Changes within this time are sent together: many small writes cost other processes few notifications."""
PING_SECONDS = 10.0
RETRY_SECONDS = 0.5

_SEND = f"SELECT pg_notify('{CHANNEL}', %s)"

Connection: TypeAlias = psycopg.Connection[tuple[Any, ...]]
OnWork: TypeAlias = Callable[[str], None]
"""Called with the id of the service that has a job to claim."""


class Notifications:
    """Sends notifications of this process's writes, and receives those of others."""

    def __init__(self, connect_with: Mapping[str, Any]) -> None:
        self._connect_with = connect_with
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None
        self._closing = threading.Event()
        self._pending: set[str] = set()
        self._callbacks: list[OnWork] = []
        self._count, self._is_listening = 0, False

    def change_count(self) -> int | None:
        """A number that grows when any process has written something; None while notifications are not received."""
        self._ensure_started()
        return self._count if self._is_listening else None

    def send_change(self) -> None:
        """Notify that this process has committed something. It is visible here immediately, to others in a few
        milliseconds."""
        self._count_change()
        self._send_soon(CHANGED)

    def send_work(self, service_id: str) -> None:
        """There is a job of the service to claim."""
        self._send_soon(f"{WORK}{service_id}")

    def on_work(self, callback: OnWork) -> None:
        """Register a function to call, in the notification thread, whenever any process has called send_work()."""
        self._callbacks.append(callback)
        self._ensure_started()

    def close(self) -> None:
        """Pending notifications are sent, if there is a connection."""
        with self._lock:
            self._closing.set()
        if self._thread:
            self._wake()
            self._thread.join()
            self._reader.close()
            self._writer.close()

    def _count_change(self) -> None:
        with self._lock:
            self._count += 1

    def _send_soon(self, payload: str) -> None:
        with self._lock:
            self._pending.add(payload)
        self._ensure_started()
        self._wake()

    def _wake(self) -> None:
        # Without blocking: the caller may be the event loop, and a full buffer wakes the thread as well.
        with suppress(OSError):
            self._writer.send(b"!", socket.MSG_DONTWAIT)

    def _ensure_started(self) -> None:
        if self._thread:
            return
        with self._lock:
            if not self._thread and not self._closing.is_set():
                self._reader, self._writer = socket.socketpair()
                thread = threading.Thread(target=self._run, name="notifications", daemon=True)
                thread.start()
                self._thread = thread

    def _run(self) -> None:
        while not self._closing.is_set():
            try:
                with closing(self._connect()) as connection:
                    self._exchange(connection)
            except (psycopg.Error, OSError) as error:
                if self._is_listening:
                    log.warning("notifications of the database are lost; polling meanwhile", reason=str(error))
            self._is_listening = False
            self._closing.wait(RETRY_SECONDS)

    def _connect(self) -> Connection:
        connection: Connection = psycopg.connect(**self._connect_with, autocommit=True)
        # For notifications that arrive with the result of another statement.
        connection.add_notify_handler(lambda each: self._receive(connection, each.pid, each.payload))
        # A notification need not be durable, so its commit does not wait for the disk.
        connection.execute("SET synchronous_commit = off")
        connection.execute(f"LISTEN {CHANNEL}")
        return connection

    def _exchange(self, connection: Connection) -> None:
        """Runs until the connection is lost or closed."""
        # Changes before this moment may have been missed.
        self._count_change()
        self._is_listening = True
        waiting = select.poll()
        waiting.register(connection.fileno(), select.POLLIN)
        waiting.register(self._reader, select.POLLIN)
        while True:
            self._drain()
            self._send(connection)
            self._read(connection)
            if self._closing.is_set():
                return
            if not waiting.poll(PING_SECONDS * 1000):
                # A server that vanished silently is noticed only by sending something to it.
                connection.execute("SELECT 1")

    def _drain(self) -> None:
        """Clear the flag before sending, so that no notification is left behind."""
        with suppress(BlockingIOError):
            self._reader.recv(4096, socket.MSG_DONTWAIT)

    def _send(self, connection: Connection) -> None:
        with self._lock:
            # CHANGED first: a woken worker must already see that something is new.
            pending, self._pending = sorted(self._pending), set()
        try:
            for payload in pending:
                connection.execute(_SEND, (payload,))
        except psycopg.Error:
            with self._lock:
                self._pending.update(pending)
            raise
        if pending:
            time.sleep(SEND_SECONDS)

    def _read(self, connection: Connection) -> None:
        server = connection.pgconn
        server.consume_input()
        while each := server.notifies():
            self._receive(connection, each.be_pid, each.extra.decode())

    def _receive(self, connection: Connection, sender: int, payload: str) -> None:
        if payload == CHANGED and sender != connection.pgconn.backend_pid:
            self._count_change()
        elif payload.startswith(WORK):
            for callback in self._callbacks:
                callback(payload.removeprefix(WORK))
