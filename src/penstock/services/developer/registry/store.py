"""The tables of images."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime

import msgspec
from sqlalchemy import (
    JSON,
    BigInteger,
    Column,
    Index,
    LargeBinary,
    Table,
    Text,
    delete,
    func,
    insert,
    select,
)

from penstock.foundation.database import Timestamp, Transaction, metadata
from penstock.services.developer.registry.models import BlobRow, ManifestRow, UploadRow

blobs = Table(
    "developer_image_blobs",
    metadata,
    Column("app_id", Text, primary_key=True),
    Column("digest", Text, primary_key=True),
    Column("size_bytes", BigInteger, nullable=False),
    Column("content_id", BigInteger, nullable=False),
    Column("content", Text, nullable=False),
    Column("created", Timestamp, nullable=False),
    Index("developer_image_blobs_by_digest", "digest"),
    Index("developer_image_blobs_by_content", "content_id"),
)
manifests = Table(
    "developer_image_manifests",
    metadata,
    Column("app_id", Text, primary_key=True),
    Column("digest", Text, primary_key=True),
    Column("media_type", Text, nullable=False),
    Column("content", LargeBinary, nullable=False),
    Column("refers_to", JSON, nullable=False),
    Column("created", Timestamp, nullable=False),
    Column("created_by", Text, nullable=False),
)
tags = Table(
    "developer_image_tags",
    metadata,
    Column("app_id", Text, primary_key=True),
    Column("tag", Text, primary_key=True),
    Column("digest", Text, nullable=False),
)
uploads = Table(
    "developer_image_uploads",
    metadata,
    Column("id", BigInteger, primary_key=True),
    Column("app_id", Text, nullable=False),
    Column("created", Timestamp, nullable=False),
    Index("developer_image_uploads_by_app", "app_id"),
)


def add_upload(tx: Transaction, row: UploadRow) -> None:
    tx.change(insert(uploads).values(msgspec.structs.asdict(row)))


def find_upload(tx: Transaction, app_id: str, upload_id: int) -> UploadRow | None:
    return tx.one(select(uploads).where(uploads.c.id == upload_id, uploads.c.app_id == app_id), UploadRow)


def list_uploads(tx: Transaction, app_id: str) -> list[UploadRow]:
    return tx.all(select(uploads).where(uploads.c.app_id == app_id), UploadRow)


def list_uploads_before(tx: Transaction, moment: datetime) -> list[UploadRow]:
    return tx.all(select(uploads).where(uploads.c.created < moment), UploadRow)


def list_upload_ids(tx: Transaction, upload_ids: Collection[int]) -> set[int]:
    """Return those of the uploads that are unfinished."""
    return {int(each) for each in tx.connection.scalars(select(uploads.c.id).where(uploads.c.id.in_(upload_ids)))}


def remove_upload(tx: Transaction, upload_id: int) -> bool:
    return tx.change(delete(uploads).where(uploads.c.id == upload_id)) > 0


def find_blob(tx: Transaction, app_id: str, digest: str) -> BlobRow | None:
    return tx.one(select(blobs).where(blobs.c.app_id == app_id, blobs.c.digest == digest), BlobRow)


def find_same_blob(tx: Transaction, digest: str) -> BlobRow | None:
    """One of any app: only for sharing the bytes, once somebody has uploaded or may read them."""
    return tx.one(select(blobs).where(blobs.c.digest == digest).limit(1), BlobRow)


def list_blobs(tx: Transaction, app_id: str) -> list[BlobRow]:
    return tx.all(select(blobs).where(blobs.c.app_id == app_id), BlobRow)


def list_apps_before(tx: Transaction, moment: datetime) -> list[str]:
    """Return the apps with blobs that are older."""
    query = select(blobs.c.app_id).where(blobs.c.created < moment).distinct().order_by(blobs.c.app_id)
    return [str(each) for each in tx.connection.scalars(query)]


def list_known(tx: Transaction, app_id: str, digests: Collection[str]) -> set[str]:
    """Return those of the digests that are blobs of the app."""
    query = select(blobs.c.digest).where(blobs.c.app_id == app_id, blobs.c.digest.in_(digests))
    return {str(each) for each in tx.connection.scalars(query)}


def sum_bytes(tx: Transaction, app_id: str) -> int:
    return int(tx.value(select(func.coalesce(func.sum(blobs.c.size_bytes), 0)).where(blobs.c.app_id == app_id)))


def add_blob(tx: Transaction, row: BlobRow) -> None:
    tx.change(insert(blobs).values(msgspec.structs.asdict(row)))


def remove_blobs(tx: Transaction, app_id: str, digests: Collection[str]) -> list[int]:
    """Returns the contents that no app has any more, so that their bytes can be removed."""
    these = (blobs.c.app_id == app_id) & blobs.c.digest.in_(digests)
    contents = {int(each) for each in tx.connection.scalars(select(blobs.c.content_id).where(these))}
    tx.change(delete(blobs).where(these))
    return sorted(contents - list_contents(tx, contents))


def list_contents(tx: Transaction, content_ids: Collection[int]) -> set[int]:
    """Return those of the contents that an app has."""
    query = select(blobs.c.content_id).where(blobs.c.content_id.in_(content_ids))
    return {int(each) for each in tx.connection.scalars(query)}


def find_manifest(tx: Transaction, app_id: str, digest: str) -> ManifestRow | None:
    return tx.one(select(manifests).where(manifests.c.app_id == app_id, manifests.c.digest == digest), ManifestRow)


def list_known_manifests(tx: Transaction, app_id: str, digests: Collection[str]) -> set[str]:
    query = select(manifests.c.digest).where(manifests.c.app_id == app_id, manifests.c.digest.in_(digests))
    return {str(each) for each in tx.connection.scalars(query)}


def list_references(tx: Transaction, app_id: str) -> dict[str, list[str]]:
    """What each manifest of an app names."""
    query = select(manifests.c.digest, manifests.c.refers_to).where(manifests.c.app_id == app_id)
    return {row.digest: row.refers_to for row in tx.connection.execute(query)}


def count_manifests(tx: Transaction, app_id: str) -> int:
    return int(tx.value(select(func.count()).select_from(manifests).where(manifests.c.app_id == app_id)))


def add_manifest(tx: Transaction, row: ManifestRow) -> None:
    tx.change(insert(manifests).values(msgspec.structs.asdict(row)))


def remove_manifest(tx: Transaction, app_id: str, digest: str) -> bool:
    """Remove a manifest with its tags."""
    tx.change(delete(tags).where(tags.c.app_id == app_id, tags.c.digest == digest))
    return tx.change(delete(manifests).where(manifests.c.app_id == app_id, manifests.c.digest == digest)) > 0


def find_tagged(tx: Transaction, app_id: str, tag: str) -> str | None:
    """The digest of the manifest with this tag."""
    found = tx.connection.scalar(select(tags.c.digest).where(tags.c.app_id == app_id, tags.c.tag == tag))
    return str(found) if found is not None else None


def list_tags_of(tx: Transaction, app_id: str, digest: str) -> list[str]:
    query = select(tags.c.tag).where(tags.c.app_id == app_id, tags.c.digest == digest).order_by(tags.c.tag)
    return [str(each) for each in tx.connection.scalars(query)]


def list_tags(tx: Transaction, app_id: str) -> list[str]:
    """List tags in the order of their characters, which databases do not agree on."""
    return sorted(str(each) for each in tx.connection.scalars(select(tags.c.tag).where(tags.c.app_id == app_id)))


def put_tag(tx: Transaction, app_id: str, tag: str, digest: str) -> None:
    remove_tag(tx, app_id, tag)
    tx.change(insert(tags).values(app_id=app_id, tag=tag, digest=digest))


def remove_tag(tx: Transaction, app_id: str, tag: str) -> bool:
    return tx.change(delete(tags).where(tags.c.app_id == app_id, tags.c.tag == tag)) > 0


def remove_images(tx: Transaction, app_id: str) -> None:
    """Everything of an app. Bytes that no other app has are swept later."""
    for table in (uploads, tags, manifests, blobs):
        tx.change(delete(table).where(table.c.app_id == app_id))
