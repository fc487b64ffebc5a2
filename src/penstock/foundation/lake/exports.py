"""Export rows to files: CSV or JSON lines in slices, as clients download them, or Parquet.

The engine writes one plain file, fast and in order. It is split at ends of rows, and the pieces are compressed in
parallel: the engine's own compression uses a single thread and takes several times as long.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from itertools import repeat
from pathlib import Path
from typing import BinaryIO

import msgspec

from penstock.foundation.blobs.incoming import link_or_copy
from penstock.foundation.lake.catalogs import LakeTable
from penstock.foundation.lake.engine import MAX_THREADS
from penstock.foundation.lake.lake import Lake
from penstock.foundation.lake.query import Query, chosen
from penstock.foundation.lake.reads import from_where, select_text, types_of
from penstock.foundation.lake.session import Session
from penstock.foundation.lake.stored_files import find_stored_files
from penstock.foundation.text.quoting import name_list, quote_value

SLICE_BYTES = 64 * 1024 * 1024
"""Bytes of plain text; a slice ends with the row in which it reaches this size."""

_CHUNK = 1024 * 1024
_LEVEL = 4
_GZIP = 31
"""zlib's window size for output with a gzip header."""


class _Text(msgspec.Struct, frozen=True):
    """A text format for rows."""

    suffix: str
    options: str
    has_quoted_lines: bool
    """Whether a value may contain a line end, which is then inside quotes."""


_CSV = _Text("csv", "FORMAT csv, HEADER false, DELIMITER ',', QUOTE '\"', ESCAPE '\"', FORCE_QUOTE *", True)
_JSON = _Text("json", "FORMAT json, ARRAY false", False)


class Slice(msgspec.Struct, frozen=True):
    name: str
    path: Path
    rows: int
    size: int


def export_rows(
    lake: Lake,
    table: LakeTable,
    query: Query,
    folder: Path,
    *,
    gzip: bool = False,
    parquet: bool = False,
    json: bool = False,
    version: int | None = None,
) -> list[Slice]:
    """Write at least one slice, without headers; concatenated they are all rows in order.

    With `json` each line is an object; its values are strings, as in CSV. Slices of Parquet may have internal columns
    besides the selected ones, if the query selects `_timestamp`: they are then files of the table.
    """
    folder.mkdir(parents=True, exist_ok=True)
    with lake.existing(table) as session:
        if parquet:
            return _write_parquet(session, table, query, folder, version)
        return _write_text(session, select_text(session, table, query, version), folder, gzip, _JSON if json else _CSV)


def open_stored_file(lake: Lake, table: LakeTable, query: Query) -> BinaryIO | None:
    """The file of the table, if it has one, and that is exactly the requested rows; see find_stored_files()."""
    with lake.existing(table) as session:
        stored = find_stored_files(session, query, types_of(session, table)) or []
        with suppress(FileNotFoundError):  # it was compacted meanwhile
            return stored[0].open("rb", buffering=0) if len(stored) == 1 else None
    return None


def export_file(lake: Lake, table: LakeTable, query: Query, target: Path, *, has_nulls: bool = False) -> int:
    """Write all rows to one plain CSV file with a header; returns its size. With `has_nulls`, NULL is an empty field
    without quotes; in a file with one column that would be an empty line, which readers skip."""
    options = "FORMAT csv, HEADER true, COMPRESSION none, DELIMITER ',', QUOTE '\"', ESCAPE '\"', FORCE_QUOTE *"
    with lake.existing(table) as session:
        rows = select_text(session, table, query, has_nulls=has_nulls)
        session.execute(f"COPY ({rows}) TO {quote_value(target)} ({options})")
    return target.stat().st_size


def _write_parquet(session: Session, table: LakeTable, query: Query, folder: Path, version: int | None) -> list[Slice]:
    types = types_of(session, table, version)
    stored = find_stored_files(session, query, types) if version is None else None
    with suppress(FileNotFoundError):  # a file was compacted meanwhile
        if stored:
            return [_link(session, file, folder / f"{number:04}.parquet") for number, file in enumerate(stored)]
    target = folder / "0000.parquet"
    target.unlink(missing_ok=True)
    rows = f"SELECT {name_list(chosen(query, types))} {from_where(session, query, types, version)}"
    copied = session.one(f"COPY ({rows}) TO {quote_value(target)} (FORMAT parquet, COMPRESSION zstd)")
    return [Slice(target.name, target, int(copied[0]), target.stat().st_size)]


def _link(session: Session, file: Path, target: Path) -> Slice:
    """Files of tables never change, so a link is as good as a copy."""
    target.unlink(missing_ok=True)
    link_or_copy(file, target)
    rows = session.one(f"SELECT sum(num_rows)::BIGINT FROM parquet_file_metadata({quote_value(target)})")[0]
    return Slice(target.name, target, int(rows), target.stat().st_size)


def _write_text(session: Session, rows: str, folder: Path, gzip: bool, text: _Text) -> list[Slice]:
    plain = folder / f"rows.{text.suffix}"
    try:
        copied = session.one(f"COPY ({rows}) TO {quote_value(plain)} ({text.options})")
        plain.touch()
        if not gzip and plain.stat().st_size <= SLICE_BYTES:
            target = plain.rename(folder / f"0000.{text.suffix}")
            return [Slice(target.name, target, int(copied[0]), target.stat().st_size)]
        return _cut(plain, folder, gzip, int(copied[0]), text)
    finally:
        with suppress(FileNotFoundError):
            plain.unlink()


def _cut(plain: Path, folder: Path, gzip: bool, rows: int, text: _Text) -> list[Slice]:
    with ThreadPoolExecutor(MAX_THREADS) as pool:
        pieces = list(_find_pieces(plain, text))
        names = [folder / f"{number:04}.{text.suffix}{'.gz' if gzip else ''}" for number in range(len(pieces))]
        lines = list(pool.map(_write_piece, repeat(plain), pieces, names, repeat(gzip)))
        # As many lines as rows: no value contains a line end, so each ends a row.
        counts = lines if sum(lines) == rows else [_count_rows(plain, piece) for piece in pieces]
    return [Slice(path.name, path, count, path.stat().st_size) for path, count in zip(names, counts, strict=True)]


class _Piece(msgspec.Struct, frozen=True):
    start: int
    end: int


def _find_pieces(plain: Path, text: _Text) -> Iterator[_Piece]:
    """The byte ranges of slices, split at the ends of rows."""
    find_end = _end_of_row if text.has_quoted_lines else _end_of_line
    size, start = plain.stat().st_size, 0
    with plain.open("rb") as file:
        while size - start > SLICE_BYTES:
            end = find_end(file, start, start + SLICE_BYTES)
            yield _Piece(start, end)
            start = end
    if start < size or not size:
        yield _Piece(start, size)


def _end_of_row(file: BinaryIO, start: int, position: int) -> int:
    """The position after the first row that ends at or after a position; a row starts at `start`.

    A line end is the end of a row if the number of quotes before it is even.
    """
    file.seek(start)
    quotes = sum(chunk.count(b'"') for chunk in _chunks(file, position - start))
    while line := file.readline():
        quotes += line.count(b'"')
        if quotes % 2 == 0:
            break
    return file.tell()


def _end_of_line(file: BinaryIO, _start: int, position: int) -> int:
    file.seek(position)
    file.readline()
    return file.tell()


def _chunks(file: BinaryIO, size: int) -> Iterator[bytes]:
    while size > 0 and (chunk := file.read(min(size, _CHUNK))):
        size -= len(chunk)
        yield chunk


def _write_piece(plain: Path, piece: _Piece, target: Path, gzip: bool) -> int:
    """Returns the number of lines."""
    lines = 0
    with plain.open("rb") as source, target.open("wb") as file:
        source.seek(piece.start)
        packer = zlib.compressobj(_LEVEL, wbits=_GZIP) if gzip else None
        for chunk in _chunks(source, piece.end - piece.start):
            lines += chunk.count(b"\n")
            file.write(packer.compress(chunk) if packer else chunk)
        if packer:
            file.write(packer.flush())
    return lines


def _count_rows(plain: Path, piece: _Piece) -> int:
    """Counts line ends outside of quotes."""
    rows, is_inside = 0, False
    with plain.open("rb") as file:
        file.seek(piece.start)
        for chunk in _chunks(file, piece.end - piece.start):
            parts = chunk.split(b'"')
            rows += sum(part.count(b"\n") for part in parts[int(is_inside) :: 2])
            is_inside ^= len(parts) % 2 == 0
    return rows
