"""Copy Blob and Put Blob From URL: the source is a blob of this stack, given as a signed address."""

from __future__ import annotations

import msgspec
from starlette.requests import Request as HttpRequest
from starlette.responses import Response

from penstock.foundation import ids
from penstock.services.storage.errors.blobs import InvalidBlobRequest, SourceConditionNotMet
from penstock.services.storage.models.blobs import BlobHeaders, BlobRow, Owner
from penstock.services.storage.operations.files import copies
from penstock.services.storage.routes.blob_headers import copied_headers, sendable
from penstock.services.storage.routes.blob_responses import stored
from penstock.web.requests import Request
from penstock.web.streaming import on_disk

SOURCE = "x-ms-copy-source"
_CONDITIONS = ("x-ms-source-if-match", "x-ms-source-if-none-match")


async def copy_blob(request: Request, http: HttpRequest, row: Owner, name: str) -> Response:
    """Synchronous: nothing is downloaded, since both blobs are in this stack."""
    _check_supported(http)
    address = http.headers[SOURCE]
    source = await on_disk(copies.find_source, request.stack, address)
    _check_source(http, source)
    headers = msgspec.structs.replace(copied_headers(http, source), copy=_describe_copy(address, source))
    blob = await on_disk(copies.copy_blob, request.stack, row, name, source, headers)
    # Put Blob From URL has a type and returns 201; Copy Blob returns 202, since it may be asynchronous elsewhere.
    return stored(blob, 201 if "x-ms-blob-type" in http.headers else 202)


def _check_supported(http: HttpRequest) -> None:
    """Refuse conditions that are not supported: an ignored one would count as met."""
    for name in http.headers:
        if name.startswith("x-ms-source-") and name not in _CONDITIONS:
            raise InvalidBlobRequest("UnsupportedHeader", f"A copy does not support the header {name}.")


def _check_source(http: HttpRequest, source: BlobRow) -> None:
    if_match, if_none_match = (http.headers.get(name) for name in _CONDITIONS)
    asked = BlobHeaders(if_match=if_match, if_none_match=if_none_match)
    if not asked.is_met_by(source) or asked.forbids(source):
        raise SourceConditionNotMet


def _describe_copy(address: str, source: BlobRow) -> dict[str, str]:
    return {
        "x-ms-copy-id": ids.new_uuid(),
        "x-ms-copy-status": "success",
        "x-ms-copy-source": sendable(address.partition("?")[0]),
        "x-ms-copy-progress": f"{source.size_bytes}/{source.size_bytes}",
    }
