"""COPY … TO STDOUT: the rows of a query, in messages of data."""

from __future__ import annotations

import struct
from collections.abc import Iterator

from penstock.pgwire import responses
from penstock.pgwire.copy.lines import Row, write_line
from penstock.pgwire.copy.statement import Copy
from penstock.pgwire.results import Result

SIGNATURE = b"PGCOPY\n\xff\r\n\0"
_HEADER = SIGNATURE + struct.pack(">II", 0, 0)
_END = struct.pack(">h", -1)
_HEAD = 5
"""Bytes of the type and the length of a message."""


def send_copy(copy: Copy, result: Result) -> Iterator[bytes]:
    fields, is_binary = result.fields or [], copy.form == "binary"
    yield responses.copy_response(b"H", is_binary=is_binary, columns=len(fields))
    if copy.has_header and not is_binary:
        yield responses.copy_data(write_line(copy, [each.name.encode() for each in fields]))
    # As PostgreSQL does it, since DuckDB relies on it: the header is in the message of the first row.
    before, rows = _HEADER if is_binary else b"", 0
    for piece in result.take([int(is_binary)], 0):
        pieces = list(_split(piece))
        rows += len(pieces)
        # A row in binary is the content of its message.
        lines = pieces if is_binary else [write_line(copy, _read_row(each)) for each in pieces]
        lines[0], before = before + lines[0], b""
        yield b"".join([responses.copy_data(each) for each in lines])
    if is_binary:
        yield responses.copy_data(before + _END)
    yield responses.COPY_DONE
    yield responses.command_complete(f"COPY {rows}")


def _split(piece: bytes) -> Iterator[bytes]:
    """The contents of messages of rows."""
    position = 0
    while position < len(piece):
        (length,) = struct.unpack_from(">I", piece, position + 1)
        yield piece[position + _HEAD : position + 1 + length]
        position += 1 + length


def _read_row(content: bytes) -> Row:
    row, position = list[bytes | None](), 2
    while position < len(content):
        (length,) = struct.unpack_from(">i", content, position)
        position += 4
        row.append(None if length < 0 else content[position : position + length])
        position += max(length, 0)
    return row
