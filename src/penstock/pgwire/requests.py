"""Messages of clients, parsed strictly: whatever is not well formed is a ProtocolViolation."""

from __future__ import annotations

import struct
from collections.abc import Callable
from typing import NamedTuple

from penstock.pgwire.errors import ProtocolViolation


class Query(NamedTuple):
    text: str


class Parse(NamedTuple):
    name: str
    text: str
    types: list[int]


class Bind(NamedTuple):
    portal: str
    statement: str
    formats: list[int]
    values: list[bytes | None]
    result_formats: list[int]


class Describe(NamedTuple):
    kind: str
    """`S` for a prepared statement, `P` for a portal."""
    name: str


class Execute(NamedTuple):
    portal: str
    most_rows: int
    """0: all."""


class Close(NamedTuple):
    kind: str
    name: str


class Password(NamedTuple):
    text: str


class Flush(NamedTuple):
    pass


class Sync(NamedTuple):
    pass


class Terminate(NamedTuple):
    pass


class CopyData(NamedTuple):
    """Of a COPY; ignored without one, as what is left over of a COPY that has failed."""

    content: bytes


class CopyDone(NamedTuple):
    pass


class CopyFail(NamedTuple):
    reason: str


class Unsupported(NamedTuple):
    kind: str


CopyMessage = CopyData | CopyDone | CopyFail
Request = (
    Query | Parse | Bind | Describe | Execute | Close | Password | Flush | Sync | Terminate | CopyMessage | Unsupported
)


class Fields:
    """The content of a message, read from its beginning."""

    def __init__(self, content: bytes) -> None:
        self._content, self._position = content, 0

    def text(self) -> str:
        end = self._content.find(b"\0", self._position)
        if end < 0:
            raise ProtocolViolation("a text in a message does not end")
        piece, self._position = self._content[self._position : end], end + 1
        try:
            return piece.decode()
        except UnicodeDecodeError as error:
            raise ProtocolViolation("a text in a message is not valid UTF-8") from error

    def take(self, length: int) -> bytes:
        piece = self._content[self._position : self._position + length]
        if length < 0 or len(piece) != length:
            raise ProtocolViolation("a message is shorter than it says")
        self._position += length
        return piece

    def number(self, form: str) -> int:
        return struct.unpack(form, self.take(struct.calcsize(form)))[0]

    def numbers(self, form: str) -> list[int]:
        """Read numbers with their count before them."""
        return [self.number(form) for _ in range(self._count())]

    def values(self) -> list[bytes | None]:
        return [self._value() for _ in range(self._count())]

    def letter(self, allowed: str) -> str:
        found = chr(self.take(1)[0])
        if found not in allowed:
            raise ProtocolViolation(f"a message has the letter {found!r} instead of one of {allowed}")
        return found

    def end(self) -> None:
        if self._position != len(self._content):
            raise ProtocolViolation("a message is longer than it says")

    def _count(self) -> int:
        return self.number(">H")

    def _value(self) -> bytes | None:
        length = self.number(">i")
        return None if length == -1 else self.take(length)


def parse_request(kind: bytes, content: bytes) -> Request:
    """The message of this type, with what follows its length."""
    fields = Fields(content)
    if kind == b"d":
        return CopyData(content)
    read = _READERS.get(kind)
    if not read:
        return Unsupported(kind.decode("ascii", "backslashreplace"))
    request = read(fields)
    fields.end()
    return request


def _read_bind(fields: Fields) -> Bind:
    return Bind(fields.text(), fields.text(), fields.numbers(">h"), fields.values(), fields.numbers(">h"))


_READERS: dict[bytes, Callable[[Fields], Request]] = {
    b"Q": lambda fields: Query(fields.text()),
    b"P": lambda fields: Parse(fields.text(), fields.text(), fields.numbers(">I")),
    b"B": _read_bind,
    b"D": lambda fields: Describe(fields.letter("SP"), fields.text()),
    b"E": lambda fields: Execute(fields.text(), fields.number(">i")),
    b"C": lambda fields: Close(fields.letter("SP"), fields.text()),
    b"p": lambda fields: Password(fields.text()),
    b"H": lambda _: Flush(),
    b"S": lambda _: Sync(),
    b"X": lambda _: Terminate(),
    b"c": lambda _: CopyDone(),
    b"f": lambda fields: CopyFail(fields.text()),
}


def parse_startup(content: bytes) -> dict[str, str]:
    """The parameters of a startup message, from behind its version."""
    fields, found = Fields(content), dict[str, str]()
    while name := fields.text():
        found[name] = fields.text()
    fields.end()
    return found
