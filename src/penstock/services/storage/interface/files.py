"""Files."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from penstock.contracts.files import OutputFile
from penstock.foundation.blobs import BlobFolder, Incoming
from penstock.foundation.callers import Caller
from penstock.foundation.database import Transaction
from penstock.foundation.stack import Stack
from penstock.services.storage.models.files import File, FileQuery, FileRow, FileSource, file_view
from penstock.services.storage.operations.files import component_files, files, uploads
from penstock.services.storage.operations.files.rows import upload_name
from penstock.services.storage.operations.files.signatures import Signer
from penstock.services.storage.operations.files.uploads import NewUpload

UPLOAD_DAYS = files.MAX_AGE_DAYS
"""How long an uploaded file is kept that is not permanent."""


def list_files(tx: Transaction, caller: Caller, query: FileQuery) -> list[FileRow]:
    """Newest first."""
    return files.list_files(tx, caller, query)


def get_file(tx: Transaction, caller: Caller, file_id: str) -> FileRow:
    return files.get_file(tx, caller, file_id)


def open_file(stack: Stack, row: FileRow) -> FileSource:
    """The paths of the file's bytes. Callers must not modify them."""
    return files.open_source(stack, row)


def add_file_tags(tx: Transaction, caller: Caller, file_id: str, tags: Sequence[str]) -> None:
    for tag in tags:
        files.add_tag(tx, caller, file_id, tag)


def reserve_files(stack: Stack, caller: Caller, count: int) -> list[int]:
    """Reserve ids for files to be stored, so that storing them can be retried."""
    return component_files.reserve_ids(stack, caller, count)


def check_file(file: OutputFile) -> None:
    """Raise the errors of a file that can be found before it is stored."""
    component_files.check_tags(file.tags)


def store_file(stack: Stack, caller: Caller, file_id: int, file: OutputFile, storage_url: str) -> FileRow:
    return component_files.store_file(stack, caller, file_id, file, storage_url)


def receive_upload(stack: Stack) -> Incoming:
    """Return where the bytes of an upload are written, until they become a file or are discarded."""
    return BlobFolder(stack.files_folder).receive()


def store_upload(stack: Stack, caller: Caller, incoming: Incoming, new_upload: NewUpload) -> FileRow:
    """A file with the received bytes, under a name as clients expect it. Without `max_age_days` it is permanent."""
    named = msgspec.structs.replace(new_upload, name=upload_name(new_upload.name))
    return uploads.store_upload(stack, caller, incoming, named)


def show_file(tx: Transaction, stack: Stack, caller: Caller, row: FileRow, storage_url: str) -> File:
    """A file as Storage shows it, with an address to download it."""
    return file_view(row, Signer(tx, stack, caller).sign_url(row, storage_url))
