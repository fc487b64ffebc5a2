"""Insert many rows in few statements: with one statement per row, 10,000 rows would block other writers for seconds,
since the driver releases and reacquires the GIL for each of them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from itertools import chain
from typing import Any

from sqlalchemy import Connection, Table

MAX_VALUES = 2_000
"""Per statement. With more, parsing takes longer than running."""


def insert_rows(connection: Connection, table: Table, rows: Sequence[Mapping[str, Any]], on_conflict: str = "") -> None:
    """Insert rows with the same columns. `on_conflict` is SQL that both databases accept: `ON CONFLICT (…) DO UPDATE
    …`; no two of the rows may conflict with each other."""
    if rows:
        columns = {name: [row[name] for row in rows] for name in rows[0]}
        insert_columns(connection, table, columns, on_conflict)


def insert_columns(
    connection: Connection, table: Table, columns: Mapping[str, Sequence[Any]], on_conflict: str = ""
) -> None:
    """The same for values that are there by column, each with as many: others wait less long than while rows are
    made of them."""
    names = list(columns)
    # As the driver accepts them: column by column, since most need no conversion.
    rows = list(zip(*(_convert(connection, table, name, columns[name]) for name in names), strict=True))
    size = MAX_VALUES // len(names)
    for start in range(0, len(rows), size):
        part = rows[start : start + size]
        statement = _write(connection, table, names, len(part), on_conflict)
        connection.exec_driver_sql(statement, tuple(chain.from_iterable(part)))


def _convert(connection: Connection, table: Table, name: str, values: Sequence[Any]) -> Iterable[Any]:
    dialect = connection.dialect
    convert = table.c[name].type.dialect_impl(dialect).bind_processor(dialect)
    if not convert or not values:
        return values
    known = {value: convert(value) for value in set(values)} if isinstance(values[0], datetime) else None
    return [known[value] for value in values] if known else map(convert, values)


def _write(connection: Connection, table: Table, names: Sequence[str], count: int, on_conflict: str) -> str:
    dialect = connection.dialect
    quote = dialect.identifier_preparer.quote
    mark = "?" if dialect.paramstyle == "qmark" else "%s"
    row = f"({', '.join([mark] * len(names))})"
    return f"INSERT INTO {table.name} ({', '.join(map(quote, names))}) VALUES {', '.join([row] * count)} {on_conflict}"
