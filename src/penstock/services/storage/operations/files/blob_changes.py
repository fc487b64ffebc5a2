"""Changes of a blob that leave its bytes as they are: its removal, its metadata and its content headers."""

from __future__ import annotations

from collections.abc import Callable

import msgspec

from penstock.foundation import clock
from penstock.foundation.blobs import BlobFolder
from penstock.foundation.database import Transaction
from penstock.foundation.stack import Stack
from penstock.services.storage.errors.blobs import BlobNotFound, ConditionNotMet
from penstock.services.storage.models.blobs import CONTENT_HEADERS, DEFAULT_TYPE, METADATA, BlobHeaders, BlobRow, Owner
from penstock.services.storage.models.files import FileRow
from penstock.services.storage.operations.files.blobs import check_owner, new_etag
from penstock.services.storage.store import blobs, files


def delete_blob(stack: Stack, owner: Owner, name: str, conditions: BlobHeaders) -> None:
    """Remove the blob and its staged blocks. A file without its first blob is one that was not uploaded."""
    folder = BlobFolder(stack.files_folder)
    with stack.database.writing(owner.project_id) as tx:
        row = _get(tx, owner, name, conditions)
        blobs.remove_blob(tx, row)
        if isinstance(owner, FileRow) and name == owner.first_blob:
            files.change_file(tx, owner, size_bytes=None)
    folder.drop_contents(owner.id, [row.content])
    folder.blocks(owner.id, name).drop()


def set_metadata(stack: Stack, owner: Owner, name: str, headers: BlobHeaders) -> BlobRow:
    """Replace all metadata."""

    def change(row: BlobRow) -> BlobRow:
        others = {key: value for key, value in row.headers.items() if not key.startswith(METADATA)}
        return msgspec.structs.replace(row, headers={**others, **headers.metadata})

    return _change(stack, owner, name, headers, change)


def set_properties(stack: Stack, owner: Owner, name: str, headers: BlobHeaders) -> BlobRow:
    """Replace all content headers: those that the request does not have are removed."""

    def change(row: BlobRow) -> BlobRow:
        others = {key: value for key, value in row.headers.items() if key not in CONTENT_HEADERS}
        kept = {key: value for key, value in headers.kept.items() if key in CONTENT_HEADERS}
        return msgspec.structs.replace(
            row,
            content_type=headers.content.get("content-type", DEFAULT_TYPE),
            content_disposition=headers.content.get("content-disposition"),
            headers={**others, **kept},
        )

    return _change(stack, owner, name, headers, change)


def _change(
    stack: Stack, owner: Owner, name: str, conditions: BlobHeaders, change: Callable[[BlobRow], BlobRow]
) -> BlobRow:
    with stack.database.writing(owner.project_id) as tx:
        row = change(_get(tx, owner, name, conditions))
        row = msgspec.structs.replace(row, etag=new_etag(), modified=clock.now())
        blobs.save_blob(tx, row)
    return row


def _get(tx: Transaction, owner: Owner, name: str, conditions: BlobHeaders) -> BlobRow:
    check_owner(tx, owner)
    row = blobs.find_blob(tx, owner.project_id, owner.id, name)
    if not row:
        raise BlobNotFound
    if not conditions.is_met_by(row) or conditions.forbids(row):
        raise ConditionNotMet
    return row
