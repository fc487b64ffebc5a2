"""The beginning of a connection: TLS, the startup message and the password."""

from __future__ import annotations

import asyncio
import select
import socket
import ssl
import struct
from collections.abc import Callable, Generator
from contextlib import contextmanager
from typing import NamedTuple

from penstock.pgwire import responses
from penstock.pgwire.errors import PROTOCOL, TOO_MUCH, ConnectionRefused, ProtocolViolation
from penstock.pgwire.requests import Password, Request, parse_request, parse_startup

STARTUP_BYTES, PIECE_BYTES = 10_000, 256 * 1024
VERSION, CANCEL, TLS, GSS = 3 << 16, 80877102, 80877103, 80877104
_ENDED = getattr(select, "POLLRDHUP", 0)
"""The event of a socket whose other side has ended; 0 where the system has none (macOS)."""
_HEAD = struct.Struct(">II")
_TOO_MUCH = "The large messages of this project take too much memory at the moment: send fewer at a time."


class Cancel(NamedTuple):
    """A request to stop the statement of another connection, which is known by these."""

    process: int
    secret: int


class Startup(NamedTuple):
    version: int
    parameters: dict[str, str]


class Streams(NamedTuple):
    reader: asyncio.StreamReader
    writer: asyncio.StreamWriter
    is_secure: bool

    @contextmanager
    def aborted_on_error(self) -> Generator[None]:
        try:
            yield
        except BaseException:
            self.writer.transport.abort()
            raise

    @property
    def is_left(self) -> bool:
        """Whether the client has ended the connection, even if messages that it sent before are not read yet."""
        if self.writer.is_closing() or self.reader.at_eof():
            return True
        sock = self.writer.get_extra_info("socket")
        if not _ENDED or sock is None or sock.fileno() < 0:
            return False
        poll = select.poll()
        poll.register(sock.fileno(), _ENDED)
        return bool(poll.poll(0))

    async def receive(self, most_bytes: int, has_room: Callable[[int], bool] = lambda _size: True) -> Request:
        """The next message; raises IncompleteReadError at the end of the connection. `has_room` is asked for each piece
        of it."""
        kind = await self.reader.readexactly(1)
        (length,) = struct.unpack(">I", await self.reader.readexactly(4))
        if not 4 <= length <= most_bytes:
            raise ProtocolViolation(f"it has {length} bytes, and the limit is {most_bytes}")
        content, left, fits = bytearray(), length - 4, True
        while left:
            size = min(left, PIECE_BYTES)
            fits = fits and has_room(size)
            piece = await self.reader.readexactly(size)
            if fits:
                content += piece
            else:
                content.clear()  # the rest is read all the same: otherwise the client would not see the error
            left -= size
        if not fits:
            raise ConnectionRefused(TOO_MUCH, _TOO_MUCH)
        return parse_request(kind, bytes(content))

    async def ask_password(self) -> str:
        self.writer.write(responses.ASK_PASSWORD)
        response = await self.receive(STARTUP_BYTES)
        if not isinstance(response, Password):
            raise ProtocolViolation("a password is expected")
        return response.text


async def read_first(sock: socket.socket, seconds: float) -> bytes:
    """The first bytes of a client; raises TimeoutError if they do not come."""
    try:
        async with asyncio.timeout(seconds):
            return await _receive(sock, _HEAD.size)
    except BaseException:
        sock.close()
        raise


async def open_streams(
    sock: socket.socket, first: bytes, context: ssl.SSLContext | None, seconds: float
) -> tuple[Streams, bytes]:
    """The connection, with TLS if the client asks for it, and the first bytes of its startup message.

    Nothing is read in advance: bytes that someone else has sent before TLS begins must not count as the client's.
    """
    try:
        head = await _negotiate(sock, first, context is not None)
    except BaseException:
        sock.close()
        raise
    if head:
        return await _wrap(sock, None, seconds), head
    streams = await _wrap(sock, context, seconds)
    with streams.aborted_on_error():
        return streams, await streams.reader.readexactly(_HEAD.size)


async def _negotiate(sock: socket.socket, head: bytes, has_tls: bool) -> bytes | None:
    """The first bytes of the startup message; None if TLS comes first."""
    for _ in range(2):
        length, code = _HEAD.unpack(head)
        if length != _HEAD.size or code not in (TLS, GSS):
            break
        is_accepted = code == TLS and has_tls
        await asyncio.get_running_loop().sock_sendall(sock, b"S" if is_accepted else b"N")
        if is_accepted:
            return None
        head = await _receive(sock, _HEAD.size)
    return head


async def _receive(sock: socket.socket, length: int) -> bytes:
    content = b""
    while len(content) < length:
        piece = await asyncio.get_running_loop().sock_recv(sock, length - len(content))
        if not piece:
            raise asyncio.IncompleteReadError(content, length)
        content += piece
    return content


async def _wrap(sock: socket.socket, context: ssl.SSLContext | None, seconds: float) -> Streams:
    loop = asyncio.get_running_loop()
    reader = asyncio.StreamReader()
    protocol = asyncio.StreamReaderProtocol(reader)
    limits = {"ssl_handshake_timeout": seconds} if context else {}
    transport, _ = await loop.connect_accepted_socket(lambda: protocol, sock, ssl=context, **limits)
    return Streams(reader, asyncio.StreamWriter(transport, protocol, reader, loop), context is not None)


async def close_streams(writer: asyncio.StreamWriter, seconds: float) -> None:
    """What was written is sent, unless the client does not read it."""
    writer.close()
    try:
        async with asyncio.timeout(seconds):
            await writer.wait_closed()
    except (OSError, TimeoutError):
        writer.transport.abort()


async def read_startup(streams: Streams, head: bytes) -> Startup | Cancel:
    length, code = _HEAD.unpack(head)
    if not _HEAD.size <= length <= STARTUP_BYTES:
        raise ProtocolViolation("the startup message has a wrong length")
    content = await streams.reader.readexactly(length - _HEAD.size)
    if code == CANCEL:
        if len(content) != _HEAD.size:
            raise ProtocolViolation("the cancel request has a wrong length")
        return Cancel(*_HEAD.unpack(content))
    if code >> 16 != VERSION >> 16:
        raise ConnectionRefused(PROTOCOL, "Only version 3 of the PostgreSQL protocol is supported.")
    return Startup(code, parse_startup(content))
