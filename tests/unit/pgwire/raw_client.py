"""A client that sends bytes, as no driver would."""

from __future__ import annotations

import socket
import struct
from collections.abc import Iterator
from types import TracebackType
from typing import Self

from tests.support.patience import PATIENCE
from tests.unit.pgwire.sql_server import Login, SqlServer

SSL_REQUEST = struct.pack(">II", 8, 80877103)


def message(kind: bytes, content: bytes = b"") -> bytes:
    return kind + struct.pack(">I", len(content) + 4) + content


def startup(**parameters: str) -> bytes:
    pairs = b"".join(f"{name}\0{value}\0".encode() for name, value in parameters.items()) + b"\0"
    return struct.pack(">II", len(pairs) + 8, 3 << 16) + pairs


class RawClient:
    def __init__(self, server: SqlServer) -> None:
        self.line = socket.create_connection(("127.0.0.1", server.port), PATIENCE)

    def send(self, content: bytes) -> None:
        self.line.sendall(content)

    def log_in(self, login: Login) -> tuple[int, int]:
        """The process and the secret that a cancel request needs."""
        self.send(startup(user=login.user, database=login.database))
        self.send(message(b"p", login.password.encode() + b"\0"))
        found = dict(self.until_ready())
        return struct.unpack(">II", found[b"K"])

    def until_ready(self) -> list[tuple[bytes, bytes]]:
        found: list[tuple[bytes, bytes]] = []
        for each in self.messages():
            found.append(each)
            if each[0] == b"Z":
                break
        return found

    def messages(self) -> Iterator[tuple[bytes, bytes]]:
        """Until the server ends the connection."""
        while kind := self.line.recv(1):
            (length,) = struct.unpack(">I", self._read(4))
            yield kind, self._read(length - 4)

    def _read(self, length: int) -> bytes:
        content = b""
        while len(content) < length:
            piece = self.line.recv(length - len(content))
            assert piece
            content += piece
        return content

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.line.close()


def code_of(content: bytes) -> str:
    """The SQLSTATE of an error."""
    return next(field[1:].decode() for field in content.split(b"\0") if field.startswith(b"C"))
