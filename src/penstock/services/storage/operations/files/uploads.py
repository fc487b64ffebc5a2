"""Bytes in the body of a request: stored as a file, and rows then loaded like those of any other file."""

from __future__ import annotations

import msgspec

from penstock.foundation.blobs import BlobFolder, Incoming
from penstock.foundation.callers import Caller
from penstock.foundation.stack import Stack
from penstock.services.storage.errors.tables import InvalidTable
from penstock.services.storage.models.blobs import BlobHeaders
from penstock.services.storage.models.files import FileRow
from penstock.services.storage.models.queries import ImportRequest
from penstock.services.storage.operations.files.blobs import put_blob
from penstock.services.storage.operations.files.cleaning import remove_file
from penstock.services.storage.operations.files.rows import add_row
from penstock.services.storage.operations.files.sources import GZIP, GZIP_MAGIC

NAME, TAG, DAYS = "data.csv", "file-import", 1


class NewUpload(msgspec.Struct, frozen=True, kw_only=True):
    """A file whose bytes come with the request."""

    name: str
    tags: list[str] = []
    max_age_days: int | None = None
    is_public: bool = False


def keep_rows(stack: Stack, caller: Caller, request: ImportRequest) -> FileRow:
    """Store the rows in the request as a file."""
    text = request.data_string or request.data
    if not text:
        raise InvalidTable("There are no rows: send them as `dataString`, or as a file called `data`.")
    incoming = BlobFolder(stack.files_folder).receive()
    try:
        incoming.write([text.encode("utf-8", "surrogatepass")])
        return store_upload(stack, caller, incoming, NewUpload(name=NAME, tags=[TAG], max_age_days=DAYS))
    finally:
        incoming.discard()


def keep_received_rows(stack: Stack, caller: Caller, incoming: Incoming) -> FileRow:
    """Store received rows as a file. Imports tell compressed ones by the name, so it is made by the content."""
    name = NAME + GZIP if incoming.read_start(len(GZIP_MAGIC)) == GZIP_MAGIC else NAME
    return store_upload(stack, caller, incoming, NewUpload(name=name, tags=[TAG], max_age_days=DAYS))


def store_upload(stack: Stack, caller: Caller, incoming: Incoming, new_upload: NewUpload) -> FileRow:
    """A file with the received bytes; if they cannot be stored, there is no file."""
    with stack.database.writing(caller.project_id) as tx:
        row = add_row(
            tx,
            caller,
            new_upload.name,
            new_upload.tags,
            max_age_days=new_upload.max_age_days,
            is_sliced=False,
            is_public=new_upload.is_public,
        )
    try:
        blob = put_blob(stack, row, row.name, incoming, BlobHeaders())
    except BaseException:
        remove_file(stack, row.project_id, row.id)
        raise
    return msgspec.structs.replace(row, size_bytes=blob.size_bytes)
