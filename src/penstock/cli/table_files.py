"""Tables to files and back, for `penstock tables download` and `upload`."""

from __future__ import annotations

import shutil
import sys
from argparse import Namespace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import BinaryIO

from penstock.cli.destination import STDOUT, destination
from penstock.cli.transfer_progress import TransferProgress
from penstock.client import Client, Table
from penstock.client.formats import find_format, write_rows
from penstock.client.sources import CsvFile, json_to_csv, parquet_to_csv
from penstock.foundation.errors import NotFound


def download(client: Client, options: Namespace) -> tuple[Table, str, int]:
    """The table, the name of the written file, and the number of rows."""
    table = client.tables.get(options.table)
    name = options.file or f"{table.name}.{options.format or 'csv'}"
    file_format = options.format or ("csv" if name == STDOUT else find_format(name))
    with destination(name, overwrite=options.overwrite) as target:
        folder = target.parent / "slices"
        folder.mkdir()
        with TransferProgress(f"Downloading {table.id}") as progress:
            rows = write_rows(
                client.tables.export(table.id, folder, on_bytes=progress.add),
                table,
                target,
                file_format,
                is_gzipped=name.lower().endswith(".gz"),
                delimiter=_delimiter(options, name),
            )
    return table, name, rows


def upload(client: Client, options: Namespace) -> Table:
    file_format = options.format or ("csv" if options.file == STDOUT else find_format(options.file))
    if file_format == "csv" and options.file == STDOUT:
        return _load(client, options, sys.stdin.buffer, None, _delimiter(options, STDOUT))
    with TemporaryDirectory(prefix="penstock-") as folder:
        path = _path(options.file, Path(folder))
        if file_format == "csv":
            return _load(client, options, path, path.stat().st_size, _delimiter(options, path.name))
        if file_format == "jsonl":
            rows = json_to_csv(path, Path(folder)).path
            return _load(client, options, rows, rows.stat().st_size)
        existing = client.tables.find(options.table)
        typed = parquet_to_csv(path, Path(folder), has_null=existing is None or existing.is_typed)
        return _load(client, options, typed, typed.path.stat().st_size)


def _delimiter(options: Namespace, name: str) -> str:
    return options.delimiter or ("\t" if name.lower().removesuffix(".gz").endswith(".tsv") else ",")


def _path(name: str, folder: Path) -> Path:
    """Formats other than CSV are not read from a pipe, but from a file."""
    if name != STDOUT:
        if not Path(name).is_file():
            raise NotFound(f"There is no file {name}.")
        return Path(name)
    copy = folder / "given"
    with copy.open("wb") as target:
        shutil.copyfileobj(sys.stdin.buffer, target, 1 << 20)
    return copy


def _load(
    client: Client, options: Namespace, source: Path | BinaryIO | CsvFile, size: int | None, delimiter: str = ","
) -> Table:
    with TransferProgress(f"Uploading {options.table}", size) as progress:
        return client.tables.load(
            options.table,
            source,
            primary_key=options.primary_key,
            incremental=options.incremental,
            delimiter=delimiter,
            on_bytes=progress.add,
        )
