"""An API in the event loop of the run that asks it: when the run ends, nothing of it is left on its way.

A server with threads may still read what a cancelled run has sent when the next one has begun.
"""

from __future__ import annotations

import asyncio
import io
import socket
from collections.abc import Awaitable, Callable
from contextlib import suppress
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from penstock.extractor.base.log import Log
from penstock.extractor.run import extract
from penstock.foundation.redaction import Redactor
from tests.support.api import Response, Seen

Script = Callable[[Seen], Awaitable[Response]]


class LoopApi:
    """Has one address for all runs, which belong to one configuration; listens only during a run."""

    def __init__(self) -> None:
        self._holder = _bound(0)
        self._port: int = self._holder.getsockname()[1]
        self.url = f"http://127.0.0.1:{self._port}"

    def close(self) -> None:
        self._holder.close()

    def extract(self, document: dict[str, Any], out: Path, script: Script, told: io.StringIO | None = None) -> None:
        """A run against the script. Raises UserError, or CancelledError if `stop` was called."""
        asyncio.run(self._extract(document, out, script, Log(told or io.StringIO(), Redactor())))

    def stop(self) -> None:
        """Interrupt the run; to be called from its script."""
        self._run.cancel()

    async def _extract(self, document: dict[str, Any], out: Path, script: Script, log: Log) -> None:
        async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            with suppress(ConnectionError, asyncio.IncompleteReadError):
                while await _exchange(reader, writer, script):
                    pass
            writer.close()

        listening = _bound(self._port)
        listening.listen(200)
        server = await asyncio.start_server(serve, sock=listening)
        self._run = asyncio.create_task(extract(document, {}, out, log))
        try:
            await self._run
        finally:
            server.close()


async def _exchange(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, script: Script) -> bool:
    """Whether the connection stays open."""
    head = await reader.readuntil(b"\r\n\r\n")
    method, target, _version = head.split(b"\r\n")[0].decode().split(" ")
    address = urlsplit(target)
    response = await script(Seen(method, address.path, address.query, {}, b""))
    headers = {"Content-Length": str(len(response.body)), **response.headers}
    lines = [f"HTTP/1.1 {response.status} Said", *(f"{name}: {value}" for name, value in headers.items()), "", ""]
    writer.write("\r\n".join(lines).encode() + response.body[: response.cut])
    await writer.drain()
    return response.cut is None


def _bound(port: int) -> socket.socket:
    """Several sockets may be bound to one port; one that does not listen only reserves it."""
    bound = socket.socket()
    bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
    bound.bind(("127.0.0.1", port))
    return bound
