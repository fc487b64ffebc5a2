"""Rows for signing in, and for uploading blobs: in one request, or in several that continue each other."""

from __future__ import annotations

import re
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Annotated

import msgspec
from starlette.requests import Request as HttpRequest
from starlette.responses import Response

from penstock.foundation.callers import Right
from penstock.services.developer.registry import store
from penstock.services.developer.registry.access import Repository, open_repository
from penstock.services.developer.registry.blobs import cancel_upload, finish_upload, mount_blob
from penstock.services.developer.registry.credentials import WITH_IMAGE_CREDENTIALS
from penstock.services.developer.registry.errors import API_VERSION, OtherRepository, RepositoryUnknown
from penstock.services.developer.registry.models import UploadRow
from penstock.services.developer.registry.names import check_digest
from penstock.services.developer.registry.routes.rows import PATH, REPOSITORY, locate
from penstock.services.developer.registry.uploads import (
    Upload,
    begin_upload,
    explain_too_large,
    find_room,
    get_upload,
    images_in,
    size_of,
)
from penstock.web.bodies import BodyTooLarge
from penstock.web.requests import Request
from penstock.web.routing import Options, Route, delete, get, patch, post, put
from penstock.web.streaming import on_disk, receive_body

ALL = f"{REPOSITORY}/blobs/uploads"
ONE = f"{ALL}/{{upload_id}}"
_RANGE = re.compile(r"(?:bytes[ =])?([0-9]{1,18})-([0-9]{1,18})(?:/.*)?")
Digest = Annotated[str, msgspec.Meta(max_length=200)]


class Begin(msgspec.Struct, frozen=True, kw_only=True):
    digest: Digest = ""
    """With it, the body is the whole blob."""
    mount: Digest = ""
    """A blob of the repository `from`, which need not be uploaded again."""
    source: Annotated[str, msgspec.Meta(max_length=500)] = msgspec.field(default="", name="from")


class Finish(msgspec.Struct, frozen=True, kw_only=True):
    digest: Digest = ""
    """Without it the upload is refused as with a wrong one, in the words of the protocol."""


def routes() -> list[Route]:
    common: Options = {"auth": WITH_IMAGE_CREDENTIALS, "is_documented": False}
    return [
        get(PATH, sign_in, needs=Right.TOKEN, **common),
        post(ALL, begin, needs=Right.TOKEN, **common),
        get(ONE, get_progress, needs=Right.TOKEN, **common),
        patch(ONE, append, needs=Right.TOKEN, **common),
        put(ONE, finish, needs=Right.TOKEN, **common),
        delete(ONE, cancel, needs=Right.TOKEN, **common),
    ]


async def sign_in(request: Request, http: HttpRequest) -> Response:  # noqa: ARG001
    """Whether the credentials are valid, and that this is a registry."""
    return Response(b"{}", headers={"content-type": "application/json", **API_VERSION})


async def begin(request: Request, vendor: str, app: str, query: Begin, http: HttpRequest) -> Response:
    """Begin an upload; with `digest` it is the whole one, and with `mount` none is needed."""
    if query.mount and (mounted := await on_disk(_mount, request, vendor, app, query)):
        return _created(http, mounted, query.mount)
    digest = check_digest(query.digest) if query.digest else ""
    repository, row = await on_disk(_begin, request, vendor, app)
    if not digest:
        return await _accepted(request, http, repository, row)
    return await _receive_and_finish(request, http, repository, row, digest)


async def get_progress(request: Request, vendor: str, app: str, upload_id: str, http: HttpRequest) -> Response:
    """How much of it has arrived."""
    repository, row = await on_disk(_find, request, vendor, app, upload_id)
    return await _accepted(request, http, repository, row, 204)


async def append(request: Request, vendor: str, app: str, upload_id: str, http: HttpRequest) -> Response:
    """The next piece, with or without `Content-Range`."""
    repository, row = await on_disk(_find, request, vendor, app, upload_id)
    async with _open(request, row) as upload:
        if not continues(http, upload.size):
            return await _accepted(request, http, repository, row, 416)
        await _receive(request, http, upload)
    return await _accepted(request, http, repository, row)


async def finish(request: Request, vendor: str, app: str, upload_id: str, query: Finish, http: HttpRequest) -> Response:
    """The last piece, which may be empty, or the whole blob. It is stored if it has this digest."""
    digest = check_digest(query.digest)
    repository, row = await on_disk(_find, request, vendor, app, upload_id)
    return await _receive_and_finish(request, http, repository, row, digest)


def cancel(request: Request, vendor: str, app: str, upload_id: str) -> None:
    _, row = _find(request, vendor, app, upload_id)
    cancel_upload(request.stack, images_in(request.stack.folder), row)


async def _receive_and_finish(
    request: Request, http: HttpRequest, repository: Repository, row: UploadRow, digest: str
) -> Response:
    async with _open(request, row) as upload:
        if not continues(http, upload.size):
            return await _accepted(request, http, repository, row, 416)
        await _receive(request, http, upload)
        await on_disk(finish_upload, request.stack, images_in(request.stack.folder), row, digest)
    return _created(http, repository, digest)


@asynccontextmanager
async def _open(request: Request, row: UploadRow) -> AsyncGenerator[Upload]:
    upload = await on_disk(Upload, images_in(request.stack.folder), row)
    try:
        yield upload
    finally:
        upload.close()


async def _receive(request: Request, http: HttpRequest, upload: Upload) -> None:
    room = await on_disk(_find_room, request, upload.row)
    try:
        await receive_body(http, upload, max(0, room - upload.size))
    except BodyTooLarge as error:
        raise explain_too_large(request.stack.settings, room) from error


def _find_room(request: Request, row: UploadRow) -> int:
    with request.reading() as tx:
        return find_room(tx, request.stack.settings, images_in(request.stack.folder), row)


def continues(http: HttpRequest, size: int) -> bool:
    """Whether the piece begins where the upload ends. Without a range it does."""
    text = http.headers.get("content-range")
    match = _RANGE.fullmatch(text.strip()) if text else None
    return text is None or (match is not None and int(match[1]) == size)


def _find(request: Request, vendor: str, app: str, upload_id: str) -> tuple[Repository, UploadRow]:
    with request.reading() as tx:
        repository = open_repository(tx, request, vendor, app, writes=True)
        return repository, get_upload(tx, repository.app.id, upload_id)


def _begin(request: Request, vendor: str, app: str) -> tuple[Repository, UploadRow]:
    with request.writing() as tx:
        repository = open_repository(tx, request, vendor, app, writes=True)
        return repository, begin_upload(tx, repository.app.id)


def _mount(request: Request, vendor: str, app: str, query: Begin) -> Repository | None:
    """Return None if there is no such blob that the credentials may read: then it is uploaded."""
    source_vendor, _, source_app = query.source.partition("/")
    with request.writing() as tx:
        repository = open_repository(tx, request, vendor, app, writes=True)
        try:
            source = open_repository(tx, request, source_vendor, source_app, writes=False)
        except (OtherRepository, RepositoryUnknown):
            return None
        blob = store.find_blob(tx, source.app.id, check_digest(query.mount))
        if not blob:
            return None
        mount_blob(tx, repository.app.id, blob)
        return repository


async def _accepted(
    request: Request, http: HttpRequest, repository: Repository, row: UploadRow, status: int = 202
) -> Response:
    size = await on_disk(size_of, images_in(request.stack.folder), row.id)
    headers = {
        "location": locate(http, repository, "blobs", "uploads", str(row.id)),
        "range": f"0-{max(0, size - 1)}",
        "docker-upload-uuid": str(row.id),
    }
    return Response(status_code=status, headers=headers)


def _created(http: HttpRequest, repository: Repository, digest: str) -> Response:
    headers = {"location": locate(http, repository, "blobs", digest), "docker-content-digest": digest}
    return Response(status_code=201, headers=headers)
