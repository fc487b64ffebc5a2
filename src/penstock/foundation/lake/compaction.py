"""Merges small files, so that the thousandth load is as fast as the first."""

from __future__ import annotations

from penstock.foundation.lake.catalogs import SCHEMA
from penstock.foundation.lake.session import Session
from penstock.foundation.lake.sizes import SMALL_BYTES, Sizes, measure

MAX_SMALL_FILES = 40
_MANY_DELETED = 0.1
_BYTES_UNDER_LOCK = 64 * 1024 * 1024
"""Merging happens under the lock, so larger amounts are left to maintenance, which writes outside it."""


def needs_compaction(sizes: Sizes) -> bool:
    return sizes.small_files >= MAX_SMALL_FILES


def compact(session: Session, sizes: Sizes) -> None:
    """Merge small files if there are many. The caller holds the table's lock."""
    merge_small_files(session)
    # Files with deleted rows are not merged, only rewritten.
    if measure(session).small_files >= MAX_SMALL_FILES // 2 and sizes.bytes < _BYTES_UNDER_LOCK:
        _call(session, "ducklake_rewrite_data_files", f"delete_threshold => {_MANY_DELETED}")
        merge_small_files(session)


def merge_small_files(session: Session) -> None:
    _call(session, "ducklake_merge_adjacent_files", f"max_file_size => {SMALL_BYTES}")


def _call(session: Session, function: str, option: str) -> None:
    """Files that were merged stay readable; maintenance deletes them later."""
    with session.commit():
        own = f"'{session.catalog}', '{session.relation}', schema => '{SCHEMA}'"
        session.execute(f"CALL {function}({own}, {option})").fetchall()
