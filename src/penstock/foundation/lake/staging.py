"""Uncommitted Parquet files: written beside the table, synced, and moved into it by the commit.

Files that are found there later were left by a killed load.
"""

from __future__ import annotations

import shutil
import uuid
from collections.abc import Generator
from contextlib import contextmanager, suppress
from pathlib import Path

import duckdb

from penstock.foundation.lake.catalogs import SCHEMA
from penstock.foundation.lake.relations import make_relation
from penstock.foundation.lake.session import Session
from penstock.foundation.lake.types import Column
from penstock.foundation.text.quoting import quote_value

# Level 1 takes no longer than the default codec, for less than half of the bytes.
_FORMAT = "FORMAT parquet, PARQUET_VERSION v2, COMPRESSION zstd, COMPRESSION_LEVEL 1"
_FEW_COLUMNS, _FEW_VALUES = 16, ", DICTIONARY_SIZE_LIMIT 2000"
"""A dictionary suits columns with few distinct values: trying it for others wastes a fifth of the time. But setting the
limit preallocates memory, a megabyte for each column."""
_ROWS_IN_GROUP, _MIN_ROWS = 40_960, 2048
"""A third of the engine's default: a preview takes half the time, and nothing else takes longer."""
_CELLS_IN_GROUP = 1_000_000
"""A thread holds a whole row group in memory, so wide tables have fewer rows per group."""


@contextmanager
def empty_staging(session: Session) -> Generator[Path]:
    """The table's staging folder, emptied; the caller holds the table's lock, so it is not in use."""
    shutil.rmtree(session.staging, ignore_errors=True)
    session.staging.mkdir(parents=True)
    try:
        yield session.staging
    finally:
        shutil.rmtree(session.staging, ignore_errors=True)


def write_parquet(session: Session, folder: Path, rows: str, width: int) -> tuple[Path, int]:
    """The path of the written rows, and their number."""
    session.make_room(width)
    usual = max(_MIN_ROWS, min(_ROWS_IN_GROUP, _CELLS_IN_GROUP // max(1, width)))
    # With long values, a group of the usual number of rows does not fit in memory.
    for group in (usual, _MIN_ROWS):
        with suppress(duckdb.OutOfMemoryException):
            return _copy(session, folder, rows, width, group)
    session.allow_more_memory()
    return _copy(session, folder, rows, width, _MIN_ROWS)


def _copy(session: Session, folder: Path, rows: str, width: int, group: int) -> tuple[Path, int]:
    target = folder / f"{uuid.uuid4()}.parquet"
    options = f"{_FORMAT}, ROW_GROUP_SIZE {group}{_FEW_VALUES if width <= _FEW_COLUMNS else ''}"
    copied = session.one(f"COPY ({rows}) TO {quote_value(target)} ({options})")
    return target, int(copied[0])


def add_file(session: Session, staged: Path) -> None:
    """Inside a commit: add the file to the table."""
    target = session.folder / staged.name
    staged.rename(target)
    added = f"'{session.catalog}', '{session.relation}', {quote_value(target)}, schema => '{SCHEMA}'"
    session.execute(f"CALL ducklake_add_data_files({added}, allow_missing => true)")


def replace_rows(session: Session, columns: list[Column], staged: Path) -> None:
    """Inside a commit. A new relation replaces the old one: deleting every row would be slow."""
    session.execute(f"DROP TABLE IF EXISTS {session.address}")
    make_relation(session, columns)
    add_file(session, staged)
