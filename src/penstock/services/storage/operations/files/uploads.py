"""Rows in the body of a request: stored as a file, then loaded like any other."""

from __future__ import annotations

from penstock.foundation.blobs import BlobFolder
from penstock.foundation.callers import Caller
from penstock.foundation.stack import Stack
from penstock.services.storage.errors.tables import InvalidTable
from penstock.services.storage.models.blobs import BlobHeaders
from penstock.services.storage.models.files import FileRow
from penstock.services.storage.models.queries import ImportRequest
from penstock.services.storage.operations.files.blobs import put_blob
from penstock.services.storage.operations.files.rows import add_row

NAME, TAG, DAYS = "data.csv", "file-import", 1


def keep_rows(stack: Stack, caller: Caller, wanted: ImportRequest) -> FileRow:
    """Store the rows in the request as a file."""
    text = wanted.data_string or wanted.data
    if not text:
        raise InvalidTable("There are no rows: send them as `dataString`, or as a file called `data`.")
    with stack.database.writing(caller.project_id) as tx:
        row = add_row(tx, caller, NAME, [TAG], max_age_days=DAYS, is_sliced=False)
    incoming = BlobFolder(stack.files_folder).receive()
    try:
        incoming.write([text.encode("utf-8", "surrogatepass")])
        put_blob(stack, row, row.name, incoming, BlobHeaders())
    finally:
        incoming.discard()
    return row
