"""Store files that a component wrote as files of the project.

Each has an id that was reserved before: on a retry after a crash, a file that is complete stays as it is, and one
without bytes gets them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from penstock.contracts.files import OutputFile
from penstock.foundation import ids
from penstock.foundation.blobs import BlobFolder, Part
from penstock.foundation.callers import Caller
from penstock.foundation.limits import TAGS
from penstock.foundation.stack import Stack
from penstock.services.storage.errors.files import InvalidFile
from penstock.services.storage.models.blobs import BlobHeaders, BlobRow, Manifest, to_entry
from penstock.services.storage.models.files import TAG_CHARACTERS, FileRow
from penstock.services.storage.operations.files.blobs import make_blob, record_blobs
from penstock.services.storage.operations.files.exports import write_manifest
from penstock.services.storage.operations.files.rows import add_row, upload_name
from penstock.services.storage.store import blobs, files

MAX_AGE_DAYS = 15
GZIP = ".gz"


def reserve_ids(stack: Stack, caller: Caller, count: int) -> list[int]:
    """Reserve ids for files to be stored; no file is visible yet."""
    with stack.database.writing(caller.project_id) as tx:
        return list(ids.new_ids(tx, count))


def check_tags(tags: Sequence[str]) -> None:
    if len(tags) > TAGS:
        raise InvalidFile(f"A file has at most {TAGS} tags.")
    if any(not tag or len(tag) > TAG_CHARACTERS for tag in tags):
        raise InvalidFile(f"A tag has at least one and at most {TAG_CHARACTERS} characters.")


def store_file(stack: Stack, caller: Caller, file_id: int, file: OutputFile, storage_url: str) -> FileRow:
    check_tags(file.tags)
    row = _ensure_row(stack, caller, file_id, file)
    with stack.database.reading() as tx:
        is_there = blobs.find_blob(tx, row.project_id, row.id, row.first_blob)
    if not is_there:
        record_blobs(stack, row, list(_keep(stack, row, file, storage_url)))
    return row


def _ensure_row(stack: Stack, caller: Caller, file_id: int, file: OutputFile) -> FileRow:
    with stack.database.writing(caller.project_id) as tx:
        known = files.find_file(tx, caller.project_id, file_id)
        return known or add_row(
            tx,
            caller,
            upload_name(file.name),
            list(file.tags),
            max_age_days=None if file.is_permanent else MAX_AGE_DAYS,
            is_sliced=file.path.is_dir(),
            is_public=file.is_public,
            file_id=file_id,
        )


def _keep(stack: Stack, row: FileRow, file: OutputFile, storage_url: str) -> Iterator[BlobRow]:
    """The blobs that it consists of; the manifest is the last."""
    folder = BlobFolder(stack.files_folder)
    if not row.is_sliced:
        yield _copy(folder, row, row.name, file.path)
        return
    names: list[str] = []
    for number, path in enumerate(_list_slices(file.path)):
        names.append(f"{row.name}{number:04}{GZIP if path.name.endswith(GZIP) else ''}")
        yield _copy(folder, row, names[-1], path)
    yield write_manifest(folder, row, Manifest([to_entry(storage_url, row.container, name) for name in names]))


def _list_slices(folder: Path) -> list[Path]:
    return sorted(path for path in folder.iterdir() if not path.name.startswith("."))


def _copy(folder: BlobFolder, row: FileRow, name: str, path: Path) -> BlobRow:
    """A copy and not a link: a process that the component left behind may still write to its file."""
    incoming = folder.join([Part(path, 0, path.stat().st_size)])
    try:
        content = folder.store(incoming, row.id)
    finally:
        incoming.discard()
    return make_blob(row, name, content, incoming.size, BlobHeaders())
