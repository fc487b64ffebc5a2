"""`multipart/form-data`: fields, and small files as one of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from python_multipart.exceptions import MultipartParseError
from python_multipart.multipart import MultipartParser, parse_options_header

if TYPE_CHECKING:
    from python_multipart.multipart import MultipartCallbacks

MOST_PARTS = 1000


class NotMultipart(Exception):
    """What is wrong with a body, in a sentence."""


def parse_multipart(content: bytes, content_type: str) -> list[tuple[str, str]]:
    """The parts, in their order; a file is its text."""
    boundary = parse_options_header(content_type)[1].get(b"boundary", b"")
    if not boundary:
        raise NotMultipart("The Content-Type names no boundary.")
    reader = _Reader()
    parser = MultipartParser(boundary, reader.callbacks())
    try:
        parser.write(content)
        parser.finalize()
    except MultipartParseError as error:
        raise NotMultipart(f"The parts cannot be told apart: {error}") from error
    if not reader.is_complete:
        raise NotMultipart("The last part does not end.")
    return [(name, _text(name, value)) for name, value in reader.parts]


class _Reader:
    """Listens to the parser, and keeps what it hears."""

    def __init__(self) -> None:
        self.parts: list[tuple[str, bytes]] = []
        self.is_complete = False
        self._field, self._value, self._name = bytearray(), bytearray(), ""
        self._data = bytearray()

    def callbacks(self) -> MultipartCallbacks:
        return {
            "on_part_begin": self._begin,
            "on_part_data": self._hear_data,
            "on_part_end": self._end,
            "on_header_begin": self._begin_header,
            "on_header_field": self._hear_field,
            "on_header_value": self._hear_value,
            "on_header_end": self._end_header,
            "on_end": self._finish,
        }

    def _hear_data(self, data: bytes, start: int, end: int) -> None:
        self._data += data[start:end]

    def _hear_field(self, data: bytes, start: int, end: int) -> None:
        self._field += data[start:end]

    def _hear_value(self, data: bytes, start: int, end: int) -> None:
        self._value += data[start:end]

    def _end(self) -> None:
        self.parts.append((self._name, bytes(self._data)))

    def _begin(self) -> None:
        if len(self.parts) >= MOST_PARTS:
            raise NotMultipart(f"There are more than {MOST_PARTS} parts.")
        self._name, self._data = "", bytearray()

    def _begin_header(self) -> None:
        self._field, self._value = bytearray(), bytearray()

    def _end_header(self) -> None:
        if bytes(self._field).lower() == b"content-disposition":
            given = parse_options_header(bytes(self._value))[1].get(b"name", b"")
            self._name = given.decode("utf-8", "replace")

    def _finish(self) -> None:
        self.is_complete = True


def _text(name: str, value: bytes) -> str:
    try:
        return value.decode()
    except UnicodeDecodeError as error:
        raise NotMultipart(f'The part "{name}" is not UTF-8.') from error
