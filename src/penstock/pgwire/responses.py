"""Messages to clients, as bytes."""

from __future__ import annotations

import struct
from collections.abc import Iterable, Sequence
from typing import NamedTuple

NO_DATA, PARSE_COMPLETE, BIND_COMPLETE = b"n\0\0\0\4", b"1\0\0\0\4", b"2\0\0\0\4"
CLOSE_COMPLETE, EMPTY_QUERY, PORTAL_SUSPENDED = b"3\0\0\0\4", b"I\0\0\0\4", b"s\0\0\0\4"
COPY_DONE = b"c\0\0\0\4"
AUTHENTICATED = b"R\0\0\0\x08\0\0\0\0"
ASK_PASSWORD = b"R\0\0\0\x08\0\0\0\3"
"""In clear text."""
_NULL = b"\xff\xff\xff\xff"


class Field(NamedTuple):
    """A column of a result."""

    name: str
    type: int
    size: int
    """In bytes; -1 if it varies."""
    modifier: int = -1
    """Such as the precision of a number."""


def message(kind: bytes, content: bytes) -> bytes:
    return kind + struct.pack(">I", len(content) + 4) + content


def text(value: str) -> bytes:
    return value.replace("\0", "").encode("utf-8", "backslashreplace") + b"\0"


def ready(status: str) -> bytes:
    """`status` of the transaction: I for none, T for an open one, E for a failed one."""
    return message(b"Z", status.encode())


def parameter_status(name: str, value: str) -> bytes:
    return message(b"S", text(name) + text(value))


def backend_key(process: int, secret: int) -> bytes:
    return message(b"K", struct.pack(">II", process, secret))


def negotiate_version(unknown: Sequence[str]) -> bytes:
    """Version 3.0, and the options of the client that are not supported."""
    return message(b"v", struct.pack(">II", 0, len(unknown)) + b"".join(map(text, unknown)))


def parameter_description(types: Sequence[int]) -> bytes:
    return message(b"t", struct.pack(f">H{len(types)}I", len(types), *types))


def row_description(fields: Sequence[Field], formats: Sequence[int]) -> bytes:
    described = b"".join(
        text(field.name) + struct.pack(">IhIhih", 0, 0, field.type, field.size, field.modifier, form)
        for field, form in zip(fields, formats, strict=True)
    )
    return message(b"T", struct.pack(">H", len(fields)) + described)


def data_row(values: Iterable[bytes | None]) -> bytes:
    parts = [_NULL if value is None else struct.pack(">I", len(value)) + value for value in values]
    return message(b"D", struct.pack(">H", len(parts)) + b"".join(parts))


def copy_response(kind: bytes, *, is_binary: bool, columns: int) -> bytes:
    """`H` before data to the client, `G` before data of it."""
    return message(kind, struct.pack(f">bH{columns}h", is_binary, columns, *[int(is_binary)] * columns))


def copy_data(content: bytes) -> bytes:
    return message(b"d", content)


def command_complete(tag: str) -> bytes:
    return message(b"C", text(tag))


def error(severity: str, sqlstate: str, sentence: str, position: int | None = None) -> bytes:
    return message(b"E", _report(severity, sqlstate, sentence, position))


def notice(sqlstate: str, sentence: str) -> bytes:
    return message(b"N", _report("WARNING", sqlstate, sentence, None))


def _report(severity: str, sqlstate: str, sentence: str, position: int | None) -> bytes:
    fields = {"S": severity, "V": severity, "C": sqlstate, "M": sentence}
    if position is not None:
        fields["P"] = str(position)
    return b"".join(name.encode() + text(value) for name, value in fields.items()) + b"\0"
