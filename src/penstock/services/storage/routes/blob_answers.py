"""What the blob endpoint answers with: headers that clients insist on, and errors in XML."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable
from datetime import datetime
from email.utils import format_datetime
from functools import wraps
from xml.sax.saxutils import escape

from starlette.requests import Request as HttpRequest
from starlette.responses import Response

from penstock.foundation import ids
from penstock.foundation.errors import AppError
from penstock.services.storage.errors.blobs import BlobError, InvalidRange
from penstock.services.storage.models.blobs import DEFAULT_TYPE, BlobHeaders, BlobRow
from penstock.services.storage.operations.files.signatures import VERSION
from penstock.web.requests import Request

Handler = Callable[[Request, HttpRequest], Awaitable[Response]]

HEADER_CHARACTERS = 1000
_CODES = {413: "RequestBodyTooLarge", 503: "ServerBusy"}
_UNSENDABLE = re.compile(r"[^\x20-\x7e\xa0-\xff]")
# A page that somebody uploaded must not become a page of this stack's own when its address is opened.
_SAFE = {"x-content-type-options": "nosniff", "content-security-policy": "sandbox; default-src 'none'"}


def in_xml(handler: Handler) -> Handler:
    """The same handler, with errors as the protocol words them."""

    @wraps(handler)
    async def handle(request: Request, http: HttpRequest) -> Response:
        try:
            return await handler(request, http)
        except AppError as error:
            return _to_xml(error)

    return handle


def read_headers(http: HttpRequest, content_type: str | None = None) -> BlobHeaders:
    """What is said about a blob; of a request whose body is no blob, the content type is not the blob's."""
    return BlobHeaders(
        content_type=_kept(http.headers.get("x-ms-blob-content-type") or content_type) or DEFAULT_TYPE,
        content_disposition=_kept(http.headers.get("x-ms-blob-content-disposition")),
        if_match=http.headers.get("if-match"),
        if_none_match=http.headers.get("if-none-match"),
    )


def describe(blob: BlobRow) -> dict[str, str]:
    described = {
        "content-type": blob.content_type,
        "accept-ranges": "bytes",
        "x-ms-blob-type": "BlockBlob",
        # One official client stops without this one.
        "x-ms-creation-time": _to_http_time(blob.created),
        **_version_of(blob),
        **_SAFE,
    }
    return described | ({"content-disposition": blob.content_disposition} if blob.content_disposition else {})


def stored(blob: BlobRow | None) -> Response:
    """What was sent is kept; a block has no version of its own."""
    kept = _version_of(blob) if blob else _always()
    return Response(status_code=201, headers={**kept, "x-ms-request-server-encrypted": "true"})


def _version_of(blob: BlobRow) -> dict[str, str]:
    return {"etag": blob.etag, "last-modified": _to_http_time(blob.modified), **_always()}


def _always() -> dict[str, str]:
    return {"x-ms-request-id": ids.new_uuid(), "x-ms-version": VERSION}


def _to_xml(error: AppError) -> Response:
    code = (error.code if isinstance(error, BlobError) else None) or _CODES.get(error.status, "InvalidInput")
    body = (
        '<?xml version="1.0" encoding="utf-8"?>'
        f"<Error><Code>{escape(code)}</Code><Message>{escape(error.message)}</Message></Error>"
    )
    headers = {"content-type": "application/xml", "x-ms-error-code": code, **_always()}
    if isinstance(error, InvalidRange):
        headers["content-range"] = f"bytes */{error.size}"
    return Response(body, status_code=error.status, headers=headers)


def _kept(text: str | None) -> str | None:
    return _UNSENDABLE.sub("", text)[:HEADER_CHARACTERS] or None if text else None


def _to_http_time(moment: datetime) -> str:
    return format_datetime(moment, usegmt=True)
