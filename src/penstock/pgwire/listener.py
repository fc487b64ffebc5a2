"""The SQL port: accepts connections within limits, logs clients in, and cancels statements of other connections."""

from __future__ import annotations

import asyncio
import itertools
import secrets
import socket
import ssl
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import Any

from penstock.foundation.admission import Admission, ServerFull, is_loopback, network_of
from penstock.foundation.errors import AppError, Unauthorized
from penstock.foundation.logging import Log
from penstock.foundation.memory_shares import MemoryShares
from penstock.foundation.stack import Stack
from penstock.pgwire import responses
from penstock.pgwire.connection import Connection
from penstock.pgwire.errors import (
    NO_DATABASE,
    NO_LOGIN,
    SYSTEM,
    TOO_MANY,
    WRONG_PASSWORD,
    ConnectionRefused,
)
from penstock.pgwire.execution import Credentials, Execution
from penstock.pgwire.handshake import (
    VERSION,
    Cancel,
    Startup,
    Streams,
    close_streams,
    open_streams,
    read_first,
    read_startup,
)
from penstock.pgwire.pending_logins import PendingLogins
from penstock.pgwire.settings import Settings

log = Log("sql port")

MAX_SQL_CONNECTIONS = 200
PER_WORKSPACE, PER_PROJECT = 40, 100
"""Fewer than the sessions that an engine keeps, and half of all: the rest is for other projects."""
MESSAGES_BYTES = (256 * 1024 * 1024, 64 * 1024 * 1024)
"""The memory of messages that are not complete, or not handled: of all together, and of one project."""
MAX_LOGINS, LOGINS_PER_ADDRESS = 50, 10
"""Connections that have not logged in yet; those of one address where the limit per address applies to it."""
FIRST_SECONDS = 3.0
"""For the first bytes, which clients send at once."""
LOGIN_SECONDS = 20.0
FAILED_SECONDS = 1.0
"""How long a client waits for the refusal of a wrong password."""
ACCEPT_PAUSE, CLOSE_SECONDS, STOP_SECONDS = 0.1, 5.0, 5.0


class SqlListener:
    """`find_context` returns the certificate to present; None if the stack has none."""

    def __init__(
        self,
        stack: Stack,
        sockets: list[socket.socket],
        find_context: Callable[[], ssl.SSLContext | None],
        admission: Admission,
    ) -> None:
        self._stack, self._sockets, self._find_context, self._admission = stack, sockets, find_context, admission
        self._threads = ThreadPoolExecutor(admission.most + MAX_LOGINS, "sql port")
        self.connections: dict[Cancel, Connection] = {}
        self._workspaces, self._projects, self.logins = Counter[int](), Counter[int](), Counter[str]()
        self._memory = MemoryShares(*MESSAGES_BYTES)
        self._pending = PendingLogins()
        self._numbers = itertools.count(1)
        self._accepting: list[asyncio.Task[None]] = []
        self._clients = set[asyncio.Task[None]]()

    def start(self) -> None:
        for sock in self._sockets:
            sock.setblocking(False)
            self._accepting.append(asyncio.ensure_future(self._accept(sock)))

    async def stop(self) -> None:
        """Statements that run are canceled."""
        for task in self._accepting:
            task.cancel()
        for connection in list(self.connections.values()):
            connection.stop()
        if self._clients:
            await asyncio.wait(self._clients, timeout=STOP_SECONDS)
        for task in list(self._clients):
            task.cancel()
        for sock in self._sockets:
            sock.close()
        self._threads.shutdown(wait=False, cancel_futures=True)

    async def _accept(self, sock: socket.socket) -> None:
        while True:
            try:
                client, address = await asyncio.get_running_loop().sock_accept(sock)
            except OSError as error:
                log.warning("accept of a connection failed", reason=str(error))
                await asyncio.sleep(ACCEPT_PAUSE)
                continue
            client.setblocking(False)
            task = asyncio.ensure_future(self._admit(client, address[0]))
            self._clients.add(task)
            task.add_done_callback(self._clients.discard)

    async def _admit(self, client: socket.socket, address: str) -> None:
        if refusal := await self._find_refusal(address):
            with suppress(OSError), client:
                client.send(responses.error("FATAL", TOO_MANY, refusal.message))
            return
        try:
            await self._serve(client, address)
        except (OSError, EOFError, TimeoutError):
            pass  # the client is gone, or was too slow
        except Exception as error:
            log.error("connection failed", exception=error)
        finally:
            self._admission.leave(address)

    async def _find_refusal(self, address: str) -> AppError | None:
        if await self._make_room(address):
            return self._admission.enter(address)
        self._admission.note_refused(address)
        return ServerFull()

    async def _make_room(self, address: str) -> bool:
        """Whether one more may log in. If too many have not yet, one that the stack waits for makes way."""
        network = network_of(address)
        is_full = self.logins.total() >= MAX_LOGINS or self._admission.is_full
        if is_full and not await self._pending.end_oldest():
            return False
        has_room = not self._admission.limits(address) or self.logins[network] < LOGINS_PER_ADDRESS
        return has_room or await self._pending.end_oldest(network)

    async def _serve(self, client: socket.socket, address: str) -> None:
        network = network_of(address)
        self.logins[network] += 1
        try:
            async with asyncio.timeout(LOGIN_SECONDS):
                with self._pending.waiting_for(network):
                    first = await read_first(client, FIRST_SECONDS)
                    self._pending.note_heard()
                    streams, head = await open_streams(client, first, self._find_context(), LOGIN_SECONDS)
                    with streams.aborted_on_error():
                        welcomed = await self._welcome(streams, head, address)
        finally:
            self.logins[network] -= 1
            self.logins += Counter()  # without those that are 0
        try:
            if welcomed:
                await self._serve_client(*welcomed)
        finally:
            await close_streams(streams.writer, CLOSE_SECONDS)

    async def _welcome(self, streams: Streams, head: bytes, address: str) -> tuple[Cancel, Connection] | None:
        """Return None if there is nothing more to do with this connection."""
        try:
            startup = await read_startup(streams, head)
            if isinstance(startup, Cancel):
                self._cancel(startup)
                return None
            execution = await self._log_in(streams, startup, address)
        except ConnectionRefused as error:
            streams.writer.write(responses.error("FATAL", error.sqlstate, error.message))
            return None
        settings = Settings.of(startup.parameters, execution.workspace.user, execution.workspace.schema)
        key = Cancel(next(self._numbers) & 0x7FFFFFFF, secrets.randbits(32))
        streams.writer.write(_greeting(startup, settings, key))
        return key, Connection(streams, execution, settings, self._in_thread, self._memory)

    async def _log_in(self, streams: Streams, startup: Startup, address: str) -> Execution:
        wanted = startup.parameters
        if not streams.is_secure and not is_loopback(address):
            raise ConnectionRefused(NO_LOGIN, self._explain_tls())
        credentials = Credentials(wanted.get("user", ""), await streams.ask_password())
        self._pending.forget()
        try:
            execution: Execution = await self._in_thread(Execution, self._stack, credentials)
        except Unauthorized as error:
            await asyncio.sleep(FAILED_SECONDS)
            raise ConnectionRefused(WRONG_PASSWORD, error.message) from error
        except AppError as error:
            raise ConnectionRefused(SYSTEM, error.message) from error
        _check_database(wanted, execution)
        if self._workspaces[execution.workspace.id] >= PER_WORKSPACE:
            raise ConnectionRefused(TOO_MANY, f"The workspace has {PER_WORKSPACE} connections. Close some first.")
        if self._projects[execution.project_id] >= PER_PROJECT:
            raise ConnectionRefused(TOO_MANY, f"The project has {PER_PROJECT} connections. Close some first.")
        return execution

    def _explain_tls(self) -> str:
        how = "sslmode=require" if self._find_context() else "sslmode=require, and the stack with --https"
        return f"Connections from other machines need TLS: use {how}."

    async def _serve_client(self, key: Cancel, connection: Connection) -> None:
        workspace_id, project_id = connection.workspace_id, connection.execution.project_id
        self.connections[key] = connection
        self._workspaces[workspace_id] += 1
        self._projects[project_id] += 1
        try:
            await connection.serve()
        finally:
            del self.connections[key]
            self._workspaces[workspace_id] -= 1
            self._projects[project_id] -= 1
            self._workspaces += Counter()  # without those that are 0
            self._projects += Counter()

    def _cancel(self, key: Cancel) -> None:
        """Cancel its statement. There is no response, whether there is such a connection or not."""
        if connection := self.connections.get(key):
            self._in_thread(connection.cancel)

    def _in_thread(self, work: Callable[..., Any], *values: Any) -> asyncio.Future[Any]:
        return asyncio.get_running_loop().run_in_executor(self._threads, work, *values)


def _greeting(startup: Startup, settings: Settings, key: Cancel) -> bytes:
    unknown = [name for name in startup.parameters if name.startswith("_pq_.")]
    is_newer = startup.version != VERSION or unknown
    return b"".join(
        [
            responses.negotiate_version(unknown) if is_newer else b"",
            responses.AUTHENTICATED,
            *(responses.parameter_status(*each) for each in settings.reported().items()),
            responses.backend_key(key.process, key.secret),
            responses.ready("I"),
        ]
    )


def _check_database(startup: dict[str, str], execution: Execution) -> None:
    """Clients that name no database send the name of the user."""
    workspace, name = execution.workspace, startup.get("database", "")
    if name.upper() not in ("", workspace.user.upper(), workspace.database.upper()):
        raise ConnectionRefused(
            NO_DATABASE, f'There is no database "{name}" for this user. Its name is {workspace.database}.'
        )
    if startup.get("replication", "false") not in ("false", "off", "no", "0"):
        raise ConnectionRefused(NO_LOGIN, "Replication is not supported.")
