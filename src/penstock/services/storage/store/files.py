"""Files, and their tags twice: with the file for responses, and in a table of their own for searches."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any

import msgspec
from sqlalchemy import (
    JSON,
    BigInteger,
    Boolean,
    Column,
    Index,
    Integer,
    Table,
    Text,
    and_,
    cast,
    delete,
    func,
    insert,
    or_,
    select,
    update,
)

from penstock.foundation.database import Timestamp, Transaction, metadata
from penstock.services.storage.models.files import FileRow

files = Table(
    "storage_files",
    metadata,
    Column("id", BigInteger, primary_key=True),
    Column("project_id", BigInteger, nullable=False),
    Column("branch_id", BigInteger, nullable=False),
    Column("name", Text, nullable=False),
    Column("size_bytes", BigInteger),
    Column("tags", JSON, nullable=False),
    Column("is_sliced", Boolean, nullable=False),
    Column("is_public", Boolean, nullable=False),
    Column("max_age_days", Integer),
    Column("created", Timestamp, nullable=False),
    Column("expires", Timestamp),
    Column("is_emptied", Boolean, nullable=False),
    Column("run_id", Text),
    Column("token_id", BigInteger, nullable=False),
    Column("token_description", Text, nullable=False),
    Index("storage_files_by_project", "project_id", "id"),
    Index("storage_files_by_run", "project_id", "run_id", "id"),
    Index("storage_files_by_expiry", "expires"),
)

tags = Table(
    "storage_file_tags",
    metadata,
    Column("file_id", BigInteger, primary_key=True),
    Column("tag", Text, primary_key=True),
    Column("project_id", BigInteger, nullable=False),
    Index("storage_file_tags_by_tag", "project_id", "tag", "file_id"),
)

IDS_AT_ONCE = 500


def add_file(tx: Transaction, row: FileRow) -> None:
    tx.change(insert(files).values(msgspec.structs.asdict(row)))
    _add_tags(tx, row, row.tags)


def find_file(tx: Transaction, project_id: int, file_id: int) -> FileRow | None:
    return tx.one(select(files).where(files.c.project_id == project_id, files.c.id == file_id), into=FileRow)


def change_file(tx: Transaction, row: FileRow, **values: Any) -> None:
    tx.change(update(files).where(files.c.project_id == row.project_id, files.c.id == row.id).values(**values))


def set_tags(tx: Transaction, row: FileRow, names: list[str]) -> None:
    change_file(tx, row, tags=names)
    tx.change(delete(tags).where(tags.c.project_id == row.project_id, tags.c.file_id == row.id))
    _add_tags(tx, row, names)


def remove_file(tx: Transaction, project_id: int, file_id: int) -> None:
    tx.change(delete(tags).where(tags.c.project_id == project_id, tags.c.file_id == file_id))
    tx.change(delete(files).where(files.c.project_id == project_id, files.c.id == file_id))


def list_expired(tx: Transaction, before: datetime, limit: int, *, is_emptied: bool) -> list[FileRow]:
    """Expired files of all projects, for maintenance: those that still have bytes, or those whose bytes are removed."""
    statement = select(files).where(files.c.expires <= before, files.c.is_emptied == is_emptied)
    return tx.all(statement.order_by(files.c.expires).limit(limit), into=FileRow)


def list_present(tx: Transaction, ids: Iterable[int]) -> set[int]:
    """Which of these files, of any project, exist and have bytes: for maintenance."""
    wanted, present = sorted(ids), set[int]()
    for start in range(0, len(wanted), IDS_AT_ONCE):
        some = files.c.id.in_(wanted[start : start + IDS_AT_ONCE])
        found = tx.connection.execute(select(files.c.id).where(some, ~files.c.is_emptied)).scalars()
        present.update(found)
    return present


def _add_tags(tx: Transaction, row: FileRow, names: Sequence[str]) -> None:
    rows = [{"file_id": row.id, "tag": tag, "project_id": row.project_id} for tag in dict.fromkeys(names)]
    if rows:
        tx.change(insert(tags), rows)


def measure_run(
    tx: Transaction, project_id: int, run_id: str, token_id: int | None, branch_id: int | None
) -> tuple[int, int]:
    """How many files a run and its children made, and their bytes; given a token or a branch, only of that."""
    # A range and not LIKE, which would scan all files.
    below = and_(files.c.run_id > f"{run_id}.", files.c.run_id < f"{run_id}/")
    query = select(func.count(), cast(func.coalesce(func.sum(files.c.size_bytes), 0), BigInteger)).where(
        files.c.project_id == project_id, or_(files.c.run_id == run_id, below)
    )
    if token_id is not None:
        query = query.where(files.c.token_id == token_id)
    if branch_id is not None:
        query = query.where(files.c.branch_id == branch_id)
    count, size = tx.connection.execute(query).one()
    return int(count), int(size)
