"""Blobs: layers and configurations, by their digest. What is stored was checked against it, as it is on the disk."""

from __future__ import annotations

import hashlib

import msgspec

from penstock.foundation import clock
from penstock.foundation.blobs import BlobFolder
from penstock.foundation.database import Transaction
from penstock.foundation.stack import Stack
from penstock.services.developer.registry import store
from penstock.services.developer.registry.errors import BlobUnknown, DigestInvalid, RepositoryFull, UploadUnknown
from penstock.services.developer.registry.models import BlobRow, UploadRow
from penstock.services.developer.registry.uploads import MEGABYTE, bytes_of


def get_blob(tx: Transaction, app_id: str, digest: str) -> BlobRow:
    row = store.find_blob(tx, app_id, digest)
    if not row:
        raise BlobUnknown(digest)
    return row


def mount_blob(tx: Transaction, app_id: str, blob: BlobRow) -> None:
    """The blob of another repository, whose bytes are then shared."""
    if not store.find_blob(tx, app_id, blob.digest):
        store.add_blob(tx, msgspec.structs.replace(blob, app_id=app_id, created=clock.now()))


def finish_upload(stack: Stack, folder: BlobFolder, upload: UploadRow, digest: str) -> BlobRow:
    """The upload as a blob; raises DigestInvalid, and drops it, if its bytes are others. Reads and writes files."""
    path = bytes_of(folder, upload.id)
    if not path.exists():
        raise UploadUnknown(str(upload.id))
    # Read back piece by piece: an upload may consist of many requests, and what counts is what the disk has.
    with path.open("rb") as file:
        found = f"sha256:{hashlib.file_digest(file, 'sha256').hexdigest()}"
        size = file.tell()
    if found != digest:
        cancel_upload(stack, folder, upload)
        raise DigestInvalid(f"The digest of what was uploaded is {found}, and not {digest}. Upload it again.")
    row = BlobRow(
        app_id=upload.app_id,
        digest=digest,
        size_bytes=size,
        content_id=upload.id,
        content=folder.adopt(path, upload.id),
        created=clock.now(),
    )
    return _keep(stack, folder, row)


def _keep(stack: Stack, folder: BlobFolder, row: BlobRow) -> BlobRow:
    limit = stack.settings.image_app_megabytes
    try:
        with stack.database.writing(0) as tx:
            if not store.remove_upload(tx, row.content_id):
                raise UploadUnknown(str(row.content_id))
            kept = _add(tx, row, limit)
    except BaseException:
        folder.drop_contents(row.content_id, [row.content])
        raise
    if kept.content_id != row.content_id:
        folder.remove(row.content_id)
    else:
        folder.drop_staged(row.content_id)
    return kept


def _add(tx: Transaction, row: BlobRow, megabytes: int) -> BlobRow:
    if known := store.find_blob(tx, row.app_id, row.digest):
        return known
    if store.sum_bytes(tx, row.app_id) + row.size_bytes > megabytes * MEGABYTE:
        raise RepositoryFull(megabytes)
    same = store.find_same_blob(tx, row.digest)
    kept = msgspec.structs.replace(row, content_id=same.content_id, content=same.content) if same else row
    store.add_blob(tx, kept)
    return kept


def cancel_upload(stack: Stack, folder: BlobFolder, upload: UploadRow) -> None:
    with stack.database.writing(0) as tx:
        store.remove_upload(tx, upload.id)
    folder.remove(upload.id)


def drop_contents(folder: BlobFolder, content_ids: list[int]) -> None:
    """Remove contents, after the transaction that removed their rows."""
    for content_id in content_ids:
        folder.remove(content_id)
