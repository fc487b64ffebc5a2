"""The rows of a statement: a table on a terminal, or everything as CSV, JSON or Parquet."""

from __future__ import annotations

import sys
from argparse import Namespace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from penstock.cli.destination import STDOUT, destination
from penstock.cli.output import clean, print_error, print_table
from penstock.client import SqlResult
from penstock.client.engine import open_engine, quote_list, quote_name, quote_text

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

NULL = "NULL"
_FLOATS = ("FLOAT", "DOUBLE")
_INTEGERS = ("TINYINT", "SMALLINT", "INTEGER", "BIGINT", "HUGEINT", "UTINYINT", "USMALLINT", "UINTEGER", "UBIGINT")


def show(result: SqlResult, options: Namespace) -> None:
    if not result.columns:
        _note(result.message or "Done.", is_output=not (options.csv or options.json or options.parquet))
    elif options.csv:
        with destination(STDOUT, overwrite=True) as target:
            result.write(target, "csv")
    elif options.json:
        with destination(STDOUT, overwrite=True) as target:
            _write_json(result, target)
    elif options.parquet:
        with destination(options.parquet, overwrite=options.overwrite) as target:
            result.write(target, "parquet")
        _note(f"{_count(result)} in {options.parquet}", is_output=options.parquet != STDOUT)
    else:
        _print_table(result)


def _note(text: str, *, is_output: bool) -> None:
    """Print to stderr if standard output is for rows."""
    print(clean(text), file=sys.stdout if is_output else sys.stderr)


def _count(result: SqlResult) -> str:
    return f"{result.number_of_rows:,} {'row' if result.number_of_rows == 1 else 'rows'}"


def _print_table(result: SqlResult) -> None:
    rows = result.first_page.data
    print_table([column.name for column in result.columns], [_cells(result, row) for row in rows])
    if len(rows) < result.number_of_rows:
        print_error(
            f"The first {len(rows):,} of {result.number_of_rows:,} rows. All of them: --csv, --json or --parquet FILE."
        )
    elif sys.stdout.isatty():
        print_error(_count(result))


def _cells(result: SqlResult, row: list[str | None]) -> list[str | int]:
    """Integers are aligned to the right."""
    return [
        NULL if cell is None else int(cell) if column.type in _INTEGERS else cell
        for column, cell in zip(result.columns, row, strict=True)
    ]


def _write_json(result: SqlResult, target: Path) -> None:
    """Numbers stay numbers."""
    with TemporaryDirectory(prefix="penstock-") as folder:
        file = Path(folder) / "rows.parquet"
        result.write(file, "parquet")
        with open_engine(Path(folder)) as engine:
            rows = f"SELECT {_json_values(engine, file)} FROM read_parquet({quote_list([file])})"
            engine.execute(f"COPY ({rows}) TO {quote_text(target)} (FORMAT json, ARRAY true)")


def _json_values(engine: DuckDBPyConnection, file: Path) -> str:
    described = engine.execute(f"DESCRIBE FROM read_parquet({quote_list([file])})").fetchall()
    return ", ".join(_json_value(quote_name(str(row[0])), str(row[1])) for row in described)


def _json_value(column: str, kind: str) -> str:
    """JSON has no NaN and no infinity: they become text."""
    if kind not in _FLOATS:
        return column
    return f"CASE WHEN isfinite({column}) THEN to_json({column}) ELSE to_json({column}::VARCHAR) END AS {column}"
