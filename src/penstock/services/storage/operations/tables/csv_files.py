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


def check_options(options: CsvOptions) -> None:
    """Raise for options that no file can be read with."""
    delimiter, enclosure = delimiter_of(options), enclosure_of(options)
    if len(delimiter) != 1 or delimiter in "\r\n\0":
        raise InvalidCsv(f'"{options.delimiter}" is not a valid delimiter: use one character, or `\\t`.')
    if len(enclosure) > 1 or len(options.escaped_by) > 1:
        raise InvalidCsvParams("`enclosure` and `escapedBy` must be one character each, or empty.")
    if options.escaped_by and enclosure:
        raise InvalidCsvParams("Only one of `enclosure` and `escapedBy` may be given.")
    if delimiter in (enclosure, options.escaped_by):
        raise InvalidCsvParams("The delimiter must differ from `enclosure` and `escapedBy`.")


def delimiter_of(options: CsvOptions) -> str:
    return "\t" if options.delimiter == TAB else options.delimiter


def enclosure_of(options: CsvOptions) -> str:
    """The given enclosure; by default a double quote, unless characters are escaped."""
    if options.enclosure is not UNSET:
        return options.enclosure
    return "" if options.escaped_by else QUOTE


def to_source(file: FileSource, header: list[str], request: ImportRequest) -> CsvSource:
    """The file as the lake reads it."""
    has_header = not (request.columns or request.without_headers or request.ignored_lines_count or file.is_sliced)
    return CsvSource(
        paths=file.paths,
        is_gzipped=file.is_gzipped,
        columns=tuple(header),
        has_header=has_header,
        skip_lines=request.ignored_lines_count,
        delimiter=delimiter_of(request),
        enclosure=enclosure_of(request),
        escaped_by=request.escaped_by,
    )


def first_record(file: FileSource, options: CsvOptions) -> list[str]:
    """The column names in the first line; none in an empty file."""
    try:
        with _open(file) as raw, io.TextIOWrapper(raw, encoding="utf-8-sig", newline="") as text:
            return _parse(text.read(HEADER_CHARACTERS), options)
    except (csv.Error, UnicodeDecodeError, OSError, EOFError, zlib.error) as error:
        raise BadCsv(f"the header cannot be read: {error}") from error


def _open(file: FileSource) -> BinaryIO:
    opened = gzip.open(file.paths[0]) if file.is_gzipped[0] else file.paths[0].open("rb")  # noqa: SIM115
    return cast(BinaryIO, opened)


def _parse(text: str, options: CsvOptions) -> list[str]:
    enclosure = enclosure_of(options)
    rows = csv.reader(
        io.StringIO(text, newline=""),
        delimiter=delimiter_of(options),
        quotechar=enclosure or None,
        quoting=csv.QUOTE_MINIMAL if enclosure else csv.QUOTE_NONE,
        escapechar=options.escaped_by or None,
        strict=True,
    )
    for row in rows:
        if row:
            return row
    return []
