"""What a statement returned, in the form of the protocol."""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterator, Sequence

from penstock.server.postgresql.arrays import Encoder, array_encoder
from penstock.server.postgresql.binary import binary_encoder
from penstock.server.postgresql.errors import INVALID_VALUE, LIMIT, ClientError
from penstock.server.postgresql.parameters import spread
from penstock.server.postgresql.responses import Field, data_row, row_description
from penstock.server.postgresql.types import ARRAYS, text_encoder
from penstock.sql import ResponseTooLarge

FIRST_PAGE, LARGEST_PAGE, PIECE_BYTES = 20, 10_000, 4 * 1024 * 1024
"""Rows that are read from the engine at once: few at first, then as many as make a piece of this size."""
MOST_GROWTH = 10
"""How many times larger than the last page a page may be: the next rows may be wider."""
_COUNTED = {"insert": "INSERT 0", "update": "UPDATE", "delete": "DELETE", "merge": "MERGE"}
_NOT_IN_TAGS = ("or", "replace", "temp", "temporary", "unique", "recursive", "materialized")

Rows = list[list[str | None]]
Read = Callable[[int, int], Rows]
"""Rows from an offset, as text of the engine."""


class Result:
    """`fields` is None for a statement without rows."""

    def __init__(
        self,
        tag: str,
        fields: list[Field] | None = None,
        count: int = 0,
        read: Read | None = None,
        notices: bytes = b"",
    ) -> None:
        self.tag, self.fields, self._count, self._read = tag, fields, count, read
        self.notices = notices
        """Messages to send before it."""
        self._sent, self._page = 0, FIRST_PAGE

    @property
    def is_complete(self) -> bool:
        return self._sent >= self._count

    def use_fields(self, fields: list[Field]) -> None:
        """Those that the client was told before the values of parameters were known."""
        if self.fields is not None and len(self.fields) == len(fields):
            self.fields = fields

    def describe(self, formats: Sequence[int]) -> bytes | None:
        return None if self.fields is None else row_description(self.fields, spread(formats, len(self.fields)))

    def take(self, formats: Sequence[int], most: int) -> Iterator[bytes]:
        """The next rows, at most so many; 0 is all."""
        if self.fields is None or self._read is None:
            return
        encoders = choose_encoders(self.fields, spread(formats, len(self.fields)))
        end = min(self._count, self._sent + most) if most > 0 else self._count
        while self._sent < end:
            rows = self._read_page(self._read, end)
            if not rows:
                self._count = self._sent
                return
            self._sent += len(rows)
            piece = encode_rows(rows, encoders)
            self._page = max(1, min(LARGEST_PAGE, len(rows) * MOST_GROWTH, len(rows) * PIECE_BYTES // len(piece)))
            yield piece

    def _read_page(self, read: Read, end: int) -> Rows:
        """Fewer rows if so many are too large."""
        while True:
            wanted = min(self._page, end - self._sent)
            try:
                return read(self._sent, wanted)
            except ResponseTooLarge as error:
                if wanted == 1:
                    raise ClientError(LIMIT, "A row of the result is too large. Select fewer columns.") from error
                self._page = wanted // 2


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
