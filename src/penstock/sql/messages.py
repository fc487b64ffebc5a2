"""The messages between a service and an engine process: MessagePack in frames with their length before them."""

from __future__ import annotations

import socket
import struct
from collections.abc import Generator
from typing import Any, Literal, TypeVar, cast

import msgspec

from penstock.sql.errors import Position
from penstock.sql.models import FileFormat, Limits, Names, Statement

T = TypeVar("T")
MAX_BYTES = 256 * 1024 * 1024
_LENGTH = struct.Struct(">I")
_CHUNK = 1024 * 1024


class Setup(msgspec.Struct, frozen=True, kw_only=True):
    """What an engine process is started with."""

    database: str
    schema: str
    tables: str
    """The folder of links to files of project tables."""
    listener: int
    """The descriptor of the socket."""
    limits: Limits


class Hello(msgspec.Struct, frozen=True):
    """The first message of a connection, from the engine: it is ready."""

    pid: int


class TableView(msgspec.Struct, frozen=True, kw_only=True):
    """A project table as files."""

    schema: str
    name: str
    sql: str
    """The query over its files."""


class _Request(msgspec.Struct, frozen=True, tag=True):
    pass


class Execute(_Request, frozen=True):
    statement: Statement


class TablesGiven(_Request, frozen=True):
    """The answer to TablesNeeded."""

    views: list[TableView]


class Cancel(_Request, frozen=True):
    statement_id: str


class EndSession(_Request, frozen=True):
    """Its temporary tables are gone, and an open transaction is rolled back."""

    session_id: str


class CheckVariables(_Request, frozen=True):
    """Find the first `$name` in statements of Snowflake that has no value when they run in this order."""

    session_id: str
    statements: list[str]
    needs_session: bool = False
    """As that of a statement."""


class ReadPage(_Request, frozen=True):
    statement_id: str
    offset: int
    limit: int


class ReadEncoded(_Request, frozen=True):
    """Rows of a result as messages of the PostgreSQL protocol."""

    statement_id: str
    offset: int
    limit: int
    formats: list[bool]
    """Of each column: whether it is in binary."""


class Export(_Request, frozen=True):
    """Write a result, or an own table, to a file."""

    file: str
    """The name of the file in the folder of exports."""
    format: FileFormat
    statement_id: str = ""
    table: str = ""
    gzip: bool = False
    has_header: bool = True


class LoadTable(_Request, frozen=True):
    """Fill an own table."""

    id: str
    target: str
    sql: str
    """The query for its rows."""
    mode: Literal["copy", "clone", "view"]
    views: list[TableView] = []
    """Those that the query uses."""
    incremental: bool = False
    overwrite: bool = False
    primary_key: tuple[str, ...] = ()


class ListObjects(_Request, frozen=True):
    """The tables and views of the own schema."""


class ListClones(_Request, frozen=True):
    """The folders of links that views of the own schema read."""


class DropObjects(_Request, frozen=True):
    """Drop tables and views of the own schema."""

    names: list[str] | None
    """All if None."""


class Stop(_Request, frozen=True):
    """End the process."""


Request = (
    Execute
    | TablesGiven
    | Cancel
    | EndSession
    | CheckVariables
    | ReadPage
    | ReadEncoded
    | Export
    | LoadTable
    | ListObjects
    | ListClones
    | DropObjects
    | Stop
)


class _Response(msgspec.Struct, frozen=True, tag=True):
    pass


class Done(_Response, frozen=True):
    result: msgspec.Raw


class TablesNeeded(_Response, frozen=True):
    names: Names


class Failed(_Response, frozen=True):
    """An error, by the name of its class in `penstock.sql.errors`."""

    kind: str
    message: str = ""
    position: Position | None = None
    seconds: float = 0
    subject: str = ""
    """The name that the error is about."""
    error_code: str = ""
    sql_state: str = ""


class Refused(msgspec.Struct, frozen=True):
    """A statement that cannot run, by its number from 0. CheckVariables has a list of at most one as its result."""

    number: int
    failure: Failed


Response = Done | TablesNeeded | Failed


class ConnectionLost(Exception):
    """The other side is gone."""


class MessageTooLarge(ConnectionLost):
    """It was skipped: the connection can be used further."""


def send(line: socket.socket, message: Any) -> None:
    content = msgspec.msgpack.encode(message)
    try:
        line.sendall(_LENGTH.pack(len(content)) + content)
    except ConnectionError as error:
        raise ConnectionLost from error


def receive_request(line: socket.socket) -> Request:
    return _receive(line, cast("type[Request]", Request))


def receive_response(line: socket.socket) -> Response:
    return _receive(line, cast("type[Response]", Response))


def receive_hello(line: socket.socket) -> Hello:
    return _receive(line, Hello)


def _receive(line: socket.socket, kind: type[T]) -> T:
    (length,) = _LENGTH.unpack(_read(line, _LENGTH.size))
    if length > MAX_BYTES:
        for _ in _read_pieces(line, length):
            pass
        raise MessageTooLarge
    return msgspec.msgpack.decode(_read(line, length), type=kind)


def _read(line: socket.socket, length: int) -> bytes:
    content = bytearray()
    for piece in _read_pieces(line, length):
        content += piece
    return bytes(content)


def _read_pieces(line: socket.socket, length: int) -> Generator[bytes]:
    while length:
        try:
            piece = line.recv(min(length, _CHUNK))
        except ConnectionError as error:
            raise ConnectionLost from error
        if not piece:
            raise ConnectionLost
        length -= len(piece)
        yield piece
