"""Rows for reading blobs."""

from __future__ import annotations

from typing import BinaryIO

from starlette.requests import Request as HttpRequest
from starlette.responses import Response

from penstock.foundation.callers import Right
from penstock.services.developer.registry.access import open_repository
from penstock.services.developer.registry.blobs import get_blob
from penstock.services.developer.registry.credentials import WITH_IMAGE_CREDENTIALS
from penstock.services.developer.registry.errors import BlobDamaged
from penstock.services.developer.registry.models import BlobRow
from penstock.services.developer.registry.names import check_digest
from penstock.services.developer.registry.routes.rows import REPOSITORY
from penstock.services.developer.registry.uploads import images_in
from penstock.web.ranges import RangeNotSatisfiable, Span, read_range
from penstock.web.requests import Request
from penstock.web.routing import Route, get
from penstock.web.streaming import FileStream, on_disk


def routes() -> list[Route]:
    path = f"{REPOSITORY}/blobs/{{digest}}"
    return [get(path, read_blob, needs=Right.TOKEN, auth=WITH_IMAGE_CREDENTIALS, is_documented=False)]


async def read_blob(request: Request, vendor: str, app: str, digest: str, http: HttpRequest) -> Response:
    """The bytes, or the part of them that `Range` names."""
    blob, file = await on_disk(_open, request, vendor, app, digest)
    headers = {
        "content-type": "application/octet-stream",
        "docker-content-digest": blob.digest,
        "etag": f'"{blob.digest}"',
        "accept-ranges": "bytes",
    }
    try:
        span = read_range(http.headers.get("range"), blob.size_bytes)
    except RangeNotSatisfiable:
        file.close()
        return Response(status_code=416, headers={"content-range": f"bytes */{blob.size_bytes}"})
    if not span:
        return FileStream(file, Span(0, blob.size_bytes), 200, headers)
    return FileStream(file, span, 206, {**headers, "content-range": span.to_header(blob.size_bytes)})


def _open(request: Request, vendor: str, app: str, digest: str) -> tuple[BlobRow, BinaryIO]:
    with request.reading() as tx:
        repository = open_repository(tx, request, vendor, app, writes=False)
        blob = get_blob(tx, repository.app.id, check_digest(digest))
    try:
        return blob, images_in(request.stack.folder).content(blob.content_id, blob.content).open("rb")
    except FileNotFoundError as error:
        raise BlobDamaged(digest) from error
