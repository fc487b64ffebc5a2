"""A whole table through the client: `penstock tables download` beside DuckDB's own COPY, and `to_arrow()` beside
reading the Parquet files of the table."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import duckdb
import pyarrow.parquet as pq

from penstock.client import connect
from tests.benchmarks.lake.bench import best, seconds
from tests.benchmarks.lines import Line
from tests.benchmarks.stack.work import MILLION, Office
from tests.support.stacks import PENSTOCK, clean_environment

TABLE = "in.c-client.orders"
ROWS = f"""
    SELECT i AS id, 'customer ' || (i % 50000) AS customer, (i * 7 % 100000 / 100)::DECIMAL(12,2) AS amount,
           (i * 0.37)::DOUBLE AS score, DATE '2024-01-01' + (i % 900)::INTEGER AS day,
           TIMESTAMP '2024-01-01' + to_seconds(i) AS made, i % 3 = 0 AS is_paid, 'about ' || md5(i::VARCHAR) AS note
    FROM range({MILLION}) AS numbers(i)
"""
_COPY = "import duckdb, sys; duckdb.execute(sys.argv[1])"


def measure_client(office: Office) -> Iterator[Line]:
    greeting = office.stack.greeting
    with connect(greeting["storageUrl"], greeting["token"]) as client:
        table = client.write_table(duckdb.sql(ROWS), TABLE)
        files = _files(office.bench.folder / "data")
        yield _measure_download(office, files, table.columns)
        read, columns = client.table(TABLE).to_arrow, table.columns
        assert read().num_rows == MILLION
        turns = [
            (seconds(read), seconds(lambda: pq.read_table([str(file) for file in files], columns=columns)))
            for _ in range(office.bench.rounds)
        ]
        ours, beside = best(turns)
        yield Line("to_arrow() of 1M rows; reading the Parquet files", ours, 1.5, beside)


def _files(folder: Path) -> list[Path]:
    """Of the table: the stack is new, and its sample tables are small."""
    return [file for file in folder.rglob("*.parquet") if pq.read_metadata(file).num_rows == MILLION]


def _measure_download(office: Office, files: list[Path], columns: list[str]) -> Line:
    folder = office.bench.folder
    rows = f"SELECT {', '.join(columns)} FROM read_parquet({[str(file) for file in files]})"
    copy = [sys.executable, "-c", _COPY, f"COPY ({rows}) TO '{folder / 'by_hand.csv'}' (FORMAT csv, HEADER)"]
    ours = [*PENSTOCK, "tables", "download", TABLE, str(folder / "ours.csv"), "--overwrite"]
    ours += ["--data-dir", str(office.stack.folder)]
    turns = [(seconds(lambda: _run(ours)), seconds(lambda: _run(copy))) for _ in range(office.bench.rounds)]
    assert (folder / "ours.csv").stat().st_size == (folder / "by_hand.csv").stat().st_size
    spent, beside = best(turns)
    return Line("`penstock tables download` of 1M rows; COPY in DuckDB", spent, 1.3, beside)


def _run(command: list[str]) -> None:
    subprocess.run(command, check=True, capture_output=True, env=clean_environment())
