"""A CSV file, or the slices of one, as rows that the engine reads.

The engine's own reader handles almost every file, fast and in parallel. The reader in python_csv.py handles the rest.
"""

from __future__ import annotations

import gzip
import zlib
from itertools import groupby
from pathlib import Path
from typing import IO, cast

import msgspec

from penstock.foundation.lake.errors import BadCsv
from penstock.foundation.lake.unpacking import Meter
from penstock.foundation.text.quoting import quote_name, quote_value

LINE_BYTES = 64 * 1024 * 1024
"""The longest row."""

DEFAULT_LINE_BYTES = 2 * 1024 * 1024
"""The reader allocates sixteen buffers of this size per thread, so longer rows are tried only when they occur."""

_CHUNK = 1024 * 1024
_START = 64 * 1024


class CsvSource(msgspec.Struct, frozen=True, kw_only=True):
    """The location and format of the rows. Every field is a column, in this order."""

    paths: tuple[Path, ...]
    columns: tuple[str, ...]
    is_gzipped: tuple[bool, ...] = ()
    """Of each path; none of them if it is left out."""
    has_header: bool = False
    skip_lines: int = 0
    delimiter: str = ","
    enclosure: str = '"'
    escaped_by: str = ""
    """The character after this one is literal; then nothing is enclosed."""
    has_nulls: bool = False
    """Whether an empty field is NULL if it is not enclosed. Empty lines are skipped, so a file with one column has no
    such field."""

    @property
    def files(self) -> list[tuple[Path, bool]]:
        return list(zip(self.paths, self.is_gzipped or [False] * len(self.paths), strict=True))

    @property
    def compressed(self) -> list[Path]:
        return [path for path, is_gzipped in self.files if is_gzipped]

    @property
    def needs_python(self) -> bool:
        """The engine supports escapes only between enclosures."""
        return bool(self.escaped_by)


def open_file(path: Path, is_gzipped: bool) -> IO[bytes]:
    return cast("IO[bytes]", gzip.open(path)) if is_gzipped else path.open("rb")


def check_gzip(source: CsvSource, meter: Meter) -> None:
    """Raises for a truncated or damaged file, of which the engine would silently load the beginning, and for one that
    exceeds the limits for compressed files."""
    for number, (path, is_gzipped) in enumerate(source.files, 1):
        if is_gzipped:
            _check_one(path, f"slice {number}" if len(source.paths) > 1 else "the file", meter)


def _check_one(path: Path, what: str, meter: Meter) -> None:
    try:
        with gzip.open(path) as file:
            while piece := file.read(_CHUNK):
                meter.add(len(piece))
    except (EOFError, gzip.BadGzipFile, zlib.error) as error:
        raise BadCsv(f"{what} is not a complete gzip file: {error}") from error


def read_csv(source: CsvSource, line_bytes: int = DEFAULT_LINE_BYTES) -> str:
    """SQL for all rows, in their order."""
    runs = groupby(source.files, key=lambda file: file[1])
    return " UNION ALL ".join(
        f"SELECT * FROM read_csv({_arguments(source, [path for path, _ in run], is_gzipped, line_bytes)})"
        for is_gzipped, run in runs
    )


def _arguments(source: CsvSource, paths: list[Path], is_gzipped: bool, line_bytes: int) -> str:
    fields = ", ".join(f"{quote_name(name)}: 'VARCHAR'" for name in source.columns)
    options = {
        "auto_detect": "false",
        "columns": f"{{{fields}}}",
        "header": str(source.has_header).lower(),
        "skip": str(source.skip_lines),
        "delim": quote_value(source.delimiter),
        "quote": quote_value(source.enclosure),
        "escape": quote_value(source.enclosure),
        # No field outside of enclosures contains a line end: then nothing is NULL, and an empty field is an empty text.
        "nullstr": "''" if source.has_nulls and len(source.columns) > 1 else "chr(10)",
        "allow_quoted_nulls": "false",
        "compression": "'gzip'" if is_gzipped else "'none'",
        "max_line_size": str(line_bytes),
        "buffer_size": str(16 * line_bytes if line_bytes == DEFAULT_LINE_BYTES else 2 * line_bytes),
        "strict_mode": "true",
    }
    if _ends_in_line_feed(source, paths[0], is_gzipped):
        options["new_line"] = r"'\n'"
    files = ", ".join(quote_value(_literal(path)) for path in paths)
    return f"[{files}], {', '.join(f'{name} = {value}' for name, value in options.items())}"


def _literal(path: Path) -> str:
    """The engine treats a path as a glob pattern: a file called `a*.csv` would match others too."""
    return "".join(f"[{sign}]" if sign in "*?[" else sign for sign in str(path))


def _ends_in_line_feed(source: CsvSource, path: Path, is_gzipped: bool) -> bool:
    """Whether the first row does. The engine would use the first line end that it finds, even inside a value."""
    try:
        with open_file(path, is_gzipped) as file:
            start = file.read(_START)
    except (OSError, EOFError, zlib.error):
        return False
    enclosure, end = source.enclosure.encode(), start.find(b"\n")
    while end >= 0 and enclosure and start.count(enclosure, 0, end) % 2:
        end = start.find(b"\n", end + 1)
    return end >= 0 and start[end - 1 : end] != b"\r"
