"""Files: prepared for an upload, listed, tagged and removed. Also the entry point for what other modules need of
files."""

from __future__ import annotations

from penstock.foundation import clock
from penstock.foundation.callers import Caller
from penstock.foundation.database import Transaction
from penstock.foundation.errors import Forbidden
from penstock.foundation.limits import TAGS
from penstock.foundation.stack import Stack
from penstock.services.storage.errors.files import InvalidFile
from penstock.services.storage.models.file_search import parse_search
from penstock.services.storage.models.files import FileQuery, FileRow, FileSource, NewFile
from penstock.services.storage.models.jobs import JobRow
from penstock.services.storage.operations.files.cleaning import remove_expired, remove_file
from penstock.services.storage.operations.files.exports import export_folder, new_export, publish_export
from penstock.services.storage.operations.files.rows import add_row, get_row, upload_name
from penstock.services.storage.operations.files.sources import get_source, open_source
from penstock.services.storage.operations.jobs import NewJob, create_job
from penstock.services.storage.operations.permissions import may_read_all_files
from penstock.services.storage.store import file_search, files

__all__ = [
    "FileSource",
    "add_tag",
    "delete_file",
    "export_folder",
    "get_file",
    "get_own_file",
    "get_source",
    "list_files",
    "new_export",
    "open_source",
    "plan_deletion",
    "prepare_file",
    "publish_export",
    "remove_expired",
    "remove_file",
    "remove_tag",
]

MAX_AGE_DAYS = 15
FILES_SHOWN = 1000


def prepare_file(tx: Transaction, caller: Caller, new_file: NewFile) -> FileRow:
    if not new_file.federation_token:
        raise InvalidFile(
            "Invalid request:\n"
            ' - federationToken: "Form uploads are not supported; request credentials with federationToken=1."'
        )
    return add_row(
        tx,
        caller,
        upload_name(new_file.name),
        [tag for tag in new_file.tags if tag],  # some clients send one empty tag where there are none
        max_age_days=None if new_file.is_permanent else MAX_AGE_DAYS,
        is_sliced=new_file.is_sliced,
        is_public=new_file.is_public,
        size_bytes=new_file.size_bytes,
    )


def list_files(tx: Transaction, caller: Caller, query: FileQuery) -> list[FileRow]:
    """All files of the project for a caller that may read all; for any other, its own."""
    return file_search.list_files(
        tx,
        caller.project_id,
        None if may_read_all_files(caller) else caller.token_id,
        query,
        branch_id=caller.branch_filter,
        search=parse_search(query.q),
        limit=min(query.limit, FILES_SHOWN),
        alive_at=None if query.show_expired else clock.now(),
    )


def get_file(tx: Transaction, caller: Caller, file_id: str) -> FileRow:
    return get_row(tx, caller, file_id)


def get_own_file(tx: Transaction, caller: Caller, file_id: str) -> FileRow:
    """A file that the caller may change: permission to read the files of others does not include changing them."""
    row = get_row(tx, caller, file_id)
    if not (caller.is_master or row.token_id == caller.token_id):
        raise Forbidden("You don't have access to the resource.")
    return row


def add_tag(tx: Transaction, caller: Caller, file_id: str, tag: str) -> None:
    row = get_own_file(tx, caller, file_id)
    if tag in row.tags:
        return
    if len(row.tags) >= TAGS:
        raise InvalidFile(f"A file has at most {TAGS} tags.")
    files.set_tags(tx, row, [*row.tags, tag])


def remove_tag(tx: Transaction, caller: Caller, file_id: str, tag: str) -> None:
    """Remove a tag; an absent one is not an error."""
    row = get_own_file(tx, caller, file_id)
    if tag in row.tags:
        files.set_tags(tx, row, [known for known in row.tags if known != tag])


def plan_deletion(tx: Transaction, caller: Caller, file_id: str) -> JobRow:
    row = get_own_file(tx, caller, file_id)
    return create_job(tx, caller, NewJob(operation="fileDelete", params={"fileId": row.id}))


def delete_file(stack: Stack, caller: Caller, job: JobRow) -> None:
    """Run the deletion job."""
    remove_file(stack, caller.project_id, int(job.params["fileId"]))
