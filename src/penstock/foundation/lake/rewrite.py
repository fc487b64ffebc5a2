"""Rewrites a table: the live rows into one file, without the deleted ones, and perhaps with wider types."""

from __future__ import annotations

from pathlib import Path

import duckdb

from penstock.foundation.errors import Invalid
from penstock.foundation.files import durable
from penstock.foundation.lake.session import Session
from penstock.foundation.lake.staging import empty_staging, replace_rows, write_parquet
from penstock.foundation.lake.types import DIGEST, TIMESTAMP, Column, digest_of
from penstock.foundation.text.quoting import folded, quote_name


class ColumnDoesNotFit(Invalid):
    code = "storage.tables.validation"


def rewrite(session: Session, columns: list[Column]) -> None:
    """Written outside the lock, committed under it; the caller holds the table's lock."""
    with empty_staging(session) as folder:
        _rewrite_into(session, folder, columns, DIGEST)


def change_types(session: Session, folder: Path, existing: list[Column], changed: list[Column]) -> list[Column]:
    """Give columns other types; return the columns afterwards. All rows are rewritten: the
    catalog itself can only widen a few types. `folder` is the table's staging folder, whose files stay."""
    types = {folded(column.name): column for column in changed}
    columns = [types.get(folded(column.name), column) for column in existing]
    pairs = zip(existing, columns, strict=True)
    if all(old.storage_type == new.storage_type and old.default == new.default for old, new in pairs):
        return existing
    try:
        _rewrite_into(session, folder, columns, digest_of(columns))
    except duckdb.DataError as error:
        raise _misfit(session, existing, columns) from error
    return columns


def _rewrite_into(session: Session, folder: Path, columns: list[Column], digest: str) -> None:
    values = ", ".join(f"CAST({quote_name(each.name)} AS {each.type}) AS {quote_name(each.name)}" for each in columns)
    rows = f"SELECT {values}, {TIMESTAMP}, {DIGEST} FROM {session.address}"
    staged, _ = write_parquet(
        session, folder, f"SELECT * EXCLUDE ({DIGEST}), {digest} AS {DIGEST} FROM ({rows})", len(columns)
    )
    durable.sync_path(staged)
    with session.commit():
        replace_rows(session, columns, staged)


def _misfit(session: Session, existing: list[Column], columns: list[Column]) -> ColumnDoesNotFit:
    changed = [new for old, new in zip(existing, columns, strict=True) if old.type != new.type]
    lost = ", ".join(f"count({_name(each)}) - count(TRY_CAST({_name(each)} AS {each.type}))" for each in changed)
    counts = session.one(f"SELECT {lost} FROM {session.address}")
    column = next((each for each, count in zip(changed, counts, strict=True) if count), changed[0])
    return ColumnDoesNotFit(f'The column "{column.name}" cannot become {column.type}: it holds values that do not fit.')


def _name(column: Column) -> str:
    return quote_name(column.name)
