"""`multipart/form-data`: fields in memory, and one file of any size that is written to where it goes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from python_multipart.exceptions import MultipartParseError
from python_multipart.multipart import MultipartParser, parse_options_header

if TYPE_CHECKING:
    from python_multipart.multipart import MultipartCallbacks

MAX_PARTS = 1000
FIELD_BYTES = 1 << 20
"""Of all fields in addition to a file that is streamed."""


class NotMultipart(Exception):
    """What is wrong with a body, in a sentence."""


class File(Protocol):
    def write(self, chunks: list[bytes]) -> None: ...


def parse_multipart(content: bytes, content_type: str) -> list[tuple[str, str]]:
    """The parts, in their order; a file is its text."""
    stream = MultipartStream(content_type)
    stream.write([content])
    return stream.finish()


class MultipartStream:
    """Parses a body as it arrives. The part called `file_field` is written to `file`, everything else is a field."""

    def __init__(self, content_type: str, file_field: str = "", file: File | None = None) -> None:
        boundary = parse_options_header(content_type)[1].get(b"boundary", b"")
        if not boundary:
            raise NotMultipart("The Content-Type names no boundary.")
        self._reader = _Reader(file_field, file)
        self._parser = MultipartParser(boundary, self._reader.callbacks())

    @property
    def file_name(self) -> str | None:
        """The name of the file as the client wrote it, empty if it did not; None before the file has come."""
        return self._reader.file_name

    def write(self, chunks: list[bytes]) -> None:
        try:
            for chunk in chunks:
                self._parser.write(chunk)
        except MultipartParseError as error:
            raise NotMultipart(f"The parts cannot be told apart: {error}") from error

    def finish(self) -> list[tuple[str, str]]:
        """The fields, in their order. Raises if the body is not complete."""
        try:
            self._parser.finalize()
        except MultipartParseError as error:
            raise NotMultipart(f"The parts cannot be told apart: {error}") from error
        if not self._reader.is_complete:
            raise NotMultipart("The last part does not end.")
        return [(name, _text(name, value)) for name, value in self._reader.parts]


class _Reader:
    """The callbacks of the parser; collects the parts."""

    def __init__(self, file_field: str, file: File | None) -> None:
        self.parts: list[tuple[str, bytes]] = []
        self.is_complete = False
        self.file_name: str | None = None
        self._file_field, self._file, self._is_file = file_field, file, False
        self._field, self._value, self._name = bytearray(), bytearray(), ""
        self._data, self._size = bytearray(), 0

    def callbacks(self) -> MultipartCallbacks:
        return {
            "on_part_begin": self._on_part_begin,
            "on_part_data": self._on_part_data,
            "on_part_end": self._on_part_end,
            "on_header_begin": self._on_header_begin,
            "on_header_field": self._on_header_field,
            "on_header_value": self._on_header_value,
            "on_header_end": self._on_header_end,
            "on_end": self._on_end,
        }

    def _on_part_data(self, data: bytes, start: int, end: int) -> None:
        if self._is_file and self._file:
            self._file.write([data[start:end]])
            return
        self._data += data[start:end]
        self._size += end - start
        if self._file and self._size > FIELD_BYTES:
            raise NotMultipart(f'The fields beside "{self._file_field}" have more than {FIELD_BYTES:,} bytes.')

    def _on_header_field(self, data: bytes, start: int, end: int) -> None:
        self._field += data[start:end]

    def _on_header_value(self, data: bytes, start: int, end: int) -> None:
        self._value += data[start:end]

    def _on_part_end(self) -> None:
        if not self._is_file:
            self.parts.append((self._name, bytes(self._data)))

    def _on_part_begin(self) -> None:
        if len(self.parts) >= MAX_PARTS:
            raise NotMultipart(f"There are more than {MAX_PARTS} parts.")
        self._name, self._data, self._is_file = "", bytearray(), False

    def _on_header_begin(self) -> None:
        self._field, self._value = bytearray(), bytearray()

    def _on_header_end(self) -> None:
        if bytes(self._field).lower() == b"content-disposition":
            options = parse_options_header(bytes(self._value))[1]
            self._name = options.get(b"name", b"").decode("utf-8", "replace")
            if self._file and self._name == self._file_field:
                self._begin_file(options.get(b"filename", b"").decode("utf-8", "replace"))

    def _begin_file(self, name: str) -> None:
        if self.file_name is not None:
            raise NotMultipart(f'There is more than one "{self._file_field}".')
        self.file_name, self._is_file = name, True

    def _on_end(self) -> None:
        self.is_complete = True


def _text(name: str, value: bytes) -> str:
    try:
        return value.decode()
    except UnicodeDecodeError as error:
        raise NotMultipart(f'The part "{name}" is not UTF-8.') from error
