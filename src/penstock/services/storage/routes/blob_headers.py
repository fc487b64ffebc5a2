"""Parse the headers that describe a blob: its type, encoding and metadata, which downloads return."""

from __future__ import annotations

import re

import msgspec
from starlette.requests import Request as HttpRequest

from penstock.services.storage.errors.blobs import InvalidBlobRequest
from penstock.services.storage.models.blobs import CONTENT_HEADERS, METADATA, BlobHeaders, BlobRow

HEADER_CHARACTERS, METADATA_CHARACTERS = 1000, 8 << 10
_METADATA_NAME = re.compile(r"[a-z_][a-z0-9_]*")
_UNSENDABLE = re.compile(r"[^\x20-\x7e\xa0-\xff]")
# Standard headers describe the body of the request, which may or may not be the blob.
_OF_BODIES = tuple(name for name in CONTENT_HEADERS if name != "content-disposition")


def read_headers(http: HttpRequest, *, has_content: bool = False) -> BlobHeaders:
    """`has_content`: the body is the blob, so that the standard content headers apply to it too."""
    plain = {name: http.headers[name] for name in _OF_BODIES if name in http.headers} if has_content else {}
    return _to_headers(http, {**_sendable(plain), **_read_content(http)}, read_metadata(http))


def copied_headers(http: HttpRequest, source: BlobRow) -> BlobHeaders:
    """The headers of the source, overridden by those of the request."""
    is_like_source = http.headers.get("x-ms-copy-source-blob-properties", "true").lower() != "false"
    content = source.content_headers if is_like_source else {}
    return _to_headers(http, {**content, **_read_content(http)}, read_metadata(http) or source.metadata)


def read_conditions(http: HttpRequest) -> BlobHeaders:
    return BlobHeaders(if_match=http.headers.get("if-match"), if_none_match=http.headers.get("if-none-match"))


def read_metadata(http: HttpRequest) -> dict[str, str]:
    """Names and values of `x-ms-meta-` headers; a name that is sent twice has both values."""
    found = {name: ",".join(http.headers.getlist(name)) for name in http.headers if name.startswith(METADATA)}
    for name in found:
        if not _METADATA_NAME.fullmatch(name.removeprefix(METADATA)):
            raise InvalidBlobRequest(
                "InvalidMetadata",
                f'"{name.removeprefix(METADATA)}" is not a valid metadata name: use letters, digits and `_`.',
            )
    if sum(len(name) + len(value) for name, value in found.items()) > METADATA_CHARACTERS:
        raise InvalidBlobRequest("MetadataTooLarge", f"Metadata has at most {METADATA_CHARACTERS} characters.")
    return {name: _UNSENDABLE.sub("", value) for name, value in found.items()}


def sendable(text: str) -> str:
    return _UNSENDABLE.sub("", text)[:HEADER_CHARACTERS]


def _read_content(http: HttpRequest) -> dict[str, str]:
    given = {name: http.headers.get(f"x-ms-blob-{name}", "") for name in CONTENT_HEADERS}
    return _sendable(given)


def _sendable(fields: dict[str, str]) -> dict[str, str]:
    cleaned = {name: sendable(value) for name, value in fields.items()}
    return {name: value for name, value in cleaned.items() if value}


def _to_headers(http: HttpRequest, content: dict[str, str], metadata: dict[str, str]) -> BlobHeaders:
    return msgspec.structs.replace(read_conditions(http), content=content, metadata=metadata)
