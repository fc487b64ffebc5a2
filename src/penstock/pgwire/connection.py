"""One client, from its password to its end."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any

from penstock.foundation.errors import AppError
from penstock.foundation.logging import Log
from penstock.foundation.memory_shares import Held, MemoryShares
from penstock.pgwire import requests, responses
from penstock.pgwire.errors import IDLE, INTERNAL, SHUTDOWN, ClientError, ConnectionRefused, find_sqlstate
from penstock.pgwire.execution import Execution
from penstock.pgwire.handshake import Streams
from penstock.pgwire.session import Session
from penstock.pgwire.settings import Settings

log = Log("sql port")

MESSAGE_BYTES, UNCOUNTED_BYTES = 32 * 1024 * 1024, 16_000
IDLE_SECONDS = 4 * 3600.0
"""How long a client may stay without a message."""
WRITE_SECONDS = 120.0
"""How long a client may take to read a piece of a result."""
LARGE_PIECE = 256 * 1024
"""A piece of a result of so many bytes takes a while to send."""
LOOK_SECONDS = 0.5
"""How often it is checked whether the client of a running statement is still there."""
_INTERNAL = "The stack could not run this, through no fault of yours. Its operator finds the reason in the log."

InThread = Callable[..., "asyncio.Future[Any]"]


class Connection:
    def __init__(
        self, streams: Streams, execution: Execution, settings: Settings, in_thread: InThread, memory: MemoryShares
    ) -> None:
        """`memory` is that of the messages of all connections."""
        self._streams, self.execution, self._in_thread = streams, execution, in_thread
        self._message = Held(memory, execution.project_id, UNCOUNTED_BYTES)
        self._session = Session(execution, settings)
        self._is_skipping = False
        """After an error, until the client synchronizes."""
        self._is_in_query = False
        """Whether a simple query waits for the data of its COPY."""
        self._is_stopped = False

    @property
    def workspace_id(self) -> int:
        return self.execution.workspace.id

    def cancel(self) -> None:
        """Blocks."""
        self.execution.cancel()

    def stop(self) -> None:
        """The server stops."""
        self._is_stopped = True
        self._streams.writer.write(responses.error("FATAL", SHUTDOWN, "The server stops."))
        self._streams.writer.close()

    async def serve(self) -> None:
        """Serve the client until it ends the connection, or breaks the rules."""
        with suppress(OSError, EOFError, TimeoutError):
            try:
                await self._serve()
            except ConnectionRefused as error:
                await self._send(_to_message("FATAL", error))
            finally:
                self._message.end()
        await self._in_thread(self._session.close)

    async def _serve(self) -> None:
        while not self._is_stopped:
            request = await self._receive()
            if isinstance(request, requests.Terminate):
                return
            await self._handle(request)
            self._message.end()

    async def _receive(self) -> requests.Request:
        try:
            async with asyncio.timeout(IDLE_SECONDS):
                return await self._streams.receive(MESSAGE_BYTES, self._message.grow)
        except TimeoutError as error:
            message = f"The connection was idle for {IDLE_SECONDS:g} s, and is closed."
            raise ConnectionRefused(IDLE, message) from error

    async def _handle(self, request: requests.Request) -> None:
        is_sync, is_query = isinstance(request, requests.Sync), isinstance(request, requests.Query) or self._is_in_query
        if self._is_skipping and not is_sync:
            return
        failed = await self._try(self._session.respond(request))
        if failed:
            await self._in_thread(self._session.fail)  # it rolls back, which may wait for the engine
            await self._send(_to_message("ERROR", failed))
        self._is_skipping = failed is not None and not is_sync and not is_query
        self._is_in_query = is_query and self._session.is_copying
        if (is_query and not self._is_in_query) or (failed and is_sync):
            await self._send(self._session.synchronize())

    async def _try(self, pieces: Iterator[bytes]) -> ClientError | None:
        """Send all, or as much as there is before an error."""
        try:
            await self._send_all(pieces)
        except (ConnectionRefused, OSError):
            raise
        except ClientError as error:
            return error
        except AppError as error:
            return ClientError(find_sqlstate(error), error.message)
        except Exception as error:
            log.error("message of a client failed", exception=error)
            raise ConnectionRefused(INTERNAL, _INTERNAL) from error
        return None

    async def _send_all(self, pieces: Iterator[bytes]) -> None:
        """While a large piece is sent, the next one is made."""
        piece = await self._next(pieces)
        while piece is not None:
            if len(piece) < LARGE_PIECE:
                await self._send(piece)
                piece = await self._next(pieces)
                continue
            coming = asyncio.ensure_future(self._next(pieces))
            try:
                await self._send(piece)
            except BaseException:
                await asyncio.wait({coming})
                coming.exception()  # the connection ends, whatever it was
                raise
            piece = await coming

    async def _next(self, pieces: Iterator[bytes]) -> bytes | None:
        return await self._run(lambda: next(pieces, None))

    async def _run(self, work: Callable[[], bytes | None]) -> bytes | None:
        """Run the work in a thread. If the client goes away meanwhile, or the server stops, the statement is
        canceled."""
        running, is_left = self._in_thread(work), False
        while not (await asyncio.wait({running}, timeout=LOOK_SECONDS))[0]:
            if is_left := self._streams.is_left:
                await asyncio.to_thread(self.cancel)
        if is_left:
            running.exception()  # nobody is told
            raise ConnectionResetError
        try:
            return running.result()
        except OSError as error:  # not of this connection, which is not used in threads
            log.error("statement of a client failed", exception=error)
            raise ConnectionRefused(INTERNAL, _INTERNAL) from error

    async def _send(self, content: bytes) -> None:
        if not content:
            return
        self._streams.writer.write(content)
        async with asyncio.timeout(WRITE_SECONDS):
            await self._streams.writer.drain()


def _to_message(severity: str, error: ClientError) -> bytes:
    return responses.error(severity, error.sqlstate, error.message, error.position)
