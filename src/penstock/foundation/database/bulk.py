"""Insert many rows in few statements: with one statement per row, 10,000 rows would block other writers for seconds,
since the driver releases and reacquires the GIL for each of them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Table

MAX_VALUES = 2_000
"""Per statement. With more, parsing takes longer than running."""


def insert_rows(connection: Connection, table: Table, rows: Sequence[Mapping[str, Any]], on_conflict: str = "") -> None:
    """Insert rows with the same columns. `on_conflict` is SQL that both databases accept: `ON CONFLICT (…) DO UPDATE
    …`; no two of the rows may conflict with each other."""
    if not rows:
        return
    names = list(rows[0])
    converted = _convert(connection, table, names, rows)
    size = MAX_VALUES // len(names)
    for start in range(0, len(rows), size):
        part = converted[start : start + size]
        statement = _write(connection, table, names, len(part), on_conflict)
        connection.exec_driver_sql(statement, tuple(value for row in part for value in row))


def _convert(
    connection: Connection, table: Table, names: Sequence[str], rows: Sequence[Mapping[str, Any]]
) -> list[tuple[Any, ...]]:
    """The values as the driver accepts them: column by column, since most need no conversion."""
    columns = [_convert_column(connection, table, name, [row[name] for row in rows]) for name in names]
    return list(zip(*columns, strict=True))


def _convert_column(connection: Connection, table: Table, name: str, values: list[Any]) -> Iterable[Any]:
    dialect = connection.dialect
    convert = table.c[name].type.dialect_impl(dialect).bind_processor(dialect)
    if not convert:
        return values
    known = {value: convert(value) for value in set(values)} if isinstance(values[0], datetime) else None
    return [known[value] for value in values] if known else map(convert, values)


def _write(connection: Connection, table: Table, names: Sequence[str], count: int, on_conflict: str) -> str:
    dialect = connection.dialect
    quote = dialect.identifier_preparer.quote
    mark = "?" if dialect.paramstyle == "qmark" else "%s"
    row = f"({', '.join([mark] * len(names))})"
    return f"INSERT INTO {table.name} ({', '.join(map(quote, names))}) VALUES {', '.join([row] * count)} {on_conflict}"
