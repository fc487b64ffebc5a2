"""Rows in the binary format of COPY, however they arrive."""

from __future__ import annotations

import struct
import time

import pytest

from penstock.pgwire.copy.receiving import BinaryReader
from penstock.pgwire.copy.sending import SIGNATURE
from penstock.pgwire.errors import ClientError

HEADER, END = SIGNATURE + struct.pack(">II", 0, 0), struct.pack(">h", -1)
ROWS: list[list[bytes | None]] = [[b"1", None, b""], [], [b"x" * 300, b"y", None]]


def write_row(row: list[bytes | None]) -> bytes:
    values = [struct.pack(">i", -1) if each is None else struct.pack(">i", len(each)) + each for each in row]
    return struct.pack(">h", len(row)) + b"".join(values)


@pytest.mark.parametrize("size", [1, 2, 7, 1000])
def test_rows_are_read_from_pieces_of_any_size(size: int):
    content, reader = HEADER + b"".join(map(write_row, ROWS)) + END + b"ignored", BinaryReader()

    pieces = [content[start : start + size] for start in range(0, len(content), size)]
    rows = [row for piece in pieces for row in reader.read(piece)]

    assert [*rows, *reader.read(b"", is_last=True)] == ROWS


def test_a_long_row_in_small_pieces_is_read_in_one_pass():
    content = write_row([b"x" * 3_500_000, b"y" * 400_000])
    reader, started = BinaryReader(), time.process_time()

    assert list(reader.read(HEADER + content[:3_500_010])) == []
    rows = [row for byte in content[3_500_010:] for row in reader.read(bytes([byte]))]

    assert [list(map(len, filter(None, row))) for row in rows] == [[3_500_000, 400_000]]
    assert time.process_time() - started < 15  # it took minutes


def test_a_row_that_does_not_end_is_refused():
    reader = BinaryReader()
    assert list(reader.read(HEADER + struct.pack(">hi", 2, 3_000_000) + b"x" * 3_000_000)) == []

    with pytest.raises(ClientError, match="does not end"):
        list(reader.read(struct.pack(">i", 1_000_001) + b"y" * 1_000_000))
