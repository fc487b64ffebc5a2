"""Rows of a table as Arrow, pandas, Polars or DuckDB, and back: columns are converted as a whole, never row by row."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from concurrent.futures import Future
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from penstock.client.engine import quote_name
from penstock.client.errors import ClientError
from penstock.client.formats import read_slices, select_list
from penstock.client.html import facts_html, table_html
from penstock.client.libraries import load_library
from penstock.client.models import Table
from penstock.client.sources import frame_to_csv
from penstock.client.tables import Tables

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection, DuckDBPyRelation

_INTEGER = "INTEGER"
_ROWS_SHOWN = 10


class UnknownColumns(ClientError):
    status = 400

    def __init__(self, table: Table, names: list[str]) -> None:
        super().__init__(f"{table.id} has no column {', '.join(names)}; it has: {', '.join(table.columns)}.")


class TableData:
    """The rows of one table. Each call reads all of them as they are now."""

    def __init__(self, tables: Tables, table_id: str) -> None:
        self._tables, self.id = tables, table_id

    def __repr__(self) -> str:
        return f"TableData({self.id!r})"

    def _repr_html_(self) -> str:
        """Notebooks show this: the columns with their types, and the first rows."""
        table, preview = self.describe(), self._tables.preview(self.id, _ROWS_SHOWN)
        columns = [f"{name} ({table.types.get(name, 'STRING').lower()})" for name in preview.columns]
        facts: dict[str, object] = {"Rows": table.rows_count, "Primary key": ", ".join(table.primary_key)}
        return facts_html(table.id, facts) + table_html(columns, preview.rows)

    def describe(self) -> Table:
        return self._tables.get(self.id)

    def to_arrow(self, columns: Sequence[str] = ()) -> Any:
        """A `pyarrow.Table`. Integers are `int64`, unless one is too large: then they are decimals with all digits."""
        load_library("pyarrow.parquet")
        described = self._tables.background.submit(self.describe)
        return _read_arrow(self._tables.read_files(self.id), described, columns)

    def to_pandas(self, columns: Sequence[str] = ()) -> Any:
        """A `pandas.DataFrame` whose columns have Arrow types: integers stay integers where values are missing."""
        pandas = load_library("pandas")
        return self.to_arrow(columns).to_pandas(types_mapper=pandas.ArrowDtype)

    def to_polars(self, columns: Sequence[str] = ()) -> Any:
        """A `polars.DataFrame`."""
        polars = load_library("polars")
        return polars.from_arrow(self.to_arrow(columns))

    def to_duckdb(self, connection: DuckDBPyConnection | None = None, columns: Sequence[str] = ()) -> DuckDBPyRelation:
        """A temporary table of the connection, by default of a new one in memory; it has the name of the table."""
        import duckdb

        duck = connection or duckdb.connect()
        with TemporaryDirectory(prefix="penstock-") as folder:
            table, slices = self.describe(), self._tables.export(self.id, Path(folder))
            names, target = _checked(table, columns), quote_name(table.name)
            rows = f"SELECT {select_list(duck, slices, table, names)} FROM {read_slices(slices)}"
            duck.execute(f"CREATE OR REPLACE TEMP TABLE {target} AS {rows}")
        return duck.sql(f"FROM temp.{target}")


def write_table(
    tables: Tables, data: Any, table_id: str, primary_key: Sequence[str] = (), incremental: bool = False
) -> Table:
    known = tables.find(table_id)
    with TemporaryDirectory(prefix="penstock-") as folder:
        rows = frame_to_csv(data, Path(folder), has_null=known is None or known.is_typed)
        return tables.load(table_id, rows, primary_key=primary_key, incremental=incremental)


def _checked(table: Table, columns: Sequence[str]) -> list[str]:
    if unknown := [name for name in columns if name not in table.columns]:
        raise UnknownColumns(table, unknown)
    return list(columns or table.columns)


def _read_arrow(files: Iterable[bytes], described: Future[Table], columns: Sequence[str]) -> Any:
    """The table is described while the first file arrives."""
    pyarrow, parquet = load_library("pyarrow"), load_library("pyarrow.parquet")
    found: list[Any] = []
    for content in files:
        names = _checked(described.result(), columns)
        found.append(parquet.read_table(pyarrow.BufferReader(content), columns=names))
    whole, table = pyarrow.concat_tables(found), described.result()
    for position, name in enumerate(whole.column_names):
        whole = whole.set_column(position, name, _converted(whole.column(position), name, table))
    return whole


def _converted(values: Any, name: str, table: Table) -> Any:
    pyarrow = load_library("pyarrow")
    if not table.is_typed:
        return values.fill_null("") if values.null_count else values  # tables without types have no NULL
    if table.types[name] == _INTEGER:
        try:
            return values.cast(pyarrow.int64())
        except pyarrow.ArrowInvalid:
            return values
    return values
