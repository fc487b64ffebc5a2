"""Responses of the blob endpoint: the headers that clients require, and errors in XML."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import datetime
from email.utils import format_datetime
from xml.sax.saxutils import escape

from starlette.responses import Response

from penstock.foundation import ids
from penstock.foundation.errors import AppError
from penstock.services.storage.errors.blobs import BlobError, InvalidRange
from penstock.services.storage.models.blobs import BlobRow
from penstock.services.storage.operations.files.signatures import VERSION

_CODES = {
    404: "ResourceNotFound",
    405: "UnsupportedHttpVerb",
    408: "OperationTimedOut",
    413: "RequestBodyTooLarge",
    500: "InternalError",
    503: "ServerBusy",
}
_NOT_XML = re.compile(r"[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
# An uploaded HTML page must not run with the origin of this stack.
_SAFE = {"content-security-policy": "sandbox; default-src 'none'"}
# Pages of this origin may run its scripts. Browsers take the last type of several, so the whole header is looked at.
# Parts of a multipart response may have headers of their own, and with them another policy.
_RUNS_IN_PAGES = re.compile(r"javascript|ecmascript|jscript|livescript|css|multipart", re.IGNORECASE)


def describe(blob: BlobRow) -> dict[str, str]:
    described = {
        **blob.headers,
        "content-type": _to_harmless(blob.content_type),
        "accept-ranges": "bytes",
        "x-ms-blob-type": "BlockBlob",
        # One official client stops without this one.
        "x-ms-creation-time": to_http_time(blob.created),
        **_version_of(blob),
        **_SAFE,
    }
    return described | ({"content-disposition": blob.content_disposition} if blob.content_disposition else {})


def _to_harmless(content_type: str) -> str:
    """No browser runs plain text as a script or applies it as a style: the stack forbids to guess types."""
    return "text/plain" if _RUNS_IN_PAGES.search(content_type) else content_type


def describe_part(blob: BlobRow) -> dict[str, str]:
    """The stored hash is that of the whole blob; under its usual name, clients would compare the part with it."""
    described = describe(blob)
    whole = described.pop("content-md5", None)
    return {**described, "x-ms-blob-content-md5": whole} if whole else described


def stored(blob: BlobRow | None, status: int = 201) -> Response:
    """The upload is stored. A block has no version, so it is given as None."""
    kept = {**_version_of(blob), **_copy_of(blob)} if blob else _always()
    return Response(status_code=status, headers={**kept, "x-ms-request-server-encrypted": "true"})


def done(blob: BlobRow | None, status: int = 200, headers: Mapping[str, str] | None = None) -> Response:
    """A response without a body; None for a blob that is gone."""
    shown = _version_of(blob) if blob else _always()
    return Response(status_code=status, headers={**(headers or {}), **shown})


def describe_container(created: datetime) -> dict[str, str]:
    return {
        "etag": f'"0x{int(created.timestamp() * 1000):X}"',
        "last-modified": to_http_time(created),
        "x-ms-lease-status": "unlocked",
        "x-ms-lease-state": "available",
        "x-ms-has-immutability-policy": "false",
        "x-ms-has-legal-hold": "false",
        **_always(),
    }


def in_xml(body: str, headers: Mapping[str, str] | None = None) -> Response:
    content = f'<?xml version="1.0" encoding="utf-8"?>{body}'
    return Response(content, headers={**(headers or {}), "content-type": "application/xml", **_always()})


def to_xml_text(text: str) -> str:
    """Return the text without the characters that XML cannot have."""
    return _NOT_XML.sub("", text)


def _copy_of(blob: BlobRow) -> dict[str, str]:
    return {name: blob.headers[name] for name in ("x-ms-copy-id", "x-ms-copy-status") if name in blob.headers}


def _version_of(blob: BlobRow) -> dict[str, str]:
    return {"etag": blob.etag, "last-modified": to_http_time(blob.modified), **_always()}


def _always(request_id: str | None = None) -> dict[str, str]:
    return {"x-ms-request-id": request_id or ids.new_uuid(), "x-ms-version": VERSION}


def to_xml(error: AppError, request_id: str) -> Response:
    """An error as the protocol words it."""
    code = (error.code if isinstance(error, BlobError) else None) or _CODES.get(error.status, "InvalidInput")
    body = (
        '<?xml version="1.0" encoding="utf-8"?>'
        f"<Error><Code>{escape(code)}</Code><Message>{escape(to_xml_text(error.message))}</Message></Error>"
    )
    headers = {"content-type": "application/xml", "x-ms-error-code": code, **_always(request_id)}
    if isinstance(error, InvalidRange):
        headers["content-range"] = f"bytes */{error.size}"
    return Response(body, status_code=error.status, headers=headers)


def to_http_time(moment: datetime) -> str:
    return format_datetime(moment, usegmt=True)
