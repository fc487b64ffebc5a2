"""What a statement returned, in the form of the protocol."""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterator, Sequence

from penstock.pgwire.arrays import Encoder, array_encoder
from penstock.pgwire.binary import binary_encoder
from penstock.pgwire.copy.statement import Copy
from penstock.pgwire.errors import INVALID_VALUE, LIMIT, ClientError
from penstock.pgwire.parameters import spread
from penstock.pgwire.responses import Field, data_row, row_description
from penstock.pgwire.types import ARRAYS, text_encoder
from penstock.sql import EncodedRows, ResponseTooLarge

FIRST_PAGE, MAX_PAGE, PIECE_BYTES = 20, 20_480, 4 * 1024 * 1024
"""Rows that are read from the engine at once: few at first, then as many as make a piece of this size."""
FIRST_PART = 1_000
"""The same of a part, of which a client has said how many rows it takes."""
MAX_GROWTH = 10
"""How many times larger than the last page a page may be: the next rows may be wider."""
MIN_ENCODED = 200
"""Rows of a page for which it is worth asking the engine to encode them: it looks at them first."""
_COUNTED = {"insert": "INSERT 0", "update": "UPDATE", "delete": "DELETE", "merge": "MERGE"}
_NOT_IN_TAGS = ("or", "replace", "temp", "temporary", "unique", "recursive", "materialized")

Rows = list[list[str | None]]
Read = Callable[[int, int], Rows]
"""Rows from an offset, as text of the engine."""


ReadEncoded = Callable[[int, int, list[bool]], EncodedRows]
"""Rows from an offset, as messages; a format is true for binary. None if the engine cannot encode them."""


class Result:
    """`fields` is None for a statement without rows."""

    def __init__(
        self,
        tag: str,
        fields: list[Field] | None = None,
        count: int = 0,
        read: Read | None = None,
        notices: bytes = b"",
        read_encoded: ReadEncoded | None = None,
    ) -> None:
        self.tag, self.fields, self._count, self._read, self._read_encoded = tag, fields, count, read, read_encoded
        self.notices = notices
        """Messages to send before it."""
        self.copy: Copy | None = None
        """That of a COPY, whose rows or data have no description."""
        self.formats: list[int] | None = None
        """Those of a BINARY cursor, whatever the client asks for."""
        self._sent, self._page = 0, FIRST_PAGE

    @property
    def count(self) -> int:
        """How many rows it has."""
        return self._count

    @property
    def is_complete(self) -> bool:
        return self._sent >= self._count

    def part(self, tag: str, start: int, count: int, *, is_reversed: bool = False) -> Result:
        """Some of its rows as a result of their own."""
        read, read_encoded = self._read, self._read_encoded

        def read_part(offset: int, limit: int) -> Rows:
            if read is None:
                return []
            first = start + count - offset - limit if is_reversed else start + offset
            rows = read(first, limit)
            return rows[::-1] if is_reversed else rows

        def read_encoded_part(offset: int, limit: int, formats: list[bool]) -> EncodedRows:
            return read_encoded(start + offset, limit, formats) if read_encoded else EncodedRows()

        part = Result(tag, self.fields, count, read_part, read_encoded=None if is_reversed else read_encoded_part)
        part.formats, part._page = self.formats, max(1, min(count, FIRST_PART))
        return part

    def use_fields(self, fields: list[Field]) -> None:
        """Use the fields that were sent to the client before the values of parameters were known."""
        if self.fields is None or len(self.fields) != len(fields):
            return
        if any(own.type != told.type for own, told in zip(self.fields, fields, strict=True)):
            self._read_encoded = None  # the engine encodes its own types
        self.fields = fields

    def describe(self, formats: Sequence[int]) -> bytes | None:
        if self.fields is None or self.copy:
            return None
        return row_description(self.fields, spread(self.formats or formats, len(self.fields)))

    def take(self, formats: Sequence[int], most: int) -> Iterator[bytes]:
        """The next rows, at most so many; 0 is all."""
        if self.fields is None or self._read is None:
            return
        forms = spread(self.formats or formats, len(self.fields))
        encoders = choose_encoders(self.fields, forms)
        end = min(self._count, self._sent + most) if most > 0 else self._count
        while self._sent < end:
            page = self._read_page(self._read, encoders, forms, end)
            if not page.count:
                self._count = self._sent
                return
            self._sent += page.count
            rows = page.count
            self._page = max(1, min(MAX_PAGE, rows * MAX_GROWTH, rows * PIECE_BYTES // len(page.content)))
            yield page.content

    def _read_page(self, read: Read, encoders: Sequence[Encoder], forms: Sequence[int], end: int) -> EncodedRows:
        """Fewer rows if so many are too large."""
        while True:
            size = min(self._page, end - self._sent)
            try:
                if self._read_encoded and size >= MIN_ENCODED:
                    page = self._read_encoded(self._sent, size, [bool(each) for each in forms])
                    if page.count:
                        return page
                rows = read(self._sent, size)
                return EncodedRows(encode_rows(rows, encoders), len(rows))
            except ResponseTooLarge as error:
                if size == 1:
                    raise ClientError(LIMIT, "A row of the result is too large. Select fewer columns.") from error
                self._page = size // 2


def choose_encoders(fields: Sequence[Field], formats: Sequence[int]) -> list[Encoder]:
    return [_choose_encoder(field.type, bool(form)) for field, form in zip(fields, formats, strict=True)]


def _choose_encoder(oid: int, is_binary: bool) -> Encoder:
    element = ARRAYS.get(oid, oid)
    encode = binary_encoder(element) if is_binary else text_encoder(element)
    return array_encoder(element, encode, is_binary=is_binary) if oid in ARRAYS else encode


def encode_rows(rows: Rows, encoders: Sequence[Encoder]) -> bytes:
    try:
        return b"".join(
            data_row(None if value is None else encode(value) for value, encode in zip(row, encoders, strict=True))
            for row in rows
        )
    except (ValueError, OverflowError, struct.error) as error:
        raise ClientError(INVALID_VALUE, "A value does not fit its type. Cast it to text.") from error


def to_tag(words: Sequence[str], rows: int, affected: int, returns_rows: bool) -> str:
    """What the client is told that was done: `SELECT 5`, `INSERT 0 1`, `CREATE TABLE`."""
    first = words[0]
    if first in _COUNTED:
        return f"{_COUNTED[first]} {rows if returns_rows else affected}"
    if returns_rows:
        return f"SELECT {rows}"
    if first in ("create", "drop", "alter"):
        kind = next((each for each in words[1:] if each not in _NOT_IN_TAGS), "")
        return f"{first} {kind}".upper()
    return first.upper()
