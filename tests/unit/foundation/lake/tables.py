"""A lake for tests, with files written as components write them."""

from __future__ import annotations

import csv
import itertools
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from hypothesis import HealthCheck, settings

from penstock.foundation.lake import CsvSource, Lake, LakeTable, Load, Loaded, Query, load_csv, read_rows
from penstock.foundation.lake.catalogs import find_catalog

few_examples = settings(
    max_examples=25 if os.environ.get("PENSTOCK_EXAMPLES") == "explore" else 6,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
"""Each of them is a whole load, or several; `make soak` tries more."""

Rows = Sequence[Sequence[str]]
HEADER = ("id", "name")
USERS = LakeTable(1, "users")


class Tables:
    """Loads rows, header first, and reads them back."""

    def __init__(self, folder: Path, threads: int = 1) -> None:
        self.folder = folder
        self.lake = Lake(folder / "lake")
        # A load of a few rows takes half of the processor time with one thread.
        self.lake.threads = threads
        self._numbers = itertools.count(1)

    def load(self, rows: Rows, table: LakeTable = USERS, *, load_id: str | None = None, **options: Any) -> Loaded:
        file = self.folder / "file.csv"
        with file.open("w", newline="", encoding="utf-8") as text:
            csv.writer(text, quoting=csv.QUOTE_ALL, lineterminator="\n").writerows(rows)
        return self.load_file(file, tuple(rows[0]), table, load_id=load_id, **options)

    def load_file(
        self, file: Path, columns: tuple[str, ...], table: LakeTable = USERS, load_id: str | None = None, **options: Any
    ) -> Loaded:
        source = CsvSource(paths=(file,), columns=columns, has_header=True)
        return self.load_source(source, table, load_id, **options)

    def load_source(
        self, source: CsvSource, table: LakeTable = USERS, load_id: str | None = None, **options: Any
    ) -> Loaded:
        load = Load(id=load_id or f"of-test-{next(self._numbers)}", source=source, **options)
        with self.lake.one_writer(table):
            return load_csv(self.lake, table, load)

    def read(self, columns: Sequence[str], table: LakeTable = USERS) -> list[tuple[str, ...]]:
        return read_rows(self.lake, table, Query(columns=tuple(columns)))

    def files(self, table: LakeTable = USERS) -> list[Path]:
        return sorted(self.data_folder(table).iterdir())

    def data_folder(self, table: LakeTable = USERS) -> Path:
        """Where the table's Parquet files are."""
        return find_catalog(self.lake.folder, table).data_folder(table.relation)


def attached(lake: Lake) -> set[str]:
    """What the lake's engine calls the catalogs that it has open, this one's among them."""
    with lake.session(USERS) as session:
        rows = session.execute("SELECT database_name FROM duckdb_databases() WHERE NOT internal").fetchall()
    return {str(row[0]) for row in rows if not str(row[0]).startswith("__") and row[0] != "memory"}
