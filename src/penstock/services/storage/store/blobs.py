"""Blobs: the bytes of a file, by name."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
from sqlalchemy import JSON, BigInteger, Column, LargeBinary, Table, Text, delete, func, insert, select

from penstock.foundation.database import Timestamp, Transaction, metadata
from penstock.services.storage.models.blobs import BlobRow

NAMES_AT_ONCE = 500

blobs = Table(
    "storage_blobs",
    metadata,
    Column("file_id", BigInteger, primary_key=True),
    Column("name", Text, primary_key=True),
    Column("project_id", BigInteger, nullable=False),
    Column("content", Text, nullable=False),
    Column("size_bytes", BigInteger, nullable=False),
    Column("etag", Text, nullable=False),
    Column("content_type", Text, nullable=False),
    Column("content_disposition", Text),
    Column("blocks", LargeBinary, nullable=False),
    Column("headers", JSON, nullable=False),
    Column("created", Timestamp, nullable=False),
    Column("modified", Timestamp, nullable=False),
)


def find_blob(tx: Transaction, project_id: int, file_id: int, name: str) -> BlobRow | None:
    named = (blobs.c.project_id == project_id, blobs.c.file_id == file_id, blobs.c.name == name)
    return tx.one(select(blobs).where(*named), into=BlobRow)


def find_blobs(tx: Transaction, project_id: int, file_id: int, names: Sequence[str]) -> dict[str, BlobRow]:
    """The existing ones, by name."""
    found: dict[str, BlobRow] = {}
    of_file = (blobs.c.project_id == project_id, blobs.c.file_id == file_id)
    for start in range(0, len(names), NAMES_AT_ONCE):
        some = blobs.c.name.in_(names[start : start + NAMES_AT_ONCE])
        found |= {row.name: row for row in tx.all(select(blobs).where(*of_file, some), into=BlobRow)}
    return found


def save_blob(tx: Transaction, row: BlobRow) -> None:
    """Insert the blob, or replace the one of this name."""
    named = (blobs.c.project_id == row.project_id, blobs.c.file_id == row.file_id, blobs.c.name == row.name)
    tx.change(delete(blobs).where(*named))
    tx.change(insert(blobs).values(msgspec.structs.asdict(row)))


def sum_sizes(tx: Transaction, project_id: int, file_id: int, *, but: str) -> int:
    """The size of all blobs of a file but one."""
    of_file = (blobs.c.project_id == project_id, blobs.c.file_id == file_id)
    statement = select(func.coalesce(func.sum(blobs.c.size_bytes), 0)).where(*of_file, blobs.c.name != but)
    return int(tx.value(statement))


def list_blobs(
    tx: Transaction, owner: tuple[int, int], start: tuple[str, bool], below: str | None, limit: int
) -> list[BlobRow]:
    """Blobs of a project's file or workspace in the order of their names' code points. `start` is a name, and whether
    that one is included; `below` is not."""
    # The order of PostgreSQL's own collation depends on how its database was created.
    name = blobs.c.name.collate("C" if tx.has_concurrent_writers else "BINARY")
    conditions = [blobs.c.project_id == owner[0], blobs.c.file_id == owner[1]]
    conditions.append(name >= start[0] if start[1] else name > start[0])
    if below is not None:
        conditions.append(name < below)
    return tx.all(select(blobs).where(*conditions).order_by(name).limit(limit), into=BlobRow)


def remove_blob(tx: Transaction, row: BlobRow) -> None:
    named = (blobs.c.project_id == row.project_id, blobs.c.file_id == row.file_id, blobs.c.name == row.name)
    tx.change(delete(blobs).where(*named))


def list_contents(tx: Transaction, project_id: int, file_id: int) -> list[str]:
    of_file = (blobs.c.project_id == project_id, blobs.c.file_id == file_id)
    return list(tx.connection.scalars(select(blobs.c.content).where(*of_file)))


def remove_blobs(tx: Transaction, project_id: int, file_id: int) -> None:
    tx.change(delete(blobs).where(blobs.c.project_id == project_id, blobs.c.file_id == file_id))
