"""A page of a result as DataRow messages."""

from __future__ import annotations

import itertools
import struct
from collections.abc import Sequence

import duckdb

from penstock.sql.models import EncodedRows, ResultColumn
from penstock.sql.wire.cells import MAX_SHORT, Column, join_cells


class _Heads(dict[int, bytes]):
    """What is before the values of a row, by their length."""

    def __init__(self, columns: int) -> None:
        super().__init__()
        self._columns = columns

    def __missing__(self, length: int) -> bytes:
        head = self[length] = b"D" + struct.pack(">IH", length + 6, self._columns)
        return head


def read_rows(
    cursor: duckdb.DuckDBPyConnection, source: str, columns: Sequence[ResultColumn], formats: Sequence[bool]
) -> EncodedRows:
    """`source` is a query for the rows, with the columns `c0`, `c1` and so on; a format is true for binary. None of
    them are encoded if a column or a value of the page is not one of those that the database can encode."""
    known = [
        Column(f"c{number}", each.type, is_binary=is_binary)
        for number, (each, is_binary) in enumerate(zip(columns, formats, strict=True))
    ]
    if not known or not all(each.is_known for each in known):
        return EncodedRows()
    row = _find_row(cursor, source, known)
    if row is None:
        return EncodedRows()
    rows = cursor.execute(f"SELECT {row} FROM ({_add_steps(source, known)})").fetchall()
    heads = _Heads(len(known))
    return EncodedRows(b"".join([part for (each,) in rows for part in (heads[len(each)], each)]), len(rows))


def _add_steps(source: str, columns: Sequence[Column]) -> str:
    for step in itertools.zip_longest(*(each.steps for each in columns), fillvalue=()):
        added = ", ".join(itertools.chain(["*"], *step))
        source = f"SELECT {added} FROM ({source})"
    return source


def _find_row(cursor: duckdb.DuckDBPyConnection, source: str, columns: Sequence[Column]) -> str | None:
    """The fastest expression that is right for these rows; None if there is none."""
    nulls = [f"count(*) > count({each.sql})" for each in columns]
    short = [f"coalesce(max(strlen({each.long_text})) <= {MAX_SHORT}, true)" for each in columns if each.long_text]
    ordinary = [f"coalesce(bool_and({each.ordinary}), true)" for each in columns if each.ordinary]
    [found] = cursor.execute(f"SELECT {', '.join([*nulls, *short, *ordinary])} FROM ({source})").fetchall()
    has_nulls, rest = found[: len(nulls)], found[len(nulls) :]
    if not all(rest[len(short) :]):
        return None
    lengths = iter(rest)
    return join_cells(
        [
            each.cell(has_nulls=null, is_short=next(lengths) if each.long_text else True)
            for each, null in zip(columns, has_nulls, strict=True)
        ]
    )
