"""Loads of files of the project into a workspace of files.

A file becomes the blob `<destination>/<file id>`. The slices of a sliced file become numbered blobs below that name, in
the order of its manifest. Contents are immutable, so nothing is copied: both have the same bytes on disk.
"""

from __future__ import annotations

from collections.abc import Callable

from penstock.foundation import interruption
from penstock.foundation.blobs import BlobFolder
from penstock.foundation.callers import Caller
from penstock.foundation.database import Transaction
from penstock.foundation.stack import Stack
from penstock.services.storage.errors.files import FileNotFound
from penstock.services.storage.errors.workspaces import DuplicateDestination, InvalidLoad, TableLoad
from penstock.services.storage.models.blobs import BlobHeaders, BlobRow
from penstock.services.storage.models.files import FileSource
from penstock.services.storage.models.workspace_loads import LoadInput, LoadRequest
from penstock.services.storage.models.workspaces import WorkspaceRow
from penstock.services.storage.operations.files.blobs import check_owner, make_blob, record_blobs
from penstock.services.storage.operations.files.rows import get_row
from penstock.services.storage.operations.files.sources import open_source
from penstock.services.storage.store import blobs

MAX_DESTINATION = 900
"""Characters; the id and the number of a slice follow, and the name of a blob has at most 1,024."""


def check_files(tx: Transaction, caller: Caller, row: WorkspaceRow, request: LoadRequest) -> None:
    """Raise what can be found without reading the files."""
    names: set[str] = set()
    for each in request.input:
        if each.data_file_id is None or each.source:
            raise TableLoad(row.schema)
        _check_destination(each)
        name = _name_of(each, get_row(tx, caller, each.data_file_id).id)
        if name in names:
            raise DuplicateDestination(each.destination)
        names.add(name)


def load_files(
    stack: Stack, caller: Caller, row: WorkspaceRow, request: LoadRequest, done: int, record: Callable[[int], None]
) -> None:
    """Load the files after the first `done`; below zero the workspace may have to be emptied before. What was done is
    recorded after each of them."""
    work = interruption.current()
    if done < 0:
        work.check()
        if not request.preserve:
            _empty(stack, row)
        record(0)
    for number, each in enumerate(request.input):
        if number >= done:
            work.check()
            _load(stack, caller, row, each)
            record(number + 1)


def _load(stack: Stack, caller: Caller, row: WorkspaceRow, each: LoadInput) -> None:
    """A blob of the same name is replaced: clients load all files of a tag again when there is another one."""
    with stack.database.reading() as tx:
        file = get_row(tx, caller, each.data_file_id or 0)
    source = open_source(stack, file)
    try:
        new = _adopt(stack, row, source, _name_of(each, file.id))
    except FileNotFoundError as error:  # deleted, or uploaded again, meanwhile
        raise FileNotFound from error
    record_blobs(stack, row, new)


def _adopt(stack: Stack, row: WorkspaceRow, source: FileSource, name: str) -> list[BlobRow]:
    folder, new = BlobFolder(stack.files_folder), list[BlobRow]()
    try:
        for number, path in enumerate(source.paths):
            blob = f"{name}/{number:05}" if source.is_sliced else name
            size = path.stat().st_size
            new.append(make_blob(row, blob, folder.adopt(path, row.id), size, BlobHeaders()))
    except BaseException:
        folder.drop_contents(row.id, [blob.content for blob in new])
        raise
    return new


def _empty(stack: Stack, row: WorkspaceRow) -> None:
    with stack.database.writing(row.project_id) as tx:
        check_owner(tx, row)
        contents = blobs.list_contents(tx, row.project_id, row.id)
        blobs.remove_blobs(tx, row.project_id, row.id)
    BlobFolder(stack.files_folder).drop_contents(row.id, contents)


def _check_destination(each: LoadInput) -> None:
    folder = each.destination.strip("/")
    if not folder or len(folder) > MAX_DESTINATION or "\0" in folder:
        raise InvalidLoad(
            f'The `destination` of the file "{each.data_file_id}" is the folder in the workspace, '
            f"of 1 to {MAX_DESTINATION} characters."
        )
    if any(part in ("", ".", "..") for part in folder.split("/")):
        raise InvalidLoad(
            f'The `destination` "{each.destination}" has an empty part, "." or "..", which clients remove from '
            "addresses. Leave it out."
        )


def _name_of(each: LoadInput, file_id: int) -> str:
    return f"{each.destination.strip('/')}/{file_id}"
