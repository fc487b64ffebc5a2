"""Rows as lines: the text format of COPY, with escapes, and CSV, with quotes."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from penstock.pgwire.copy.statement import Copy
from penstock.pgwire.errors import INVALID_VALUE, ClientError

_ESCAPES = {"\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t", "\b": "\\b", "\f": "\\f", "\v": "\\v"}
_VALUES = {"n": "\n", "r": "\r", "t": "\t", "b": "\b", "f": "\f", "v": "\v"}
_ESCAPED = re.compile(r"\\(x[0-9A-Fa-f]{1,2}|[0-7]{1,3}|.)", re.DOTALL)
_END = "\\."

MAX_ROW_BYTES = 4_000_000

Row = Sequence[bytes | None]


def write_line(copy: Copy, row: Row) -> bytes:
    if copy.form == "csv":
        return copy.delimiter.join(_quote(copy, each) for each in row).encode() + b"\n"
    texts = (copy.null if each is None else _escape(copy, each.decode()) for each in row)
    return copy.delimiter.join(texts).encode() + b"\n"


def _escape(copy: Copy, text: str) -> str:
    escaped = "".join(_ESCAPES.get(each, each) for each in text)
    return escaped if copy.delimiter == "\t" else escaped.replace(copy.delimiter, "\\" + copy.delimiter)


def _quote(copy: Copy, value: bytes | None) -> str:
    if value is None:
        return copy.null
    text = value.decode()
    if text == copy.null or any(each in text for each in (copy.delimiter, '"', "\n", "\r")):
        return '"' + text.replace('"', '""') + '"'
    return text


class LineReader:
    """Rows of lines that arrive in pieces."""

    def __init__(self, copy: Copy) -> None:
        self._copy, self._is_ended, self._has_header = copy, False, copy.has_header
        self._parts, self._size, self._quotes = list[bytes](), 0, 0
        """Of the line that has not ended."""

    def read(self, piece: bytes, *, is_last: bool = False) -> Iterator[list[bytes | None]]:
        for line in self._split(piece, is_last):
            if self._has_header:
                self._has_header = False
            elif line == _END.encode():
                self._is_ended = True
            elif not self._is_ended:
                yield self._parse(line)

    def _split(self, piece: bytes, is_last: bool) -> Iterator[bytes]:
        """A line of CSV goes on as long as its quotes are not closed."""
        *lines, rest = piece.split(b"\n")
        for line in lines:
            self._add(line)
            if self._quotes % 2:
                self._add(b"\n")
            else:
                yield self._take().removesuffix(b"\r")
        self._add(rest)
        if is_last and self._quotes % 2:
            raise ClientError(INVALID_VALUE, "The data of COPY ends in a value whose quotes are not closed.")
        if is_last and self._size:
            yield self._take()

    def _add(self, part: bytes) -> None:
        self._parts.append(part)
        self._size += len(part)
        self._quotes += part.count(b'"') if self._copy.form == "csv" else 0
        if self._size > MAX_ROW_BYTES:
            raise ClientError(
                INVALID_VALUE, f"A row of the data has more than {MAX_ROW_BYTES:,} bytes, or does not end."
            )

    def _take(self) -> bytes:
        line = b"".join(self._parts)
        self._parts, self._size, self._quotes = [], 0, 0
        return line

    def _parse(self, line: bytes) -> list[bytes | None]:
        try:
            text = line.decode()
        except UnicodeDecodeError as error:
            raise ClientError(INVALID_VALUE, "A line of the data is not valid UTF-8.") from error
        return self._parse_csv(text) if self._copy.form == "csv" else self._parse_text(text)

    def _parse_text(self, line: str) -> list[bytes | None]:
        parts = self._cut(line)
        return [None if each == self._copy.null else _ESCAPED.sub(_unescape, each).encode() for each in parts]

    def _cut(self, line: str) -> list[str]:
        """Split the line at delimiters without a backslash before them."""
        delimiter, parts, current = self._copy.delimiter, list[str](), list[str]()
        for piece in line.split(delimiter):
            current.append(piece)
            if (len(piece) - len(piece.rstrip("\\"))) % 2 == 0:
                parts.append(delimiter.join(current))
                current = []
        return [*parts, delimiter.join(current)] if current else parts

    def _parse_csv(self, line: str) -> list[bytes | None]:
        """Every second piece between quotes is in them; an empty one between two of these is a quote itself."""
        row, current, is_quoted = list[bytes | None](), list[str](), False
        pieces = line.split('"')
        for number, piece in enumerate(pieces):
            if number % 2:
                current.append(piece)
                is_quoted = True
            elif not piece and 0 < number < len(pieces) - 1:
                current.append('"')
            else:
                first, *others = piece.split(self._copy.delimiter)
                current.append(first)
                for other in others:
                    row.append(self._to_value(current, is_quoted))
                    current, is_quoted = [other], False
        return [*row, self._to_value(current, is_quoted)]

    def _to_value(self, pieces: list[str], is_quoted: bool) -> bytes | None:
        """Return the value; only an unquoted one is NULL."""
        value = "".join(pieces)
        return None if value == self._copy.null and not is_quoted else value.encode()


def _unescape(match: re.Match[str]) -> str:
    code = match[1]
    if code[0] == "x" and len(code) > 1:
        return chr(int(code[1:], 16))
    if code[0] in "01234567":
        return chr(int(code, 8))
    return _VALUES.get(code, code)
