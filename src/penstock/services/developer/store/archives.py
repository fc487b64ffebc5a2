"""The table of archives."""

from __future__ import annotations

from collections.abc import Collection

import msgspec
from sqlalchemy import BigInteger, Column, Table, Text, UniqueConstraint, delete, exists, insert, select

from penstock.foundation.database import Timestamp, Transaction, metadata
from penstock.services.developer.models.apps import ArchiveRow
from penstock.services.developer.store.apps import versions

archives = Table(
    "developer_archives",
    metadata,
    Column("id", BigInteger, primary_key=True),
    Column("app_id", Text, nullable=False),
    Column("content", Text, nullable=False),
    Column("sha256", Text, nullable=False),
    Column("size_bytes", BigInteger, nullable=False),
    Column("created", Timestamp, nullable=False),
    UniqueConstraint("app_id", "sha256", name="developer_archives_sha256"),
)


def find_archive(tx: Transaction, archive_id: int) -> ArchiveRow | None:
    return tx.one(select(archives).where(archives.c.id == archive_id), ArchiveRow)


def find_same(tx: Transaction, app_id: str, sha256: str) -> ArchiveRow | None:
    return tx.one(select(archives).where(archives.c.app_id == app_id, archives.c.sha256 == sha256), ArchiveRow)


def list_archives(tx: Transaction, archive_ids: Collection[int]) -> dict[int, ArchiveRow]:
    return {row.id: row for row in tx.all(select(archives).where(archives.c.id.in_(archive_ids)), ArchiveRow)}


def list_checksums(tx: Transaction) -> set[str]:
    return {str(each) for each in tx.connection.execute(select(archives.c.sha256)).scalars()}


def add_archive(tx: Transaction, row: ArchiveRow) -> None:
    tx.change(insert(archives).values(msgspec.structs.asdict(row)))


def remove_unused(tx: Transaction, app_id: str) -> list[ArchiveRow]:
    """Remove the archives of an app that none of its versions has; return them, so that their bytes can be removed."""
    is_used = exists().where(versions.c.archive_id == archives.c.id)
    unused = tx.all(select(archives).where(archives.c.app_id == app_id, ~is_used), ArchiveRow)
    tx.change(delete(archives).where(archives.c.id.in_([row.id for row in unused])))
    return unused
