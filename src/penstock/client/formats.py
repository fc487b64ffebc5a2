"""Rows of a table in files: CSV with a header, JSON lines, Parquet."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from penstock.client.engine import open_engine, quote_list, quote_name, quote_text
from penstock.client.errors import ClientError
from penstock.client.models import Table

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

FORMATS = ("csv", "jsonl", "parquet")
SUFFIXES = {
    ".csv": "csv",
    ".tsv": "csv",
    ".txt": "csv",
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    ".json": "jsonl",
    ".parquet": "parquet",
}
_OPTIONS = {
    "csv": "FORMAT csv, HEADER true",
    "jsonl": "FORMAT json, ARRAY false",
    "parquet": "FORMAT parquet, COMPRESSION zstd",
}
_DECIMAL = re.compile(r"DECIMAL\((\d+),(\d+)\)")
_EXACT_DIGITS = 15
"""Of a decimal number that a JSON reader with 64-bit floats reads exactly."""


class UnknownFormat(ClientError):
    status = 400

    def __init__(self, name: str) -> None:
        super().__init__(
            f"The name {name!r} does not say its format. Use a name that ends with .csv, .jsonl or .parquet, "
            f"or give the format: {', '.join(FORMATS)}."
        )


def find_format(name: str) -> str:
    """The format of a file by its name; `.gz` may follow."""
    suffix = Path(name.lower().removesuffix(".gz")).suffix
    if suffix not in SUFFIXES:
        raise UnknownFormat(name)
    return SUFFIXES[suffix]


def write_rows(
    slices: list[Path], table: Table, target: Path, file_format: str, *, is_gzipped: bool = False, delimiter: str = ","
) -> int:
    """Write exported slices into one file with the columns of the table; returns the number of rows."""
    with open_engine(target.parent) as engine:
        rows = f"SELECT {select_list(engine, slices, table, table.columns, file_format)} FROM {read_slices(slices)}"
        options = _OPTIONS[file_format] + (f", DELIMITER {quote_text(delimiter)}" if file_format == "csv" else "")
        packing = ", COMPRESSION gzip" if is_gzipped and file_format != "parquet" else ""
        copied = engine.execute(f"COPY ({rows}) TO {quote_text(target)} ({options}{packing})").fetchone()
    target.touch()  # of no rows, some formats write no file
    return int(copied[0]) if copied else 0


def read_slices(slices: list[Path]) -> str:
    return f"read_parquet({quote_list(slices)})"


def select_list(
    engine: DuckDBPyConnection, slices: list[Path], table: Table, columns: Sequence[str], file_format: str = ""
) -> str:
    """SQL for the columns by name: slices may have internal ones too."""
    described = engine.execute(f"DESCRIBE FROM {read_slices(slices)}").fetchall()
    types = {str(row[0]): str(row[1]) for row in described}
    values = [f"{_value(name, types[name], table, file_format)} AS {quote_name(name)}" for name in columns]
    return ", ".join(values)


def _value(name: str, kind: str, table: Table, file_format: str) -> str:
    column = quote_name(name)
    if not table.is_typed:
        return f"coalesce({column}, '')"  # tables without types have no NULL
    if decimal := _DECIMAL.fullmatch(kind):
        return _number(column, int(decimal[1]), int(decimal[2]), file_format)
    return column


def _number(column: str, digits: int, scale: int, file_format: str) -> str:
    if scale == 0 and file_format in ("", "jsonl"):
        return f"CAST({column} AS HUGEINT)"
    is_exact = digits <= _EXACT_DIGITS or file_format != "jsonl"
    return column if is_exact else f"CAST({column} AS VARCHAR)"
