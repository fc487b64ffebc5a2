"""The blob endpoint, where official clients upload and download the bytes of files.

It implements the part of the protocol of Azure's block blobs that those clients use. The signature in the address
grants access, and bodies are streamed between the socket and the disk, never held in memory as a whole.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import BinaryIO

from starlette.requests import Request as HttpRequest
from starlette.responses import Response

from penstock.foundation.blobs import BlobFolder, Incoming
from penstock.foundation.callers import Right
from penstock.services.storage.errors.blobs import BlobNotFound, ConditionNotMet, InvalidBlobRequest, InvalidRange
from penstock.services.storage.models.blobs import ENDPOINT, BlobRow, Listed, Owner, Permission
from penstock.services.storage.operations.files import blobs
from penstock.services.storage.routes.blob_access import verify
from penstock.services.storage.routes.blob_changes import (
    check_current,
    get_block_list,
    get_metadata,
    remove_blob,
    set_metadata,
    set_properties,
)
from penstock.services.storage.routes.blob_copies import SOURCE, copy_blob
from penstock.services.storage.routes.blob_digests import receive_checked
from penstock.services.storage.routes.blob_headers import read_conditions, read_headers
from penstock.services.storage.routes.blob_lists import read_container
from penstock.services.storage.routes.blob_responses import describe, describe_part, stored
from penstock.web.bodies import BodyTooLarge, read_body
from penstock.web.ranges import RangeNotSatisfiable, Span, read_range
from penstock.web.requests import Request
from penstock.web.routing import Route, delete, get, put
from penstock.web.streaming import FileStream, on_disk

PUT_BYTES = 68 << 20
"""Clients send up to 64 MiB in one piece, and more in blocks."""
LIST_BYTES, LISTED_BLOCKS = 8 << 20, 50_000
NAME_CHARACTERS, BLOCK_ID_CHARACTERS = 1024, 128

_PLACES = ("Latest", "Uncommitted", "Committed")


def routes() -> list[Route]:
    path = f"/{ENDPOINT}/{{container}}/{{blob:path}}"
    return [
        get(path, read_blob, needs=Right.PUBLIC, is_documented=False, is_signed=True),
        put(path, write_blob, needs=Right.PUBLIC, is_documented=False, is_signed=True, status=201),
        delete(path, delete_blob, needs=Right.PUBLIC, is_documented=False, is_signed=True, status=202),
        get(f"/{ENDPOINT}/{{container}}", read_container, needs=Right.PUBLIC, is_documented=False, is_signed=True),
    ]


async def read_blob(request: Request, container: str, blob: str, http: HttpRequest) -> Response:
    """Get Blob and Head Blob, Get Blob Metadata and Get Block List; `comp` tells them apart."""
    if not blob and http.query_params.get("restype"):  # an address of a container may end in a slash
        return await read_container(request, container, http)
    row = await verify(request, container, http, Permission.READ)
    check_current(http)
    match http.query_params.get("comp"):
        case None | "":
            return await _get_blob(request, http, row, blob)
        case "metadata":
            return await get_metadata(request, http, row, blob)
        case "blocklist":
            return await get_block_list(request, http, row, blob)
        case other:
            raise InvalidBlobRequest("InvalidQueryParameterValue", f'A blob cannot be read with "comp={other}" here.')


async def _get_blob(request: Request, http: HttpRequest, row: Owner, blob: str) -> Response:
    found, file = await on_disk(_open, request, row, blob, http.method == "HEAD")
    try:
        return _send(http, found, file)
    except BaseException:
        if file:
            file.close()
        raise


async def write_blob(request: Request, container: str, blob: str, http: HttpRequest) -> Response:
    """Put Blob, Copy Blob, Put Block, Put Block List, Set Blob Metadata and Set Blob Properties; `comp` tells them
    apart."""
    row = await verify(request, container, http, Permission.WRITE)
    if not 0 < len(blob) <= NAME_CHARACTERS:
        raise InvalidBlobRequest("InvalidResourceName", f"A blob's name has 1 to {NAME_CHARACTERS} characters.")
    match http.query_params.get("comp"):
        case None | "":
            put = copy_blob if SOURCE in http.headers else _put_blob
            return await put(request, http, row, blob)
        case "block" | "blocklist" if SOURCE in http.headers:
            raise InvalidBlobRequest("UnsupportedHeader", "Only whole blobs are copied: send the bytes of the blocks.")
        case "block":
            return await _put_block(request, http, row, blob)
        case "blocklist":
            return await _put_block_list(request, http, row, blob)
        case "metadata":
            return await set_metadata(request, http, row, blob)
        case "properties":
            return await set_properties(request, http, row, blob)
        case other:
            raise InvalidBlobRequest("InvalidQueryParameterValue", f'Unsupported operation "comp={other}" here.')


async def delete_blob(request: Request, container: str, blob: str, http: HttpRequest) -> Response:
    """Delete Blob."""
    row = await verify(request, container, http, Permission.DELETE)
    check_current(http)
    return await remove_blob(request, http, row, blob)


async def _put_blob(request: Request, http: HttpRequest, row: Owner, name: str) -> Response:
    kind = http.headers.get("x-ms-blob-type")
    if kind is None:
        raise InvalidBlobRequest("MissingRequiredHeader", "The header x-ms-blob-type is missing: send BlockBlob.")
    if kind != "BlockBlob":
        raise InvalidBlobRequest("InvalidHeaderValue", "Only blobs of the type BlockBlob are supported.")
    headers = read_headers(http, has_content=True)
    async with _received(request, http) as incoming:
        blob = await on_disk(blobs.put_blob, request.stack, row, name, incoming, headers)
    return stored(blob)


async def _put_block(request: Request, http: HttpRequest, row: Owner, name: str) -> Response:
    # A `+` that a client did not escape arrives as a space, which no such id has.
    block_id = http.query_params.get("blockid", "").replace(" ", "+")
    if not 0 < len(block_id) <= BLOCK_ID_CHARACTERS:
        raise InvalidBlobRequest("InvalidQueryParameterValue", "A block needs a `blockid`.")
    blocks = BlobFolder(request.stack.files_folder).blocks(row.id, name)
    stretch = await on_disk(blocks.reserve, _read_length(http))
    try:
        await receive_checked(http, stretch, PUT_BYTES)
        await on_disk(blocks.keep, block_id, stretch)
    except BaseException:
        # Not in a thread: a cancelled task cannot wait for one.
        blocks.give_back(stretch)
        raise
    finally:
        stretch.close()
    return stored(None)


async def _put_block_list(request: Request, http: HttpRequest, row: Owner, name: str) -> Response:
    listed = await on_disk(_read_list, await read_body(http, LIST_BYTES))
    return stored(await on_disk(blobs.put_block_list, request.stack, row, name, listed, read_headers(http)))


def _read_length(http: HttpRequest) -> int:
    announced = http.headers.get("content-length", "")
    if not announced.isdecimal():
        raise InvalidBlobRequest(
            "MissingContentLengthHeader", "The header `Content-Length` is missing: send the length of the block."
        )
    if int(announced) > PUT_BYTES:
        raise BodyTooLarge(PUT_BYTES)
    return int(announced)


@asynccontextmanager
async def _received(request: Request, http: HttpRequest) -> AsyncGenerator[Incoming]:
    """The body in a temporary file, which is always removed."""
    incoming = await on_disk(BlobFolder(request.stack.files_folder).receive)
    try:
        await receive_checked(http, incoming, PUT_BYTES)
        yield incoming
    finally:
        incoming.discard()


def _read_list(content: bytes) -> list[Listed]:
    text = content.decode("utf-8-sig", "replace")
    if text.count("<") > 2 * LISTED_BLOCKS + 3:
        raise InvalidBlobRequest("BlockListTooLong", f"A blob has at most {LISTED_BLOCKS} blocks.")
    tags = _read_tags(text)
    if tags and tags[0][0].startswith("?xml") and not tags[0][1]:
        tags = tags[1:]
    match tags:
        case [(opened, "")] if opened.startswith("BlockList") and opened.endswith("/"):
            return []
        case [(opened, ""), *lines, ("/BlockList", "")] if opened.startswith("BlockList") and len(lines) % 2 == 0:
            return [_read_line(*pair) for pair in zip(lines[::2], lines[1::2], strict=True)]
        case _:
            raise _no_list()


def _read_tags(text: str) -> list[tuple[str, str]]:
    """Each tag with the text after it. Linear in the size of the body, whatever it contains."""
    before, *parts = text.split("<")
    if before.strip() or any(part.count(">") != 1 for part in parts):
        raise _no_list()
    return [(tag, behind.strip()) for tag, _, behind in (part.partition(">") for part in parts)]


def _read_line(opened: tuple[str, str], closed: tuple[str, str]) -> Listed:
    place, block_id = opened
    if place not in _PLACES or closed != (f"/{place}", "") or len(block_id.split()) > 1:
        raise _no_list()
    return Listed(place, block_id)


def _no_list() -> InvalidBlobRequest:
    return InvalidBlobRequest("InvalidXmlDocument", "The body is not a BlockList.")


def _open(request: Request, row: Owner, name: str, is_head: bool) -> tuple[BlobRow, BinaryIO | None]:
    blob, path = blobs.get_blob(request.stack, row, name)
    try:
        return blob, None if is_head else path.open("rb", buffering=0)
    except FileNotFoundError as error:
        raise BlobNotFound from error


def _send(http: HttpRequest, blob: BlobRow, file: BinaryIO | None) -> Response:
    asked, headers = read_conditions(http), describe(blob)
    if not asked.is_met_by(blob):
        raise ConditionNotMet
    if asked.forbids(blob):
        return Response(status_code=304, headers=headers)
    if not file:
        return Response(headers={**headers, "content-length": str(blob.size_bytes)})
    try:
        span = read_range(http.headers.get("x-ms-range") or http.headers.get("range"), blob.size_bytes)
    except RangeNotSatisfiable as error:
        raise InvalidRange(blob.size_bytes) from error
    if not span:
        return FileStream(file, Span(0, blob.size_bytes), 200, headers)
    return FileStream(file, span, 206, {**describe_part(blob), "content-range": span.to_header(blob.size_bytes)})
