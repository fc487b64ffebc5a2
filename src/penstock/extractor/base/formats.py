"""Converts the body of a response to JSON: JSON stays as it is, newline-delimited JSON and CSV become a list."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator
from typing import Any, Literal, cast, get_args

import msgspec

from penstock.extractor.base.decode import NotJson, decode
from penstock.extractor.base.errors import UserError, invalid
from penstock.extractor.base.section import Section, describe
from penstock.extractor.base.values import as_map, is_empty

Name = Literal["json", "ndjson", "csv"]
MAX_CELL_LENGTH = 1 << 27
MARK = "\ufeff"
"""A byte-order mark, decoded."""
_WHITE = " \t\n\r\v\f"
_skip = msgspec.json.Decoder(msgspec.Raw).decode
"""Validates without building objects."""


class Format(msgspec.Struct, frozen=True):
    """The format of a response; all fields but the name are for CSV only."""

    name: Name = "json"
    delimiter: str = ","
    quote: str = '"'
    encoding: str = "utf-8"

    @property
    def is_json(self) -> bool:
        """Returns whether the charset is that of the response; for CSV, it is set in the configuration."""
        return self.name != "csv"

    def is_blank(self, body: bytes) -> bool:
        """Returns whether a body in UTF-8, or one of CSV, holds nothing but white space."""
        if self.name != "csv":
            return not body or body.isspace()
        try:
            return is_white(self._text(body))
        except UserError:
            return False

    def to_json(self, body: bytes) -> bytes:
        """Raises UserError if the body is not in this format."""
        if self.name == "ndjson":
            return b"[%s]" % b",".join(documents(body.splitlines()))
        if self.name == "csv":
            return msgspec.json.encode([row for row in self.rows(io.StringIO(self._text(body), newline="")) if row])
        return body

    def rows(self, lines: Iterable[str], longest: int = MAX_CELL_LENGTH) -> Iterator[dict[str, str]]:
        """Yields the rows of CSV, from lines with their line ends; an empty line is an empty row."""
        csv.field_size_limit(longest)
        # Strict: otherwise a body that is cut inside quotes would be accepted as complete.
        reader = csv.reader(lines, delimiter=self.delimiter, quotechar=self.quote, strict=True)
        try:
            header = _header(next(reader, list[str]()))
            for cells in reader:
                yield _row(header, cells, reader.line_num) if cells else {}
        except csv.Error as error:
            raise UserError(f"Invalid CSV response from API: line {reader.line_num}: {error}.") from error

    def _text(self, body: bytes) -> str:
        try:
            text = body.decode(self.encoding).removeprefix(MARK)
            text.encode()  # some encodings allow surrogates, which cannot be written to a table
            return text
        except UnicodeError as error:
            raise not_text(self.encoding, error) from error


def read_format(raw: Any, path: str) -> Format:
    """`responseFormat`: a name, or a map with `format` and the details of CSV."""
    if is_empty(raw):
        return Format()
    section = Section(as_map(raw) if isinstance(raw, (dict, list)) else {"format": raw}, path)
    name = section.text("format", "json")
    if name not in get_args(Name):
        raise invalid(f"Expected one of {', '.join(get_args(Name))}, got {describe(name)}", path)
    form = Format(
        cast(Name, name), section.text("delimiter", ","), section.text("quote", '"'), section.text("encoding", "utf-8")
    )
    _check(form, section)
    return form


def _check(form: Format, section: Section) -> None:
    for key, sign in (("delimiter", form.delimiter), ("quote", form.quote)):
        if len(sign) > 1 or sign in ("\r", "\n"):
            raise section.wrong(key, "one character")
    if form.delimiter == form.quote:
        raise invalid("The delimiter and the quote are the same", f"{section.path}.delimiter")
    try:
        "".encode(form.encoding)
    except (LookupError, ValueError):
        raise invalid(f"Unknown encoding {describe(form.encoding)}", f"{section.path}.encoding") from None


def not_text(encoding: str, error: UnicodeError, before: int = 0) -> UserError:
    """Returns the error for bytes that are invalid in the encoding; `before` bytes precede those that the error
    counts."""
    is_placed = isinstance(error, UnicodeDecodeError)
    reason = f"{error.reason} at byte {before + error.start}" if is_placed else str(error)
    return UserError(
        f"Invalid CSV response from API: it is not {encoding} ({reason}). "
        "Set `responseFormat.encoding` to the encoding of the response."
    )


def is_white(text: str) -> bool:
    return not text.strip(_WHITE)


def documents(lines: Iterable[bytes]) -> Iterator[bytes]:
    """Yields the lines that are not empty, each checked separately: joined, two broken lines could form a valid
    record."""
    for number, line in enumerate(lines, 1):
        if line.strip():
            _check_line(line, number)
            yield line


def _check_line(line: bytes, number: int) -> None:
    try:
        _skip(line)
    except msgspec.DecodeError:
        _read_line(line, number)


def _read_line(line: bytes, number: int) -> None:
    """Raises UserError unless the line can be decoded without its lone surrogates."""
    try:
        decode(line)
    except NotJson as error:
        raise UserError(
            f"Invalid JSON response from API: JSON decode error: {error.family} ({error} at byte {error.at} of line "
            f"{number}). Every line must be a separate JSON document."
        ) from error


def _header(names: list[str]) -> list[str]:
    seen: set[str] = set()
    for name in names:
        if name in seen:
            raise UserError(f"Invalid CSV response from API: the header names {name!r} twice.")
        seen.add(name)
    return names


def _row(header: list[str], cells: list[str], line: int) -> dict[str, str]:
    if len(cells) != len(header):
        raise UserError(
            f"Invalid CSV response from API: line {line} has {len(cells)} cells, but the header has {len(header)}."
        )
    return dict(zip(header, cells, strict=True))
