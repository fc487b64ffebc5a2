"""Read rows of a table as text."""

from __future__ import annotations

from collections.abc import Sequence

from penstock.foundation.lake.catalogs import LakeTable
from penstock.foundation.lake.lake import Lake
from penstock.foundation.lake.query import ROWS, Query, Types, as_nullable_text, as_text, chosen, rest, where
from penstock.foundation.lake.relations import columns_of, source
from penstock.foundation.lake.session import Session
from penstock.foundation.lake.types import HIDDEN, Column
from penstock.foundation.text.quoting import name_list, quote_name, quote_value


def read_rows(lake: Lake, table: LakeTable, query: Query, version: int | None = None) -> list[tuple[str, ...]]:
    """All at once, for previews. Larger results are exported."""
    with lake.existing(table) as session:
        return session.execute(select_text(session, table, query, version)).fetchall()


def count_rows(lake: Lake, table: LakeTable, query: Query | None = None) -> int:
    with lake.existing(table) as session:
        rows = from_where(session, query or Query(), types_of(session, table))
        return int(session.one(f"SELECT count(*) FROM (SELECT 1 {rows})")[0])


def has_duplicates(lake: Lake, table: LakeTable, columns: Sequence[str]) -> bool:
    """Whether two rows have the same values in these columns."""
    with lake.existing(table) as session:
        types = types_of(session, table)
        key = ", ".join(f"{as_text(name, types)} AS {quote_name(name)}" for name in columns)
        return has_repeated(session, f"(SELECT {key} FROM {session.address} AS {ROWS})", columns)


def find_null_column(lake: Lake, table: LakeTable, columns: Sequence[str]) -> str | None:
    """The first of these columns that has no value in some row."""
    with lake.existing(table) as session:
        absent = ", ".join(f"count(*) - count({quote_name(name)})" for name in columns)
        counts = session.one(f"SELECT {absent} FROM {session.address}")
        return next((name for name, count in zip(columns, counts, strict=True) if count), None)


def find_misfit(lake: Lake, table: LakeTable, columns: Sequence[Column]) -> str | None:
    """The first of these columns whose default is not a value of its type."""
    with_default = [column for column in columns if column.default is not None]
    if not with_default:
        return None
    with lake.existing(table) as session:
        casts = ", ".join(f"TRY_CAST({quote_value(each.default)} AS {each.type}) IS NULL" for each in with_default)
        found = session.one(f"SELECT {casts}")
        return next((each.name for each, is_wrong in zip(with_default, found, strict=True) if is_wrong), None)


def find_empty_columns(lake: Lake, table: LakeTable, columns: Sequence[str]) -> set[str]:
    """Return the columns that are NULL in all rows."""
    with lake.existing(table) as session:
        filled = ", ".join(f"count({quote_name(name)})" for name in columns)
        counts = session.one(f"SELECT {filled} FROM {session.address}")
        return {name for name, count in zip(columns, counts, strict=True) if not count}


def has_repeated(session: Session, rows: str, columns: Sequence[str]) -> bool:
    """Compares hashes first, which are small: only if some are equal are the values themselves compared."""
    names = name_list(columns)
    total, different = session.one(f"SELECT count(*), count(DISTINCT hash({names})) FROM {rows}")
    if total == different:
        return False
    again = f"SELECT 1 FROM {rows} GROUP BY {names} HAVING count(*) > 1 LIMIT 1"
    return session.execute(again).fetchone() is not None


def types_of(session: Session, table: LakeTable, version: int | None = None) -> Types:
    return {column.name: column.type for column in columns_of(session, table, version)}


def select_text(
    session: Session, table: LakeTable, query: Query, version: int | None = None, *, has_nulls: bool = False
) -> str:
    """NULL becomes the empty string, unless the result has several columns and `has_nulls`."""
    types = types_of(session, table, version)
    names = chosen(query, types)
    show = as_nullable_text if has_nulls and len(names) > 1 else as_text
    columns = [f"{show(name, {**types, **HIDDEN})} AS {quote_name(name)}" for name in names]
    return f"SELECT {', '.join(columns)} {from_where(session, query, types, version)}"


def from_where(session: Session, query: Query, types: Types, version: int | None = None) -> str:
    """The part of a SELECT after the selected expressions."""
    return f"FROM {source(session, version)} AS {ROWS} WHERE {where(query, types)}{rest(query, types)}"
