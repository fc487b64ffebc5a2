"""The rows of a statement: a table on a terminal, or everything as CSV, JSON or Parquet."""

from __future__ import annotations

import sys
from argparse import Namespace
from pathlib import Path
from tempfile import TemporaryDirectory

from penstock.cli.destination import STDOUT, destination
from penstock.cli.output import clean, print_error, print_table
from penstock.client import SqlResult
from penstock.client.engine import open_engine, quote_list, quote_text

NULL = "NULL"
_INTEGERS = ("TINYINT", "SMALLINT", "INTEGER", "BIGINT", "HUGEINT", "UTINYINT", "USMALLINT", "UINTEGER", "UBIGINT")


def show(result: SqlResult, options: Namespace) -> None:
    if not result.columns:
        print(clean(result.message or "Done."))
    elif options.csv:
        with destination(STDOUT, overwrite=True) as target:
            result.write(target, "csv")
    elif options.json:
        with destination(STDOUT, overwrite=True) as target:
            _write_json(result, target)
    elif options.parquet:
        with destination(options.parquet, overwrite=options.overwrite) as target:
            result.write(target, "parquet")
        print(clean(f"{result.number_of_rows} rows in {options.parquet}"))
    else:
        _print_table(result)


def _print_table(result: SqlResult) -> None:
    shown = result.first_page.data
    print_table([column.name for column in result.columns], [_cells(result, row) for row in shown])
    if len(shown) < result.number_of_rows:
        print_error(
            f"The first {len(shown):,} of {result.number_of_rows:,} rows. All of them: --csv, --json or --parquet FILE."
        )
    elif sys.stdout.isatty():
        print_error(f"{result.number_of_rows:,} {'row' if result.number_of_rows == 1 else 'rows'}")


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
            rows = f"FROM read_parquet({quote_list([file])})"
            engine.execute(f"COPY ({rows}) TO {quote_text(target)} (FORMAT json, ARRAY true)")
