"""Rewrites a file of CSV or newline-delimited JSON as JSON, record by record, by the rules of `formats.py`."""

from __future__ import annotations

import codecs
import io
import sys
from collections.abc import Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import BinaryIO

import msgspec

from penstock.extractor.base.formats import MARK, Format, documents, is_white, not_text
from penstock.extractor.responses.large.limits import Limits, TooMuch
from penstock.extractor.responses.large.transcode import rewriting

_MARKS = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE, codecs.BOM_UTF32_LE, codecs.BOM_UTF32_BE)


def to_json(path: Path, form: Format, limits: Limits) -> None:
    """Converts in place. Raises UserError if the file is not in this format, and leaves it unchanged."""
    if form.name != "json":
        with rewriting(path) as (source, target):
            _write(_records(source, form, limits), target)


def is_blank(path: Path, form: Format, chunk: int) -> bool:
    """Returns the same as `Format.is_blank`, for a body in a file."""
    encoding, mark = (form.encoding, MARK) if form.name == "csv" else ("utf-8", "")
    with path.open("rb") as source:
        text = io.TextIOWrapper(source, _streamed(encoding, source), newline="")
        try:
            start = text.read(chunk).removeprefix(mark)
            return is_white(start) and all(map(is_white, iter(partial(text.read, chunk), "")))
        except UnicodeError:
            return False


def _records(source: BinaryIO, form: Format, limits: Limits) -> Iterator[bytes]:
    if form.name == "ndjson":
        return documents(_lines(source, limits))
    return map(msgspec.json.encode, _Text(source, form.encoding, limits).read_rows(form))


def _write(records: Iterable[bytes], target: BinaryIO) -> None:
    before = b"["
    for record in records:
        target.write(before + record)
        before = b","
    target.write(b"]" if before == b"," else b"[]")


def _lines(source: BinaryIO, limits: Limits) -> Iterator[bytes]:
    """Yields the lines without their line ends, those that `bytes.splitlines` knows."""
    rest = b""
    while chunk := source.read(max(limits.chunk, len(rest))):
        # The last line may continue in the next chunk, or its line end may be cut in two.
        *lines, rest = (rest + chunk).splitlines(keepends=True)
        if len(rest) > limits.item:
            raise TooMuch(f"it holds a line of more than {limits.item:,} bytes.")
        yield from (line.rstrip(b"\r\n") for line in lines)
    if rest:
        yield rest.rstrip(b"\r\n")


class _Text:
    """The lines of a text, their ends included."""

    def __init__(self, source: BinaryIO, encoding: str, limits: Limits) -> None:
        self._source, self._encoding, self._limits = source, encoding, limits
        self._text = io.TextIOWrapper(source, _streamed(encoding, source), newline="")
        self._size = 0
        """The size of the current row so far: with quotes, a row can have any number of lines."""

    def read_rows(self, form: Format) -> Iterator[dict[str, str]]:
        for row in form.rows(self._lines(), self._limits.text):
            self._size = 0
            if row:
                yield row

    def _lines(self) -> Iterator[str]:
        line = self._line().removeprefix(MARK)
        while line:
            yield line
            line = self._line()

    def _line(self) -> str:
        try:
            line = self._text.readline(self._limits.item + 1)
            line.encode()  # as in formats.py: no surrogates
        except UnicodeDecodeError as error:
            raise not_text(self._encoding, error, self._source.tell() - len(error.object)) from error
        except UnicodeError as error:
            raise not_text(self._encoding, error) from error
        self._size += len(line)
        if self._size > self._limits.item:
            raise TooMuch(f"it holds a row of more than {self._limits.item:,} characters.")
        return line


def _streamed(encoding: str, source: BinaryIO) -> str:
    """Checks the byte-order mark, which the stream decoders of UTF-16 and UTF-32 require and other decoding does
    not."""
    name = codecs.lookup(encoding).name
    head = source.read(4)
    source.seek(0)
    if name not in ("utf-16", "utf-32") or head.startswith(_MARKS):
        return encoding
    return f"{name}-{'le' if sys.byteorder == 'little' else 'be'}"
