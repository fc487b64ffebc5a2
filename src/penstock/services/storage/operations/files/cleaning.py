"""Removal of files: deleted and expired ones, and the leftovers of interrupted uploads and exports."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta

from penstock.foundation import clock
from penstock.foundation.blobs import BlobFolder
from penstock.foundation.stack import Stack
from penstock.services.storage.models.files import FileRow
from penstock.services.storage.store import blobs, files, workspaces

AT_ONCE = 200
SHOWN_AFTER_EXPIRY = timedelta(days=30)
"""For how long expired files remain in lists that include them."""
UNFINISHED_SECONDS = 7 * 86_400.0


def remove_file(stack: Stack, project_id: int, file_id: int) -> None:
    """Remove the record at once, then the bytes. A file that is already gone is not an error."""
    with stack.database.writing(project_id) as tx:
        blobs.remove_blobs(tx, project_id, file_id)
        files.remove_file(tx, project_id, file_id)
    BlobFolder(stack.files_folder).remove(file_id)


def remove_expired(stack: Stack) -> None:
    """Remove files that can no longer be read. Called periodically, in any process."""
    now, folder = clock.now(), BlobFolder(stack.files_folder)
    for row in _list_expired(stack, now, is_emptied=False):
        _empty(stack, folder, row)
    for row in _list_expired(stack, now - SHOWN_AFTER_EXPIRY, is_emptied=True):
        remove_file(stack, row.project_id, row.id)
    _remove_orphans(stack, folder)
    folder.sweep(UNFINISHED_SECONDS)


def _list_expired(stack: Stack, before: datetime, *, is_emptied: bool) -> Iterator[FileRow]:
    """Batch by batch: the caller has removed a row before it requests the next."""
    while True:
        with stack.database.reading() as tx:
            rows = files.list_expired(tx, before, AT_ONCE, is_emptied=is_emptied)
        yield from rows
        if len(rows) < AT_ONCE:
            return


def _empty(stack: Stack, folder: BlobFolder, row: FileRow) -> None:
    with stack.database.writing(row.project_id) as tx:
        blobs.remove_blobs(tx, row.project_id, row.id)
        files.change_file(tx, row, is_emptied=True)
    folder.remove(row.id)


def _remove_orphans(stack: Stack, folder: BlobFolder) -> None:
    """Remove bytes whose file or workspace is gone: of a process that died in between, or of an upload that outlived
    it."""
    # Start from the disk: its record is older than its bytes, so a new one is never mistaken for an orphan.
    found = folder.file_ids()
    with stack.database.reading() as tx:
        present = files.list_present(tx, found) | workspaces.list_present(tx, found)
    for file_id in found - present:
        folder.remove(file_id)
