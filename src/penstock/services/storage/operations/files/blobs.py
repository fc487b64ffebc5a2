"""Blobs: received bytes are published under a name atomically, and read by it."""

from __future__ import annotations

import secrets
from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec

from penstock.foundation import clock
from penstock.foundation.blobs import BlobFolder, Incoming, Part, key_of
from penstock.foundation.database import Transaction
from penstock.foundation.stack import Stack
from penstock.services.storage.errors.blobs import (
    BlobExists,
    BlobNotFound,
    ConditionNotMet,
    ContainerNotFound,
    InvalidBlockList,
)
from penstock.services.storage.models.blobs import DEFAULT_TYPE, BlobHeaders, BlobRow, Block, Listed, Owner
from penstock.services.storage.models.files import FileRow
from penstock.services.storage.operations.files.rows import is_alive
from penstock.services.storage.store import blobs, files, workspaces


def get_blob(stack: Stack, row: Owner, name: str) -> tuple[BlobRow, Path]:
    """A blob, and the path of its bytes."""
    with stack.database.reading() as tx:
        found = blobs.find_blob(tx, row.project_id, row.id, name)
    if not found:
        raise BlobNotFound
    return found, BlobFolder(stack.files_folder).content(row.id, found.content)


def put_blob(
    stack: Stack, row: Owner, name: str, incoming: Incoming, headers: BlobHeaders, blocks: Sequence[Block] = ()
) -> BlobRow:
    """Publish received bytes under a name. Once this returns, they survive a power failure."""
    try:
        content = BlobFolder(stack.files_folder).store(incoming, row.id)
    except FileNotFoundError as error:  # the file was deleted meanwhile
        raise BlobNotFound from error
    blob = make_blob(row, name, content, incoming.size, headers, blocks)
    [kept] = record_blobs(stack, row, [blob], headers)
    return kept


def put_block_list(stack: Stack, row: Owner, name: str, listed: Sequence[Listed], headers: BlobHeaders) -> BlobRow:
    """Assemble a blob from blocks in the order of the list. A list that is sent again finds them in the blob."""
    folder = BlobFolder(stack.files_folder)
    with stack.database.reading() as tx:
        known = blobs.find_blob(tx, row.project_id, row.id, name)
    blocks = folder.blocks(row.id, name)
    parts = _find_parts(folder, blocks.find_all(), listed, known)
    try:
        incoming = blocks.take(parts) or folder.join(parts)
    except FileNotFoundError as error:  # another block list of the same blob was committed first
        raise InvalidBlockList(listed[0].block_id) from error
    try:
        sizes = zip(listed, parts, strict=True)
        blob = put_blob(stack, row, name, incoming, headers, [Block(line.block_id, part.size) for line, part in sizes])
    finally:
        incoming.discard()
    blocks.drop()
    return blob


def make_blob(
    row: Owner, name: str, content: str, size: int, headers: BlobHeaders, blocks: Sequence[Block] = ()
) -> BlobRow:
    now = clock.now()
    return BlobRow(
        file_id=row.id,
        name=name,
        project_id=row.project_id,
        content=content,
        size_bytes=size,
        etag=new_etag(),
        content_type=headers.content.get("content-type", DEFAULT_TYPE),
        content_disposition=headers.content.get("content-disposition"),
        blocks=msgspec.json.encode(blocks),
        headers=headers.kept,
        created=now,
        modified=now,
    )


def new_etag() -> str:
    return f'"0x{secrets.token_hex(8).upper()}"'


def record_blobs(stack: Stack, row: Owner, new: Sequence[BlobRow], headers: BlobHeaders | None = None) -> list[BlobRow]:
    """Point the names to the new bytes, all or none; bytes without a name are removed."""
    folder = BlobFolder(stack.files_folder)
    try:
        with stack.database.writing(row.project_id) as tx:
            replaced = _record(tx, row, new, headers or BlobHeaders())
    except BaseException:
        folder.drop_contents(row.id, [blob.content for blob in new])
        raise
    folder.drop_contents(row.id, [blob.content for blob in replaced])
    return list(new)


def _record(tx: Transaction, row: Owner, new: Sequence[BlobRow], headers: BlobHeaders) -> list[BlobRow]:
    check_owner(tx, row)
    replaced = list(blobs.find_blobs(tx, row.project_id, row.id, [blob.name for blob in new]).values())
    _check_condition(replaced, headers)
    for blob in new:
        blobs.save_blob(tx, blob)
        if isinstance(row, FileRow) and blob.name == row.first_blob:
            files.change_file(tx, row, size_bytes=_measure(tx, row, blob))
    return replaced


def _check_condition(replaced: Sequence[BlobRow], headers: BlobHeaders) -> None:
    if any(headers.forbids(blob) for blob in replaced):
        raise BlobExists
    if headers.if_match is not None and not any(headers.is_met_by(blob) for blob in replaced):
        raise ConditionNotMet


def check_owner(tx: Transaction, row: Owner) -> None:
    """Raise if the file or the workspace was deleted, or has expired, since the request was authenticated."""
    if isinstance(row, FileRow):
        current = files.find_file(tx, row.project_id, row.id)
        if not current or not is_alive(current):
            raise BlobNotFound
    elif not workspaces.find_workspace(tx, row.project_id, row.id):
        raise ContainerNotFound


def _measure(tx: Transaction, row: FileRow, blob: BlobRow) -> int:
    """The size of a file. The manifest is uploaded after the slices and does not count."""
    return blobs.sum_sizes(tx, row.project_id, row.id, but=blob.name) if row.is_sliced else blob.size_bytes


def _find_parts(
    folder: BlobFolder, staged: dict[str, Part], listed: Sequence[Listed], existing: BlobRow | None
) -> list[Part]:
    kept = dict(_kept_parts(folder, existing)) if existing else {}
    parts: list[Part] = []
    for line in listed:
        found = staged.get(key_of(line.block_id))
        if line.place != "Committed" and found:
            parts.append(found)
        elif line.place != "Uncommitted" and line.block_id in kept:
            parts.append(kept[line.block_id])
        else:
            raise InvalidBlockList(line.block_id)
    return parts


def _kept_parts(folder: BlobFolder, existing: BlobRow) -> Iterator[tuple[str, Part]]:
    """The byte ranges of a blob's blocks."""
    path, offset = folder.content(existing.file_id, existing.content), 0
    for block in existing.list_blocks():
        yield block.id, Part(path, offset, block.size)
        offset += block.size
