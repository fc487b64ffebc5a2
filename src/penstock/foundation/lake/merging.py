"""Upserts by key: of rows with the same key in a file the last wins, and only changed rows of the table are replaced.

Both work on Parquet that a load has staged. Most files repeat no key and most upserts contain only changes; then
nothing is written a second time.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import msgspec

from penstock.foundation.lake.reads import has_repeated
from penstock.foundation.lake.relations import filled
from penstock.foundation.lake.session import Session
from penstock.foundation.lake.staging import write_parquet
from penstock.foundation.lake.types import DIGEST, Column, digest_of
from penstock.foundation.text.quoting import free_name, name_list, quote_name, quote_value

_ROW_ID, _NUMBER = "rowid", "file_row_number"
"""The engine's names for these pseudo-columns, unless a column of the table has that name."""

Names = list[str]


def keep_last(session: Session, staged: Path, columns: list[Column], key: Names) -> tuple[Path, int | None]:
    """A file without rows whose key occurs again later, and its number of rows if it is a new file."""
    if not has_repeated(session, _parquet(staged), key):
        return staged, None
    rows, position = _numbered(staged, _names(columns))
    last = f"SELECT max({position}) FROM ({rows}) GROUP BY {name_list(key)}"
    kept = f"SELECT * EXCLUDE ({position}) FROM ({rows}) WHERE {position} IN ({last})"
    return write_parquet(session, staged.parent, kept, len(columns))


def keep_changed(
    session: Session, staged: Path, columns: list[Column], key: Names, lacking: Sequence[Column] = ()
) -> Path:
    """A file without the rows that the table already has; records which rows of the table the others replace.

    New columns are added to the table in the commit; until then its rows are read as if it had them.
    """
    rows, position = _numbered(staged, _names(columns))
    _match(session, _Sides(_table(session, columns, lacking), f"({rows})", position), columns, key)
    if not session.one("SELECT count(*) FROM same_rows")[0]:
        return staged
    changed = f"SELECT * EXCLUDE ({position}) FROM ({rows}) WHERE {position} NOT IN (SELECT place FROM same_rows)"
    return write_parquet(session, staged.parent, changed, len(columns))[0]


class _Sides(msgspec.Struct, frozen=True):
    """The two sides of the comparison: the table, the rows of the file, and the column with their positions."""

    old: str
    new: str
    position: str


def _table(session: Session, columns: list[Column], lacking: Sequence[Column]) -> str:
    if not lacking:
        return session.address
    row_id = "" if _is_taken(_ROW_ID, _names(columns)) else f"{_ROW_ID}, "
    fillers = ", ".join(f"{filled(column).filler} AS {quote_name(column.name)}" for column in lacking)
    return f"(SELECT {row_id}*, {fillers} FROM {session.address})"


def _match(session: Session, sides: _Sides, columns: list[Column], key: Names) -> None:
    """Creates two small temporary tables: positions of rows in the file that change nothing, and old rows to delete."""
    _join(session, sides, columns, key, f"old.{DIGEST}")
    if session.one("SELECT count(*) FROM matches WHERE is_same IS NULL")[0]:
        # Rows from before the table had its key, or a column. Only these need all values to be compared, which is slow.
        _join(session, sides, columns, key, f"coalesce(old.{DIGEST}, {digest_of(columns, 'old.')})")
    # A key that occurs twice in the table, from before it was the key, ends as one row.
    same = "SELECT place FROM matches GROUP BY place HAVING count(*) = 1 AND bool_and(is_same)"
    session.execute(f"CREATE OR REPLACE TEMP TABLE same_rows AS {same}")
    gone = "SELECT old FROM matches WHERE place NOT IN (SELECT place FROM same_rows)"
    session.execute(f"CREATE OR REPLACE TEMP TABLE old_rows AS {gone}")


def _join(session: Session, sides: _Sides, columns: list[Column], key: Names, digest: str) -> None:
    match = " AND ".join(f"old.{quote_name(name)} = new.{quote_name(name)}" for name in key)
    session.execute(
        f"CREATE OR REPLACE TEMP TABLE matches AS "
        f"SELECT {_old_row(_names(columns), key)} AS old, new.{sides.position} AS place, "
        f"{digest} = new.{DIGEST} AS is_same FROM {sides.old} AS old JOIN {sides.new} AS new ON {match}"
    )


def _names(columns: list[Column]) -> Names:
    return [column.name for column in columns]


def delete_replaced(session: Session, columns: list[Column], key: Names) -> None:
    """Inside a commit: delete the rows that keep_changed() has recorded."""
    row = _old_row(_names(columns), key)
    session.execute(f"DELETE FROM {session.address} AS old WHERE {row} IN (SELECT old FROM old_rows)")


def _old_row(columns: Names, key: Names) -> str:
    """Identifies a row of the table: its row id, unless a column has that name."""
    if not _is_taken(_ROW_ID, columns):
        return f"old.{_ROW_ID}"
    return f"struct_pack({', '.join(f'k{number} := old.{quote_name(name)}' for number, name in enumerate(key))})"


def _numbered(staged: Path, columns: Names) -> tuple[str, str]:
    """The rows of a file with their positions, and the name of that column."""
    position = free_name(columns)
    number = "row_number() OVER ()" if _is_taken(_NUMBER, columns) else _NUMBER
    return f"SELECT *, {number} AS {position} FROM {_parquet(staged)}", position


def _is_taken(name: str, columns: Names) -> bool:
    return name in (column.lower() for column in columns)


def _parquet(staged: Path) -> str:
    return f"read_parquet({quote_value(staged)})"
