"""A table in its catalog: its columns, and adding columns."""

from __future__ import annotations

import re
from typing import Any

import duckdb
import msgspec

from penstock.foundation.lake.catalogs import LakeTable
from penstock.foundation.lake.errors import NoSuchTable
from penstock.foundation.lake.session import Session
from penstock.foundation.lake.types import HIDDEN, TEXT, Column
from penstock.foundation.text.quoting import folded

_DEFAULT = re.compile(r"'(.*)'", re.DOTALL)


def columns_of(session: Session, table: LakeTable, version: int | None = None) -> list[Column]:
    columns = find_columns(session, version)
    if columns is None:
        raise NoSuchTable(table.name)
    return columns


def source(session: Session, version: int | None = None) -> str:
    """The table, or an earlier version of it."""
    return session.address if version is None else f"(FROM {session.address} AT (VERSION => {int(version)}))"


def find_columns(session: Session, version: int | None = None) -> list[Column] | None:
    """Return the columns without hidden ones; None if there is no such table."""
    described = session.address if version is None else f"SELECT * FROM {source(session, version)}"
    try:
        rows = session.execute(f"DESCRIBE {described}").fetchall()
    except duckdb.CatalogException:
        return None
    session.make_room(len(rows))
    return [Column(row[0], row[1], True, _constant(row[4])) for row in rows if row[0] not in HIDDEN]


def _constant(default: Any) -> str | None:
    """The text of a default, which the engine returns as the SQL that it was given: see Column.definition."""
    found = _DEFAULT.fullmatch(str(default))
    return found[1].replace("''", "'") if found else None


def ensure_columns(session: Session, columns: list[Column]) -> list[Column]:
    """Create the table, or add missing columns; returns all of its columns."""
    known = find_columns(session)
    lacking = lacking_of(known, columns)
    if known is None or lacking:
        with session.commit():
            extend(session, known, lacking)
    return [*(known or []), *lacking]


def lacking_of(existing: list[Column] | None, columns: list[Column]) -> list[Column]:
    """The columns that a table with the known columns, or none, does not have."""
    names = {folded(column.name) for column in existing or []}
    return [column for column in columns if folded(column.name) not in names]


def extend(session: Session, existing: list[Column] | None, lacking: list[Column]) -> None:
    """Inside a commit: add missing columns; None if there is no table yet."""
    if existing is None:
        make_relation(session, lacking)
        return
    for column in lacking:
        session.execute(f"ALTER TABLE {session.address} ADD COLUMN {filled(column).definition}")


def filled(column: Column) -> Column:
    """Text columns that old rows lack are filled as in new rows: with the empty string, in a typed table with NULL."""
    is_open = column.type == TEXT and column.default is None and not column.is_typed
    return msgspec.structs.replace(column, default="") if is_open else column


def make_relation(session: Session, columns: list[Column]) -> None:
    own = [f"{name} {kind}" for name, kind in HIDDEN.items()]
    fields = ", ".join([*[column.definition for column in columns], *own])
    session.execute(f"CREATE TABLE IF NOT EXISTS {session.address} ({fields})")
