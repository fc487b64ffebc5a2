"""Rows of a table as Arrow, pandas, Polars or DuckDB, and back: columns are converted as a whole, never row by row."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
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

IN_MEMORY_BYTES = 256 * 1024 * 1024
"""Larger tables go to a disk before they are read: only the requested columns of them are then in memory."""
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
        parquet = load_library("pyarrow.parquet")
        table = self.describe()
        names = _checked(table, columns)
        if (table.data_size_bytes or 0) > IN_MEMORY_BYTES:
            with TemporaryDirectory(prefix="penstock-") as folder:
                paths = [str(path) for path in self._tables.export(self.id, Path(folder))]
                # No partitioning: the folder's name would otherwise be read as the value of a column.
                return _converted(parquet.read_table(paths, columns=names, partitioning=None), table)
        pyarrow = load_library("pyarrow")
        contents = map(pyarrow.BufferReader, self._tables.read_files(self.id))
        parts = [parquet.read_table(content, columns=names) for content in contents]
        return _converted(pyarrow.concat_tables(parts, promote_options="permissive"), table)

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
    existing = tables.find(table_id)
    with TemporaryDirectory(prefix="penstock-") as folder:
        rows = frame_to_csv(data, Path(folder), has_null=existing is None or existing.is_typed)
        return tables.load(table_id, rows, primary_key=primary_key, incremental=incremental)


def _checked(table: Table, columns: Sequence[str]) -> list[str]:
    if unknown := [name for name in columns if name not in table.columns]:
        raise UnknownColumns(table, unknown)
    return list(columns or table.columns)


def _converted(rows: Any, table: Table) -> Any:
    for position, name in enumerate(rows.column_names):
        values = rows.column(position)
        if not table.is_typed and values.null_count:
            values = values.fill_null("")  # tables without types have no NULL
        elif table.types[name] == _INTEGER:
            values = _to_integers(values)
        rows = rows.set_column(position, name, values)
    return rows


def _to_integers(values: Any) -> Any:
    """Part by part, on all processors; the decimals that they are stored as, if one is too large."""
    pyarrow = load_library("pyarrow")
    kind = pyarrow.int64()
    try:
        with ThreadPoolExecutor() as threads:
            parts = list(threads.map(partial(_cast, kind), values.chunks))
    except pyarrow.ArrowInvalid:
        return values
    return pyarrow.chunked_array(parts, kind)


def _cast(kind: Any, values: Any) -> Any:
    return values.cast(kind)
