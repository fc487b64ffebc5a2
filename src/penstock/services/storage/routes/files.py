"""Files over HTTP. Their bytes are transferred by the blob endpoint, see blobs.py."""

from __future__ import annotations

import msgspec

from penstock.foundation.callers import Right
from penstock.foundation.database import Transaction
from penstock.foundation.stacks import STORAGE
from penstock.services.storage.models import to_text
from penstock.services.storage.models.blobs import Access, account_of
from penstock.services.storage.models.files import (
    AbsCredentials,
    AbsPath,
    AbsUpload,
    DetailQuery,
    File,
    FileQuery,
    FileRow,
    NewFile,
    NewTag,
    file_view,
)
from penstock.services.storage.models.jobs import Job
from penstock.services.storage.operations.files import files
from penstock.services.storage.operations.files.signatures import Signer, to_connection
from penstock.services.storage.routes.jobs import accept
from penstock.services.storage.routes.views import DeletionQuery
from penstock.web.requests import Request
from penstock.web.routing import Route, delete, get, post


def routes() -> list[Route]:
    every, one = "/v2/storage/files", "/v2/storage/files/{file_id}"
    return [
        post(f"{every}/prepare", prepare_file, needs=Right.TOKEN, status=201, title="Prepare the upload of a file"),
        get(every, list_files, needs=Right.TOKEN),
        get(one, get_file, needs=Right.TOKEN),
        delete(one, delete_file, needs=Right.TOKEN, status=202),
        post(f"{one}/tags", add_file_tag, needs=Right.TOKEN, status=204, title="Add a tag to a file"),
        delete(
            f"{one}/tags/{{tag:path}}", remove_file_tag, needs=Right.TOKEN, status=204, title="Remove a tag of a file"
        ),
    ]


def prepare_file(request: Request, body: NewFile) -> File:
    """Create a file; returns the address and credentials to upload its bytes."""
    with request.writing() as tx:
        row, signer = files.prepare_file(tx, request.caller, body), _signer(request, tx)
    params = AbsUpload(
        blob_name=row.name,
        account_name=account_of(request.addresses.url_of(STORAGE)),
        container=row.container,
        abs_credentials=_credentials(request, signer, row, Access.WRITE),
    )
    return msgspec.structs.replace(_view(request, signer, row), abs_upload_params=params)


def list_files(request: Request, query: FileQuery) -> list[File]:
    """Newest first."""
    with request.reading() as tx:
        rows, signer = files.list_files(tx, request.caller, query), _signer(request, tx)
    return [_view(request, signer, row) for row in rows]


def get_file(request: Request, file_id: str, query: DetailQuery) -> File:
    """A file; with `federationToken`, also credentials to download it."""
    with request.reading() as tx:
        row, signer = files.get_file(tx, request.caller, file_id), _signer(request, tx)
    shown = _view(request, signer, row)
    if not query.federation_token:
        return shown
    credentials = _credentials(request, signer, row, Access.READ)
    return msgspec.structs.replace(shown, abs_path=AbsPath(row.container, row.name), abs_credentials=credentials)


def delete_file(request: Request, file_id: str, query: DeletionQuery) -> Job | None:
    """204, or 202 with a job if requested."""
    if query.is_async:
        with request.writing() as tx:
            job = files.plan_deletion(tx, request.caller, file_id)
        return accept(request, job)
    with request.reading() as tx:
        row = files.get_own_file(tx, request.caller, file_id)
    files.remove_file(request.stack, row.project_id, row.id)
    return None


def add_file_tag(request: Request, file_id: str, body: NewTag) -> None:
    with request.writing() as tx:
        files.add_tag(tx, request.caller, file_id, body.tag)


def remove_file_tag(request: Request, file_id: str, tag: str) -> None:
    with request.writing() as tx:
        files.remove_tag(tx, request.caller, file_id, tag)


def _signer(request: Request, tx: Transaction) -> Signer:
    return Signer(tx, request.stack, request.caller)


def _view(request: Request, signer: Signer, row: FileRow) -> File:
    return file_view(row, signer.sign_url(row, request.addresses.url_of(STORAGE)))


def _credentials(request: Request, signer: Signer, row: FileRow, access: Access) -> AbsCredentials:
    signature = signer.sign(row, access)
    return AbsCredentials(
        connection=to_connection(signature, request.addresses.url_of(STORAGE)),
        expiration=to_text(signature.expires),
    )
