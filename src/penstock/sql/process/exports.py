"""Results and tables as files: CSV and Parquet by the database, Arrow by a small library of its own."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import Any

import duckdb

from penstock.foundation.text.quoting import quote_name, quote_value
from penstock.sql.errors import TableMissing
from penstock.sql.folders import FILES
from penstock.sql.messages import Export, Setup
from penstock.sql.process import results

_CSV = "FORMAT csv, HEADER {header}, DELIMITER ',', QUOTE '\"', ESCAPE '\"', FORCE_QUOTE *, COMPRESSION {compression}"
_PARQUET = "FORMAT parquet, COMPRESSION zstd"


def export(cursor: duckdb.DuckDBPyConnection, request: Export, setup: Setup) -> bool:
    rows = _select_result(request.statement_id) if request.statement_id else _select_table(cursor, request, setup)
    target = f"{FILES}/{request.file}"
    if request.format == "arrow":
        _write_arrow(cursor, rows, target)
        return True
    compression = "gzip" if request.gzip else "none"
    options = _CSV.format(header=request.has_header, compression=compression) if request.format == "csv" else _PARQUET
    cursor.execute(f"COPY ({rows}) TO {quote_value(target)} ({options})")
    return True


def _select_result(statement_id: str) -> str:
    """A statement without rows gives one column without rows: a file has to have one."""
    outcome = results.read_outcome(statement_id)
    if not outcome.columns:
        return "SELECT NULL::VARCHAR AS result WHERE false"
    names = ", ".join(f"c{number} AS {quote_name(column.name)}" for number, column in enumerate(outcome.columns))
    return f"SELECT {names} FROM read_parquet({quote_value(results.rows_file(statement_id))})"


def _select_table(cursor: duckdb.DuckDBPyConnection, request: Export, setup: Setup) -> str:
    address = f"{quote_name(setup.database)}.{quote_name(setup.schema)}.{quote_name(request.table)}"
    try:
        columns = results.describe(cursor, f"SELECT * FROM {address}")
    except duckdb.CatalogException as error:
        raise TableMissing(request.table) from error
    values = "*" if request.format == "csv" else ", ".join(results.stored(column) for column in columns)
    return f"SELECT {values} FROM {address}"


def _write_arrow(cursor: duckdb.DuckDBPyConnection, rows: str, target: str) -> None:
    """The stream format of Arrow IPC, batch by batch."""
    # Imported when it is used: it takes as long as the database. It has no types.
    nanoarrow: Any = import_module("nanoarrow")
    ipc: Any = import_module("nanoarrow.ipc")
    with Path(target).open("wb") as file, ipc.StreamWriter.from_writable(file) as writer:
        writer.write_stream(nanoarrow.c_array_stream(cursor.sql(rows)))
