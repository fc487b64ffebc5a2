"""COPY … FROM STDIN: rows of the client, inserted some at a time, in one transaction."""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterator, Sequence
from typing import cast

from penstock.pgwire.copy.lines import MAX_ROW_BYTES, LineReader
from penstock.pgwire.copy.sending import SIGNATURE
from penstock.pgwire.copy.statement import Copy
from penstock.pgwire.errors import INVALID_VALUE, ClientError
from penstock.pgwire.parameters import to_literal
from penstock.pgwire.responses import Field

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
    """Rows in binary that arrive in pieces. Each value is read once, however small the pieces are."""

    def __init__(self) -> None:
        self._rest, self._has_begun, self._is_ended = bytearray(), False, False
        self._position = 0
        """In the rest, where the next number or value begins."""
        self._row: list[bytes | None] | None = None
        self._left, self._size = 0, 0
        self._length: int | None = None
        """Of the row that has not ended: values that are missing, the length of the next one, bytes so far."""

    def read(self, piece: bytes, *, is_last: bool = False) -> Iterator[list[bytes | None]]:
        self._rest += b"" if self._is_ended else piece
        if not self._has_begun and len(self._rest) >= _BEFORE:
            self._skip_header()
        while self._has_begun and not self._is_ended and (row := self._read_row()) is not None:
            yield row
        del self._rest[: self._position]
        self._position = 0
        if self._size + len(self._rest) > MAX_ROW_BYTES or (is_last and not self._is_ended):
            raise ClientError(INVALID_VALUE, "The data of COPY is not valid in the binary format: a row does not end.")

    def _skip_header(self) -> None:
        (extension,) = struct.unpack_from(">I", self._rest, _BEFORE - 4)
        if not self._rest.startswith(SIGNATURE) or extension:
            raise ClientError(INVALID_VALUE, "The data of COPY does not begin with the header of the binary format.")
        self._position, self._has_begun = _BEFORE, True

    def _read_row(self) -> list[bytes | None] | None:
        """Return None if its end has not arrived yet: then what has arrived is kept."""
        if self._row is None and not self._begin_row():
            return None
        row = cast(list[bytes | None], self._row)
        while self._left:
            if not self._read_value(row):
                return None
        self._row, self._size = None, 0
        return row

    def _read_value(self, row: list[bytes | None]) -> bool:
        if self._length is None:
            self._length = self._take_number(4)
        value = None if self._length is None else self._take(max(self._length, 0))
        if self._length is None or value is None:
            return False
        row.append(None if self._length < 0 else value)
        self._left, self._length, self._size = self._left - 1, None, self._size + len(value) + 4
        return True

    def _begin_row(self) -> bool:
        count = self._take_number(2)
        if count is None:
            return False
        self._is_ended = count < 0
        self._row, self._left = [], max(count, 0)
        return not self._is_ended

    def _take_number(self, size: int) -> int | None:
        taken = self._take(size)
        return None if taken is None else int.from_bytes(taken, signed=True)

    def _take(self, size: int) -> bytes | None:
        end = self._position + size
        if end > len(self._rest):
            return None
        taken, self._position = bytes(self._rest[self._position : end]), end
        return taken
