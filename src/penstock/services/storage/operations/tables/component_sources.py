"""Files that components wrote, prepared for the lake: plain or compressed, whole or sliced, with or without a header.

The fields of an API are not under its users' control, so invalid column names are corrected here, always in the same
way; imports of clients are strict instead.
"""

from __future__ import annotations

from pathlib import Path

from penstock.contracts.tables import TableLoad
from penstock.foundation.lake import CsvSource
from penstock.services.storage.errors.imports import ColumnsNotMatch
from penstock.services.storage.errors.tables import InvalidTable
from penstock.services.storage.models.files import FileSource
from penstock.services.storage.models.queries import CsvOptions
from penstock.services.storage.names import to_columns
from penstock.services.storage.operations.tables.csv_files import check_options, delimiter_of, first_record
from penstock.services.storage.operations.tables.definitions import check_width

GZIP = ".gz"
NOTHING = ".nothing"
"""Placed into a folder without slices, so that the lake has a file to read."""


def read_source(load: TableLoad) -> CsvSource:
    """Raises the errors that can be found without reading the rows."""
    options = CsvOptions(delimiter=load.delimiter, enclosure=load.enclosure)
    check_options(options)
    paths = _find_paths(load.file)
    is_gzipped = tuple(path.name.endswith(GZIP) for path in paths)
    file = FileSource(paths=paths, is_sliced=len(paths) > 1, is_gzipped=is_gzipped, size_bytes=0)
    return CsvSource(
        paths=paths,
        is_gzipped=is_gzipped,
        columns=_read_header(load, file, options) if load.has_header else _named(load),
        has_header=load.has_header,
        delimiter=delimiter_of(options),
        enclosure=load.enclosure,
    )


def _find_paths(file: Path) -> tuple[Path, ...]:
    """The file, or the slices in a folder in order of their names."""
    if not file.is_dir():
        return (file,)
    slices = sorted(path for path in file.iterdir() if not path.name.startswith("."))
    if not slices:
        slices = [file / NOTHING]
        slices[0].touch()
    return tuple(slices)


def _named(load: TableLoad) -> tuple[str, ...]:
    if not load.columns:
        raise InvalidTable(f'The file for "{load.table_id}" has no header: name its columns with `columns`.')
    check_width(len(load.columns), load.table_id)
    return to_columns(list(load.columns))


def _read_header(load: TableLoad, file: FileSource, options: CsvOptions) -> tuple[str, ...]:
    names = first_record(file, options)
    if not names:
        raise InvalidTable(f'The file for "{load.table_id}" is empty: it needs a header with the names of its columns.')
    check_width(max(len(names), len(load.columns)), load.table_id)
    header, named = to_columns(names), to_columns(list(load.columns))
    if named and set(named) != set(header):
        raise ColumnsNotMatch(
            f'The file "{load.file.name}" has the columns "{", ".join(header)}" in its header, '
            f'but "{", ".join(named)}" in its manifest.'
        )
    return header
