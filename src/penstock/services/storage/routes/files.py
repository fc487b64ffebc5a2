"""Files over HTTP. Their bytes go through the blob endpoint, see blobs.py."""

from __future__ import annotations

import msgspec

from penstock.foundation.callers import Right
from penstock.foundation.database import Transaction
from penstock.foundation.stacks import STORAGE
from penstock.services.storage.models import to_text
from penstock.services.storage.models.blobs import Access, account_of, endpoint_of
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
from penstock.services.storage.operations.files.signatures import Signer
from penstock.services.storage.routes.jobs import accept
from penstock.services.storage.routes.views import DeletionQuery
from penstock.web.requests import Request
from penstock.web.routing import Route, delete, get, post


def routes() -> list[Route]:
    every, one = "/v2/storage/files", "/v2/storage/files/{file_id}"
    return [
        post(f"{every}/prepare", prepare_file, body=NewFile, returns=File, status=201, needs=Right.TOKEN),
        get(every, list_files, query=FileQuery, returns=list[File], needs=Right.TOKEN),
        get(one, get_file, query=DetailQuery, returns=File, needs=Right.TOKEN),
        delete(one, delete_file, query=DeletionQuery, returns=Job, status=202, needs=Right.TOKEN),
        post(f"{one}/tags", add_file_tag, body=NewTag, status=204, needs=Right.TOKEN),
        delete(f"{one}/tags/{{tag:path}}", remove_file_tag, status=204, needs=Right.TOKEN),
    ]


def prepare_file(request: Request) -> File:
    """A new file, with the place and the credentials to upload its bytes."""
    with request.writing() as tx:
        row, signer = files.prepare_file(tx, request.caller, request.body), _signer(request, tx)
    params = AbsUpload(
        blob_name=row.name,
        account_name=account_of(request.addresses.url_of(STORAGE)),
        container=row.container,
        abs_credentials=_credentials(request, signer, row, Access.WRITE),
    )
    return msgspec.structs.replace(_show(request, signer, row), abs_upload_params=params)


def list_files(request: Request) -> list[File]:
    """Newest first."""
    with request.reading() as tx:
        rows, signer = files.list_files(tx, request.caller, request.query), _signer(request, tx)
    return [_show(request, signer, row) for row in rows]


def get_file(request: Request) -> File:
    """One file; with `federationToken` also what to download it with."""
    with request.reading() as tx:
        row, signer = files.get_file(tx, request.caller, request.path["file_id"]), _signer(request, tx)
    shown = _show(request, signer, row)
    if not request.query.federation_token:
        return shown
    credentials = _credentials(request, signer, row, Access.READ)
    return msgspec.structs.replace(shown, abs_path=AbsPath(row.container, row.name), abs_credentials=credentials)


def delete_file(request: Request) -> Job | None:
    """204, or 202 with a job if asked for one."""
    if request.query.is_async:
        with request.writing() as tx:
            job = files.plan_deletion(tx, request.caller, request.path["file_id"])
        return accept(request, job)
    with request.reading() as tx:
        row = files.get_own_file(tx, request.caller, request.path["file_id"])
    files.remove_file(request.stack, row.project_id, row.id)
    return None


def add_file_tag(request: Request) -> None:
    with request.writing() as tx:
        files.add_tag(tx, request.caller, request.path["file_id"], request.body.tag)


def remove_file_tag(request: Request) -> None:
    with request.writing() as tx:
        files.remove_tag(tx, request.caller, request.path["file_id"], request.path["tag"])


def _signer(request: Request, tx: Transaction) -> Signer:
    return Signer(tx, request.stack, request.caller)


def _show(request: Request, signer: Signer, row: FileRow) -> File:
    return file_view(row, signer.sign_url(row, request.addresses.url_of(STORAGE)))


def _credentials(request: Request, signer: Signer, row: FileRow, access: Access) -> AbsCredentials:
    signature = signer.sign(row, access)
    endpoint = endpoint_of(request.addresses.url_of(STORAGE))
    return AbsCredentials(
        connection=f"BlobEndpoint={endpoint};SharedAccessSignature={signature.query}",
        expiration=to_text(signature.expires),
    )
