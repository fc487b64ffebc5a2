"""The rows of a statement: as Python values, Arrow, pandas or Polars, or as a file. They are kept for a day."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

import msgspec

from penstock.client.engine import open_engine, quote_list
from penstock.client.html import table_html
from penstock.client.libraries import load_library
from penstock.client.sql.models import Column, Results

if TYPE_CHECKING:
    from penstock.client.sql.queries import Queries

FIRST_ROWS = 1_000
_ROWS_SHOWN = 10
_MIN_PAGE = 100
"""The service makes none smaller."""


class SqlResult:
    """Made by client.sql(). Each call reads the rows again."""

    def __init__(self, queries: Queries, result_id: str, url: str) -> None:
        self._queries, self._url = queries, url
        self.id = result_id
        """client.queries.find() finds the result again by it."""
        self._first: Results | None = None

    @property
    def first_page(self) -> Results:
        """The first rows as text, and what is known of the whole result."""
        if self._first is None:
            self._first = self._queries.read_page(self._url, 0, FIRST_ROWS)
        return self._first

    def page(self, offset: int, size: int) -> Results:
        """Some of the rows, as text."""
        page = self._queries.read_page(self._url, offset, max(size, _MIN_PAGE))
        return msgspec.structs.replace(page, data=page.data[:size])

    @property
    def columns(self) -> list[Column]:
        """Empty if the statement returns no rows, such as CREATE TABLE."""
        return self.first_page.columns

    @property
    def number_of_rows(self) -> int:
        return self.first_page.number_of_rows

    @property
    def message(self) -> str:
        """The message of the engine about the statement."""
        return self.first_page.message or ""

    def __repr__(self) -> str:
        return f"SqlResult({self.number_of_rows} rows: {', '.join(column.name for column in self.columns)})"

    def _repr_html_(self) -> str:
        """Notebooks show the first rows."""
        names = [f"{column.name} ({column.type.lower()})" for column in self.columns]
        return table_html(
            names, [["NULL" if cell is None else cell for cell in row] for row in self.first_page.data[:_ROWS_SHOWN]]
        )

    def rows(self) -> list[tuple[Any, ...]]:
        """All rows, with the types of Python: numbers, decimals, dates, times."""
        if not self.columns:
            return []
        with TemporaryDirectory(prefix="penstock-") as folder:
            file = self._download("parquet", Path(folder))
            with open_engine(Path(folder)) as engine:
                return engine.execute(f"FROM read_parquet({quote_list([file])})").fetchall()

    def to_arrow(self) -> Any:
        """A `pyarrow.Table`."""
        ipc = load_library("pyarrow.ipc")
        pyarrow = load_library("pyarrow")
        if not self.columns:
            return pyarrow.table({})
        with TemporaryDirectory(prefix="penstock-") as folder:
            file = self._download("arrow", Path(folder))
            return ipc.open_stream(pyarrow.py_buffer(file.read_bytes())).read_all()

    def to_pandas(self) -> Any:
        """A `pandas.DataFrame` whose columns have Arrow types: integers stay integers where values are missing."""
        pandas = load_library("pandas")
        return self.to_arrow().to_pandas(types_mapper=pandas.ArrowDtype)

    def to_polars(self) -> Any:
        """A `polars.DataFrame`."""
        polars = load_library("polars")
        return polars.from_arrow(self.to_arrow())

    def write(self, target: Path, file_type: str, *, gzip: bool = False) -> None:
        """Write all rows into a file: `csv`, `parquet` or `arrow`."""
        self._queries.download(self._url, file_type, target, gzip=gzip)

    def _download(self, file_type: str, folder: Path) -> Path:
        target = folder / f"rows.{file_type}"
        self.write(target, file_type)
        return target
