"""The fallback reader: reads a CSV file row by row, in Python.

A tenth as fast as the engine's reader, so it is used only for what that cannot read: escaped characters, mixed line
ends. It also finds the reason why a file is refused: which row, and which column.
"""

from __future__ import annotations

import csv
import io
import zlib
from collections.abc import Callable, Iterator
from gzip import BadGzipFile
from pathlib import Path
from typing import IO

from penstock.foundation.lake.csv_source import LINE_BYTES, CsvSource, open_file
from penstock.foundation.lake.errors import BadCsv, RowTooLarge, cut
from penstock.foundation.lake.unpacking import Meter, metered

ROWS_BETWEEN_CHECKS = 1000
_HALF_A_CHARACTER = range(0xDC80, 0xDD00)


def rewrite(source: CsvSource, target: Path, meter: Meter, check: Callable[[], None]) -> CsvSource:
    """Write the same rows in the format that the engine reads best; raises for the first malformed row. `check` is
    called regularly, and raises to stop."""
    with target.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, quoting=csv.QUOTE_ALL, lineterminator="\n")
        for number, (path, is_gzipped) in enumerate(source.files, 1):
            where = f" of slice {number}" if len(source.paths) > 1 else ""
            try:
                with open_file(path, is_gzipped) as raw:
                    counted = metered(raw, meter) if is_gzipped else raw
                    writer.writerows(_rows(source, counted, where, check))
            except (EOFError, BadGzipFile, zlib.error) as error:
                raise BadCsv(f"the file is not a complete gzip file: {error}") from error
    return CsvSource(paths=(target,), columns=source.columns)


def _rows(source: CsvSource, raw: IO[bytes], where: str, check: Callable[[], None]) -> Iterator[list[str]]:
    csv.field_size_limit(LINE_BYTES)
    # Bytes that are not UTF-8 become lone surrogates, so that the row which contains them can be named.
    text = io.TextIOWrapper(raw, encoding="utf-8-sig", errors="surrogateescape", newline="")
    lines = _limited(text)
    for _ in range(source.skip_lines):
        next(lines, None)
    records = enumerate(_records(source, lines, where), source.skip_lines + 1)
    if source.has_header:
        next(records, None)
    for number, record in records:
        if not number % ROWS_BETWEEN_CHECKS:
            check()
        if record:
            _check(source, record, f"Row {number}{where}")
            yield record


def _limited(text: io.TextIOWrapper) -> Iterator[str]:
    """Yield the lines with at most one row in memory: a file may be one line of gigabytes."""
    while line := text.readline(LINE_BYTES + 1):
        if len(line) > LINE_BYTES:
            raise RowTooLarge(LINE_BYTES)
        yield line


def _records(source: CsvSource, lines: Iterator[str], where: str) -> Iterator[list[str]]:
    reader = csv.reader(
        lines,
        delimiter=source.delimiter,
        quotechar=None if source.escaped_by else source.enclosure or None,
        quoting=csv.QUOTE_MINIMAL if source.enclosure and not source.escaped_by else csv.QUOTE_NONE,
        escapechar=source.escaped_by or None,
        strict=True,
    )
    try:
        yield from reader
    except csv.Error as error:
        if "field limit" in str(error):
            raise RowTooLarge(LINE_BYTES) from error
        raise BadCsv(f"Line {reader.line_num + source.skip_lines}{where} cannot be read: {error}.") from error


def _check(source: CsvSource, record: list[str], row: str) -> None:
    if len(record) != len(source.columns):
        raise BadCsv(f"{row} has {_count(len(record))}; the file has {_count(len(source.columns), 'column')}.")
    for column, value in zip(source.columns, record, strict=True):
        if not value.isascii() and any(ord(character) in _HALF_A_CHARACTER for character in value):
            shown = cut(value.encode("utf-8", "surrogateescape").decode("utf-8", "replace"))
            raise BadCsv(f'{row}, column "{column}": "{shown}" is not UTF-8.')


def _count(number: int, what: str = "field") -> str:
    return f"{number} {what}" if number == 1 else f"{number} {what}s"
