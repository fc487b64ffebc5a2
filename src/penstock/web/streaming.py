"""Bodies too large for memory: from the socket to a file, and from a file to the socket, a chunk at a time.

Disks are slow, so they have threads of their own: neither other requests nor the event loop wait for them.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping
from typing import Any, BinaryIO, Protocol, TypeVar

from anyio import CapacityLimiter, to_thread
from anyio.lowlevel import RunVar
from starlette.requests import Request as HttpRequest
from starlette.responses import StreamingResponse
from starlette.types import Receive, Scope, Send

from penstock.web.bodies import BodyTooLarge
from penstock.web.ranges import Span
from penstock.web.request_threads import current_queue

T = TypeVar("T")

PIECE = 1 << 20
"""Large enough that handing it to a thread costs nothing compared to what is done with it there."""
DISK_THREADS = 16

_threads: RunVar[CapacityLimiter] = RunVar("penstock.disk_threads")


class Writable(Protocol):
    def write(self, chunks: list[bytes]) -> None: ...


async def on_disk(work: Callable[..., T], *args: Any) -> T:
    """Do what waits for a disk, or for the database, in a thread: that of the request if it is anonymous."""
    if queue := current_queue():
        return await queue.run(work, *args)
    try:
        threads = _threads.get()
    except LookupError:
        threads = CapacityLimiter(DISK_THREADS)
        _threads.set(threads)
    return await to_thread.run_sync(work, *args, limiter=threads)


class _Writer:
    """Writes one piece while the next one arrives."""

    def __init__(self, target: Writable) -> None:
        self._target = target
        self._task: asyncio.Task[None] | None = None

    async def write(self, chunks: list[bytes]) -> None:
        await self.finish()
        self._task = asyncio.create_task(on_disk(self._target.write, chunks))

    async def finish(self) -> None:
        """Wait for what was begun; raises its error."""
        task, self._task = self._task, None
        if task:
            await task


async def receive_body(http: HttpRequest, target: Writable, limit: int) -> None:
    """Write a body to where it goes; raises BodyTooLarge as soon as that is known. When this raises, what was begun has
    been written too."""
    announced = http.headers.get("content-length", "")
    size = int(announced) if announced.isdecimal() else 0
    if size > limit:
        raise BodyTooLarge(limit)
    writer = _Writer(target)
    try:
        await _write_pieces(http, writer, limit)
    finally:
        await writer.finish()


async def _write_pieces(http: HttpRequest, writer: _Writer, limit: int) -> None:
    gathered, waiting, received = list[bytes](), 0, 0
    async for chunk in http.stream():
        gathered.append(chunk)
        waiting, received = waiting + len(chunk), received + len(chunk)
        if received > limit:
            raise BodyTooLarge(limit)
        if waiting >= PIECE:
            await writer.write(gathered)
            gathered, waiting = [], 0
    await writer.write(gathered)


class FileStream(StreamingResponse):
    """A part of an open file, which is closed when it was sent or the client has disconnected."""

    def __init__(self, file: BinaryIO, span: Span, status_code: int, headers: Mapping[str, str]) -> None:
        self._file, self._span = file, span
        super().__init__(self._read(), status_code, {**headers, "content-length": str(span.size)})

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            await super().__call__(scope, receive, send)
        finally:
            self._file.close()

    async def _read(self) -> AsyncIterator[bytes]:
        self._file.seek(self._span.start)
        left = self._span.size
        while left and (piece := await on_disk(self._file.read, min(PIECE, left))):
            left -= len(piece)
            yield piece
