"""Rewrites a table: the live rows into one file, without the deleted ones."""

from __future__ import annotations

from penstock.foundation import durable
from penstock.foundation.lake.session import Session
from penstock.foundation.lake.sql import quote_name
from penstock.foundation.lake.staging import empty_staging, replace_rows, write_parquet
from penstock.foundation.lake.types import DIGEST, TIMESTAMP, Column, digest_of


def rewrite(session: Session, columns: list[Column]) -> None:
    """Written outside the lock, committed under it; the caller holds the table's lock. Types of columns may change."""
    values = ", ".join(f"CAST({quote_name(each.name)} AS {each.type}) AS {quote_name(each.name)}" for each in columns)
    rows = f"SELECT {values}, {TIMESTAMP} FROM {session.address}"
    with empty_staging(session) as folder:
        staged, _ = write_parquet(
            session, folder, f"SELECT *, {digest_of(columns)} AS {DIGEST} FROM ({rows})", len(columns)
        )
        durable.sync_path(staged)
        with session.commit():
            replace_rows(session, columns, staged)
