"""Containers of the blob endpoint: their properties, and the list of their blobs."""

from __future__ import annotations

import base64
import binascii
from urllib.parse import quote
from xml.sax.saxutils import escape, quoteattr

import msgspec
from starlette.requests import Request as HttpRequest
from starlette.responses import Response

from penstock.foundation.stacks import STORAGE
from penstock.services.storage.errors.blobs import InvalidBlobRequest
from penstock.services.storage.models.blobs import METADATA, BlobRow, Permission, endpoint_of
from penstock.services.storage.operations.files.blob_lists import (
    MAX_LISTED,
    BlobPage,
    ListQuery,
    Position,
    list_blobs,
)
from penstock.services.storage.routes.blob_access import verify
from penstock.services.storage.routes.blob_responses import describe_container, in_xml, to_http_time, to_xml_text
from penstock.web.requests import Request
from penstock.web.streaming import on_disk

INCLUDED = ("metadata", "copy", "snapshots", "versions", "deleted")
"""The last three are accepted and add nothing: blobs have no older versions here."""
MAX_TEXT = 1024
_CONTENT = {
    "Content-Type": "content-type",
    "Content-Encoding": "content-encoding",
    "Content-Language": "content-language",
    "Content-MD5": "content-md5",
    "Cache-Control": "cache-control",
    "Content-Disposition": "content-disposition",
}
_COPY = {
    "CopyId": "x-ms-copy-id",
    "CopyStatus": "x-ms-copy-status",
    "CopySource": "x-ms-copy-source",
    "CopyProgress": "x-ms-copy-progress",
}


async def read_container(request: Request, container: str, http: HttpRequest) -> Response:
    """List Blobs and Get Container Properties; `comp` tells them apart."""
    row = await verify(request, container, http, Permission.LIST)
    if http.query_params.get("restype") != "container":
        raise InvalidBlobRequest("InvalidQueryParameterValue", "A container is read with `restype=container`.")
    match http.query_params.get("comp"):
        case None | "":
            return Response(headers=describe_container(row.created))
        case "list":
            query, included = _read_query(http), _read_included(http)
            page = await on_disk(list_blobs, request.stack, row, query)
            endpoint = endpoint_of(request.addresses.url_of(STORAGE))
            return in_xml(await on_disk(_to_xml, endpoint, container, query, page, included))
        case other:
            raise InvalidBlobRequest(
                "InvalidQueryParameterValue", f'A container cannot be read with "comp={other}" here.'
            )


def _read_query(http: HttpRequest) -> ListQuery:
    start = _read_text(http, "startFrom")
    return ListQuery(
        prefix=_read_text(http, "prefix"),
        delimiter=_read_text(http, "delimiter"),
        start=_read_marker(http.query_params.get("marker", "")) or Position(start, is_included=True),
        limit=_read_limit(http.query_params.get("maxresults", "")),
    )


def _read_text(http: HttpRequest, name: str) -> str:
    text = http.query_params.get(name, "")
    if "\0" in text or len(text) > MAX_TEXT:
        raise InvalidBlobRequest(
            "InvalidQueryParameterValue", f"`{name}` has at most {MAX_TEXT} characters, and no NUL."
        )
    return text


def _read_limit(text: str) -> int:
    if not text:
        return MAX_LISTED
    if not (text.isascii() and text.isdecimal() and int(text[:9]) > 0):
        raise InvalidBlobRequest("OutOfRangeQueryParameterValue", f'"{text}" is not a valid `maxresults`.')
    return min(int(text[:9]), MAX_LISTED)


def _read_marker(text: str) -> Position | None:
    if not text:
        return None
    try:
        position = msgspec.json.decode(base64.urlsafe_b64decode(text.encode()), type=Position)
        position.name.encode()
    except (binascii.Error, ValueError) as error:
        raise _wrong_marker() from error
    if "\0" in position.name or len(position.name) > MAX_TEXT:
        raise _wrong_marker()
    return position


def _wrong_marker() -> InvalidBlobRequest:
    return InvalidBlobRequest(
        "InvalidQueryParameterValue", "`marker` is not a valid marker: send NextMarker of the page before."
    )


def _write_marker(position: Position | None) -> str:
    return base64.urlsafe_b64encode(msgspec.json.encode(position)).decode() if position else ""


def _read_included(http: HttpRequest) -> set[str]:
    included = {word for word in http.query_params.get("include", "").lower().split(",") if word}
    for word in included.difference(INCLUDED):
        raise InvalidBlobRequest("InvalidQueryParameterValue", f'Lists cannot include "{word}" here.')
    return included


def _to_xml(endpoint: str, container: str, query: ListQuery, page: BlobPage, included: set[str]) -> str:
    shown = {"Prefix": query.prefix, "MaxResults": str(query.limit), "Delimiter": query.delimiter}
    asked = "".join(f"<{tag}>{escape(to_xml_text(value))}</{tag}>" for tag, value in shown.items() if value)
    items = "".join(_to_prefix(item) if isinstance(item, str) else _to_item(item, included) for item in page.items)
    place = f"ServiceEndpoint={quoteattr(endpoint)} ContainerName={quoteattr(container)}"
    return (
        f"<EnumerationResults {place}>{asked}<Blobs>{items}</Blobs>"
        f"<NextMarker>{_write_marker(page.next)}</NextMarker></EnumerationResults>"
    )


def _to_prefix(prefix: str) -> str:
    return f"<BlobPrefix>{_to_name(prefix)}</BlobPrefix>"


def _to_item(blob: BlobRow, included: set[str]) -> str:
    metadata = _to_elements({name.removeprefix(METADATA): value for name, value in blob.metadata.items()})
    return (
        f"<Blob>{_to_name(blob.name)}<Properties>{_to_elements(_properties(blob, included))}</Properties>"
        f"{f'<Metadata>{metadata}</Metadata>' if 'metadata' in included else ''}</Blob>"
    )


def _properties(blob: BlobRow, included: set[str]) -> dict[str, str]:
    content = blob.content_headers
    copied = {tag: blob.headers[name] for tag, name in _COPY.items() if name in blob.headers}
    return {
        "Creation-Time": to_http_time(blob.created),
        "Last-Modified": to_http_time(blob.modified),
        "Etag": blob.etag.strip('"'),
        "Content-Length": str(blob.size_bytes),
        **{tag: content.get(name, "") for tag, name in _CONTENT.items()},
        "BlobType": "BlockBlob",
        "ServerEncrypted": "true",
        **(copied if "copy" in included else {}),
    }


def _to_elements(values: dict[str, str]) -> str:
    return "".join(f"<{tag}>{escape(to_xml_text(value))}</{tag}>" for tag, value in values.items())


def _to_name(name: str) -> str:
    """A name with characters that XML cannot have is percent-encoded, and says so."""
    if to_xml_text(name) == name and "\r" not in name:
        return f"<Name>{escape(name)}</Name>"
    return f'<Name Encoded="true">{quote(name, safe="")}</Name>'
