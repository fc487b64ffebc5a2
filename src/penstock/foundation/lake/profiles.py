"""Statistics of the values of each column."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from penstock.foundation.lake.catalogs import LakeTable
from penstock.foundation.lake.lake import Lake
from penstock.foundation.lake.reads import types_of
from penstock.foundation.lake.session import Session
from penstock.foundation.lake.types import TEXT
from penstock.foundation.text.quoting import quote_name

MAX_EXACT_ROWS = 1_000_000
"""Of larger tables, distinct values and medians are estimated, which needs little memory whatever they hold."""
_COLUMNS_AT_ONCE = 20
_NUMBERS = ("DECIMAL", "DOUBLE", "FLOAT", "BIGINT", "INTEGER", TEXT)
_CHARACTERS = 100


class Numbers(msgspec.Struct, frozen=True):
    min: float
    max: float
    avg: float
    median: float


class ColumnStatistics(msgspec.Struct, frozen=True, kw_only=True):
    """`numbers` is None unless every value is a number. Texts are cut."""

    name: str
    values: int
    """Without NULL, and in an untyped table without empty texts."""
    distinct: int
    shortest: int
    longest: int
    average_length: float
    least: str
    greatest: str
    numbers: Numbers | None


def measure_columns(
    lake: Lake, table: LakeTable, columns: Sequence[str], *, is_typed: bool
) -> tuple[int, list[ColumnStatistics]]:
    """The number of rows, and the statistics of these columns."""
    with lake.existing(table) as session:
        types = types_of(session, table)
        rows = int(session.one(f"SELECT count(*) FROM {session.address}")[0])
        found: list[ColumnStatistics] = []
        for start in range(0, len(columns), _COLUMNS_AT_ONCE):
            names = [(name, types[name]) for name in columns[start : start + _COLUMNS_AT_ONCE]]
            found += _measure(session, names, is_typed=is_typed, is_exact=rows <= MAX_EXACT_ROWS)
        return rows, found


def _measure(
    session: Session, columns: Sequence[tuple[str, str]], *, is_typed: bool, is_exact: bool
) -> list[ColumnStatistics]:
    parts = [_aggregates(name, kind, is_typed, is_exact) for name, kind in columns]
    values = session.one(f"SELECT {', '.join(each for part in parts for each in part)} FROM {session.address}")
    width = len(parts[0])
    return [_read(name, values[at * width : (at + 1) * width]) for at, (name, _) in enumerate(columns)]


def _aggregates(name: str, kind: str, is_typed: bool, is_exact: bool) -> list[str]:
    column = quote_name(name)
    value = column if is_typed or kind != TEXT else f"nullif({column}, '')"
    text, number = f"CAST({value} AS VARCHAR)", "NULL::DOUBLE"
    if kind.startswith(_NUMBERS):
        number = f"CASE WHEN isfinite(TRY_CAST({value} AS DOUBLE)) THEN TRY_CAST({value} AS DOUBLE) END"
    distinct = f"count(DISTINCT {value})" if is_exact else f"approx_count_distinct({value})"
    median = f"median({number})" if is_exact else f"approx_quantile({number}, 0.5)"
    lengths = [f"{each}(length({text}))" for each in ("min", "max", "avg")]
    return [
        *(f"count({value})", distinct, *lengths, f"min({text})", f"max({text})"),
        *(f"count({number})", f"min({number})", f"max({number})", f"avg({number})", median),
    ]


def _read(name: str, values: Sequence[object]) -> ColumnStatistics:
    count, distinct, shortest, longest, average, least, greatest, numbers, *of_numbers = values
    has_numbers = bool(count) and count == numbers
    return ColumnStatistics(
        name=name,
        values=int(str(count)),
        distinct=min(int(str(distinct)), int(str(count))),
        shortest=int(str(shortest or 0)),
        longest=int(str(longest or 0)),
        average_length=float(str(average or 0)),
        least=str(least or "")[:_CHARACTERS],
        greatest=str(greatest or "")[:_CHARACTERS],
        numbers=Numbers(*(float(str(each)) for each in of_numbers)) if has_numbers else None,
    )
