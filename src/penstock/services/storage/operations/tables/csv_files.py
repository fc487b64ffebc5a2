"""CSV files of clients: their format options, and the column names in their header."""

from __future__ import annotations

import csv
import gzip
import io
import zlib
from typing import BinaryIO, cast

from msgspec import UNSET

from penstock.foundation.lake import BadCsv, CsvSource
from penstock.services.storage.errors.imports import InvalidCsv, InvalidCsvParams
from penstock.services.storage.models.queries import CsvOptions, ImportRequest
from penstock.services.storage.operations.files.files import FileSource

HEADER_CHARACTERS = 4_000_000
QUOTE = '"'
TAB = "\\t"
"""Some clients send the two characters."""


def check_options(wanted: CsvOptions) -> None:
    """Raise for options that no file can be read with."""
    delimiter, enclosure = delimiter_of(wanted), enclosure_of(wanted)
    if len(delimiter) != 1 or delimiter in "\r\n\0":
        raise InvalidCsv(f'"{wanted.delimiter}" is not a valid delimiter: use one character, or `\\t`.')
    if len(enclosure) > 1 or len(wanted.escaped_by) > 1:
        raise InvalidCsvParams("`enclosure` and `escapedBy` must be one character each, or empty.")
    if wanted.escaped_by and enclosure:
        raise InvalidCsvParams("Only one of `enclosure` and `escapedBy` may be given.")
    if delimiter in (enclosure, wanted.escaped_by):
        raise InvalidCsvParams("The delimiter must differ from `enclosure` and `escapedBy`.")


def delimiter_of(wanted: CsvOptions) -> str:
    return "\t" if wanted.delimiter == TAB else wanted.delimiter


def enclosure_of(wanted: CsvOptions) -> str:
    """The given enclosure; by default a double quote, unless characters are escaped."""
    if wanted.enclosure is not UNSET:
        return wanted.enclosure
    return "" if wanted.escaped_by else QUOTE


def to_source(file: FileSource, header: list[str], wanted: ImportRequest) -> CsvSource:
    """The file as the lake reads it."""
    has_header = not (wanted.columns or wanted.without_headers or wanted.ignored_lines_count or file.is_sliced)
    return CsvSource(
        paths=file.paths,
        is_gzipped=file.is_gzipped,
        columns=tuple(header),
        has_header=has_header,
        skip_lines=wanted.ignored_lines_count,
        delimiter=delimiter_of(wanted),
        enclosure=enclosure_of(wanted),
        escaped_by=wanted.escaped_by,
    )


def first_record(file: FileSource, wanted: CsvOptions) -> list[str]:
    """The column names in the first line; none in an empty file."""
    try:
        with _open(file) as raw, io.TextIOWrapper(raw, encoding="utf-8-sig", newline="") as text:
            return _parse(text.read(HEADER_CHARACTERS), wanted)
    except (csv.Error, UnicodeDecodeError, OSError, EOFError, zlib.error) as error:
        raise BadCsv(f"the header cannot be read: {error}") from error


def _open(file: FileSource) -> BinaryIO:
    opened = gzip.open(file.paths[0]) if file.is_gzipped[0] else file.paths[0].open("rb")  # noqa: SIM115
    return cast(BinaryIO, opened)


def _parse(text: str, wanted: CsvOptions) -> list[str]:
    enclosure = enclosure_of(wanted)
    rows = csv.reader(
        io.StringIO(text, newline=""),
        delimiter=delimiter_of(wanted),
        quotechar=enclosure or None,
        quoting=csv.QUOTE_MINIMAL if enclosure else csv.QUOTE_NONE,
        escapechar=wanted.escaped_by or None,
        strict=True,
    )
    for row in rows:
        if row:
            return row
    return []
