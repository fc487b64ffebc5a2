"""Files that the stack writes: slices, and the manifest that lists them for downloads."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from pathlib import Path

import msgspec

from penstock.foundation.blobs import BlobFolder
from penstock.foundation.callers import Caller
from penstock.foundation.database import Transaction
from penstock.foundation.stack import Stack
from penstock.services.storage.models.blobs import BlobHeaders, BlobRow, Manifest, to_entry
from penstock.services.storage.models.files import FileRow
from penstock.services.storage.operations.files.blobs import make_blob, record_blobs
from penstock.services.storage.operations.files.rows import add_row
from penstock.services.storage.store import blobs

Slice = tuple[str, Path]
"""Its suffix after the file's name, and where it was written."""


def new_export(tx: Transaction, caller: Caller, name: str, tags: list[str], max_age_days: int = 2) -> FileRow:
    """A sliced file without slices yet."""
    return add_row(tx, caller, name, tags, max_age_days=max_age_days, is_sliced=True)


def export_folder(stack: Stack, row: FileRow) -> Path:
    """Return where its slices are written before they are visible. It is removed when they are published, or with the
    file."""
    folder = BlobFolder(stack.files_folder).staging(row.id)
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def publish_export(stack: Stack, row: FileRow, slices: Sequence[Slice], storage_url: str) -> None:
    """Publish the slices atomically. On a retry, slices that were already moved are accepted."""
    folder = BlobFolder(stack.files_folder)
    wanted = [(f"{row.name}{name}", path) for name, path in slices]
    missing = [name for name, path in wanted if not path.exists()]
    with stack.database.reading() as tx:
        published = blobs.find_blobs(tx, row.project_id, row.id, missing)
    new = [_adopt(folder, row, name, path) for name, path in wanted if name not in published]
    manifest = Manifest([to_entry(storage_url, row.container, name) for name, _ in wanted])
    record_blobs(stack, row, [*new, write_manifest(folder, row, manifest)])
    for _, path in wanted:
        path.unlink(missing_ok=True)
    shutil.rmtree(folder.staging(row.id), ignore_errors=True)


def _adopt(folder: BlobFolder, row: FileRow, name: str, path: Path) -> BlobRow:
    return make_blob(row, name, folder.adopt(path, row.id), path.stat().st_size, BlobHeaders())


def write_manifest(folder: BlobFolder, row: FileRow, manifest: Manifest) -> BlobRow:
    incoming = folder.receive()
    try:
        incoming.write([msgspec.json.encode(manifest)])
        content = folder.store(incoming, row.id)
    finally:
        incoming.discard()
    return make_blob(
        row, row.manifest_name, content, incoming.size, BlobHeaders(content={"content-type": "application/json"})
    )
