"""Rows to load, as CSV: from data frames, Arrow, DuckDB, Parquet and JSON lines, with the types of their columns."""

from __future__ import annotations

import re
import uuid
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from penstock.client.engine import open_engine, quote_name, quote_text
from penstock.client.errors import ClientError
from penstock.client.libraries import load_library
from penstock.foundation.structs import Wire

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection, DuckDBPyRelation

_VIEW = "penstock_rows"
_NULL = "\\N"
_DECIMAL = re.compile(r"DECIMAL\((\d+),(\d+)\)")
_INTEGERS = {f"{sign}{size}INT" for sign in ("", "U") for size in ("TINY", "SMALL", "BIG", "HUGE")} | {
    "INTEGER",
    "UINTEGER",
}
_PLAIN = {"BOOLEAN": "BOOLEAN", "DATE": "DATE", "TIME": "TIME", "FLOAT": "FLOAT", "DOUBLE": "FLOAT"}
_NANOSECONDS = "TIMESTAMP_NS"
_TIMESTAMPS = ("TIMESTAMP", "TIMESTAMP_S", "TIMESTAMP_MS", _NANOSECONDS)
_ZONED = "TIMESTAMP WITH TIME ZONE"


class NewType(Wire, frozen=True, omit_defaults=True):
    type: str
    length: str = ""


class NewColumn(Wire, frozen=True):
    name: str
    definition: NewType


class CsvFile(msgspec.Struct, frozen=True):
    """Rows as CSV with a header, ready to be loaded. `null` stands for missing values."""

    path: Path
    columns: list[NewColumn]
    null: str = ""


class NotRows(ClientError):
    status = 400

    def __init__(self, source: object) -> None:
        super().__init__(
            f"{type(source).__name__} cannot be written to a table. "
            "Give an Arrow table, a pandas or Polars data frame, "
            "or a DuckDB relation."
        )


class BinaryColumn(ClientError):
    status = 400

    def __init__(self, name: str) -> None:
        super().__init__(
            f"The column {name!r} contains binary data, which a table cannot hold. Convert it to text first."
        )


def frame_to_csv(data: Any, folder: Path, *, has_null: bool) -> CsvFile:
    """A data frame, an Arrow table or a DuckDB relation; the index of a pandas data frame is not a column.

    Without `has_null`, missing values become empty texts, as a table without types stores them.
    """
    import duckdb

    if isinstance(data, duckdb.DuckDBPyRelation):
        return _to_csv(data, folder, has_null)
    with open_engine(folder) as engine:
        engine.register("given", _to_arrow(data))
        return _to_csv(engine.table("given"), folder, has_null)


def _to_arrow(data: Any) -> Any:
    pyarrow = load_library("pyarrow")
    if type(data).__module__.partition(".")[0] == "pandas" and hasattr(data, "columns"):
        return pyarrow.Table.from_pandas(data, preserve_index=False)
    if not hasattr(data, "__arrow_c_stream__"):
        raise NotRows(data)
    return pyarrow.table(data)


def parquet_to_csv(path: Path, folder: Path, *, has_null: bool) -> CsvFile:
    with open_engine(folder) as engine:
        return _to_csv(engine.sql(f"FROM read_parquet({quote_text(path)})"), folder, has_null)


def json_to_csv(path: Path, folder: Path) -> CsvFile:
    """Each key of any line is a column of text: numbers keep their digits, nested values stay JSON."""
    with open_engine(folder) as engine:
        rows = f"read_ndjson_objects({quote_text(path)}, maximum_object_size => 268435456)"
        values = [f"json->>{quote_text(_json_path(key))} AS {quote_name(key)}" for key in _keys(engine, rows)]
        if not values:
            raise NoKeys(path)
        return _to_csv(engine.sql(f"SELECT {', '.join(values)} FROM {rows}"), folder, has_null=False)


class NoKeys(ClientError):
    status = 400

    def __init__(self, path: Path) -> None:
        super().__init__(
            f"{path.name} contains no JSON objects with keys, so there are no columns. Write one per line."
        )


def _keys(engine: DuckDBPyConnection, rows: str) -> list[str]:
    """Return the keys of the first line in their order, then the others."""
    first = engine.execute(f"SELECT json_keys(json) FROM {rows} LIMIT 1").fetchone()
    every = engine.execute(f"SELECT DISTINCT unnest(json_keys(json)) AS name FROM {rows} ORDER BY name").fetchall()
    return list(dict.fromkeys([*(first[0] if first else ()), *(str(row[0]) for row in every)]))


def _json_path(key: str) -> str:
    escaped = key.replace("\\", "\\\\").replace('"', '\\"')
    return f'$."{escaped}"'


def _to_csv(rows: DuckDBPyRelation, folder: Path, has_null: bool) -> CsvFile:
    types = dict(zip(rows.columns, map(str, rows.types), strict=True))
    expressions = {name: _exact(rows, name, kind) for name, kind in types.items()}
    columns = [NewColumn(name=name, definition=_type_of(name, kind)) for name, kind in expressions.items()]
    values = ", ".join(f"{_as_text(name, kind)} AS {quote_name(name)}" for name, kind in expressions.items())
    target, null = folder / "rows.csv", _null_for(rows, types) if has_null else ""
    options = f"FORMAT csv, HEADER true, NULLSTR {quote_text(null)}, FORCE_QUOTE *"
    rows.query(_VIEW, f"COPY (SELECT {values} FROM {_VIEW}) TO {quote_text(target)} ({options})")
    return CsvFile(target, columns, null)


def _exact(rows: DuckDBPyRelation, name: str, kind: str) -> str:
    """A timestamp of a table has six digits: a column with more of them is text."""
    if kind != _NANOSECONDS:
        return kind
    finer = f"SELECT 1 FROM {_VIEW} WHERE epoch_ns({quote_name(name)}) % 1000 <> 0 LIMIT 1"
    return "VARCHAR" if rows.query(_VIEW, finer).fetchone() else kind


def _type_of(name: str, kind: str) -> NewType:
    if kind in ("BLOB", "BIT"):
        raise BinaryColumn(name)
    if kind in _INTEGERS:
        return NewType(type="INTEGER")
    if decimal := _DECIMAL.fullmatch(kind):
        return NewType(type="NUMBER", length=f"{decimal[1]},{decimal[2]}")
    if kind in _TIMESTAMPS:
        return NewType(type="TIMESTAMP_NTZ")
    return NewType(type="TIMESTAMP_TZ" if kind == _ZONED else _PLAIN.get(kind, "VARCHAR"))


def _as_text(name: str, kind: str) -> str:
    column = quote_name(name)
    if kind == _ZONED:
        return f"CAST({column} AT TIME ZONE 'UTC' AS VARCHAR) || '+00'"
    if kind in _TIMESTAMPS:
        return f"CAST(CAST({column} AS TIMESTAMP) AS VARCHAR)"
    if kind.endswith("]") or kind.startswith(("STRUCT", "MAP", "UNION")):
        return f"CAST(to_json({column}) AS VARCHAR)"
    return f"CAST({column} AS VARCHAR)"


def _null_for(rows: DuckDBPyRelation, types: dict[str, str]) -> str:
    """A text that is not a value of any column: an empty string is not a missing one."""
    texts = [quote_name(name) for name, kind in types.items() if kind == "VARCHAR"]
    if not texts:
        return ""
    is_taken = " OR ".join(f"{name} = {quote_text(_NULL)}" for name in texts)
    row = rows.query(_VIEW, f"SELECT 1 FROM {_VIEW} WHERE {is_taken} LIMIT 1").fetchone()
    return f"null-{uuid.uuid4()}" if row else _NULL
