"""COPY … FROM STDIN: rows of the client, inserted some at a time, in one transaction."""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterator, Sequence

from penstock.server.postgresql.copy.lines import MAX_ROW_BYTES, LineReader
from penstock.server.postgresql.copy.sending import SIGNATURE
from penstock.server.postgresql.copy.statement import Copy
from penstock.server.postgresql.errors import INVALID_VALUE, ClientError
from penstock.server.postgresql.parameters import to_literal
from penstock.server.postgresql.responses import Field

MAX_CHARACTERS, MAX_ROWS = 1_000_000, 5_000
"""Of one INSERT."""
_BEFORE = len(SIGNATURE) + 8

Insert = Callable[[str], None]


class CopyIn:
    """Takes data of the client, and inserts its rows with `insert`."""

    def __init__(self, copy: Copy, fields: Sequence[Field], insert: Insert) -> None:
        self._copy, self.fields, self._insert = copy, fields, insert
        self._reader = BinaryReader() if copy.form == "binary" else LineReader(copy)
        self._form = int(copy.form == "binary")
        self._rows, self._characters = list[str](), 0
        self.count = 0

    def add(self, piece: bytes, *, is_last: bool = False) -> None:
        for row in self._reader.read(piece, is_last=is_last):
            self._add_row(row)
            if len(self._rows) >= MAX_ROWS or self._characters > MAX_CHARACTERS:
                self._flush()
        if is_last:
            self._flush()

    def _add_row(self, row: Sequence[bytes | None]) -> None:
        self.count += 1
        if len(row) != len(self.fields):
            message = f"Row {self.count} of the data has {len(row)} values, and there are {len(self.fields)} columns."
            raise ClientError(INVALID_VALUE, message)
        cells = zip(self.fields, row, strict=True)
        values = [to_literal(field.type, self._form, value, self._place(field)) for field, value in cells]
        self._rows.append(f"({', '.join(values)})")
        self._characters += len(self._rows[-1])

    def _place(self, field: Field) -> str:
        return f"of column {field.name} in row {self.count} of the data"

    def _flush(self) -> None:
        if self._rows:
            self._insert(f"INSERT INTO {self._copy.target} VALUES {', '.join(self._rows)}")
        self._rows, self._characters = [], 0


class BinaryReader:
    """Rows in binary that arrive in pieces."""

    def __init__(self) -> None:
        self._rest, self._has_begun, self._is_ended = b"", False, False

    def read(self, piece: bytes, *, is_last: bool = False) -> Iterator[list[bytes | None]]:
        self._rest += piece
        if not self._has_begun and len(self._rest) >= _BEFORE:
            self._skip_header()
        position = 0
        while self._has_begun and not self._is_ended and (row := self._read_row(position)):
            position = row[1]
            yield row[0]
        self._rest = self._rest[position:]
        if len(self._rest) > MAX_ROW_BYTES or (is_last and not self._is_ended):
            raise ClientError(INVALID_VALUE, "The data of COPY is not valid in the binary format: a row does not end.")

    def _skip_header(self) -> None:
        (extension,) = struct.unpack_from(">I", self._rest, _BEFORE - 4)
        if not self._rest.startswith(SIGNATURE) or extension:
            raise ClientError(INVALID_VALUE, "The data of COPY does not begin with the header of the binary format.")
        self._rest, self._has_begun = self._rest[_BEFORE:], True

    def _read_row(self, position: int) -> tuple[list[bytes | None], int] | None:
        """With where it ends; None if it is not there yet."""
        try:
            (count,) = struct.unpack_from(">h", self._rest, position)
            if count < 0:
                self._is_ended = True
                return None
            return self._read_values(count, position + 2)
        except struct.error:
            return None

    def _read_values(self, count: int, position: int) -> tuple[list[bytes | None], int]:
        row = list[bytes | None]()
        for _ in range(count):
            (length,) = struct.unpack_from(">i", self._rest, position)
            position += 4
            if position + max(length, 0) > len(self._rest):
                raise struct.error
            row.append(None if length < 0 else self._rest[position : position + length])
            position += max(length, 0)
        return row, position
