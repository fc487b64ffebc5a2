"""Operations on a blob beside its upload and download: it is deleted, metadata and properties are set, and blocks are
listed."""

from __future__ import annotations

from xml.sax.saxutils import escape

from starlette.requests import Request as HttpRequest
from starlette.responses import Response

from penstock.foundation.blobs import BlobFolder
from penstock.services.storage.errors.blobs import BlobNotFound, ConditionNotMet, InvalidBlobRequest
from penstock.services.storage.models.blobs import BlobRow, Owner
from penstock.services.storage.operations.files import blob_changes, blobs
from penstock.services.storage.routes.blob_headers import read_conditions, read_headers
from penstock.services.storage.routes.blob_responses import describe, done, in_xml, to_xml_text
from penstock.web.requests import Request
from penstock.web.streaming import on_disk

KINDS = ("committed", "uncommitted", "all")
_VERSIONS = ("snapshot", "versionid")
_UNSUPPORTED = ("if-modified-since", "if-unmodified-since", "x-ms-if-tags", "x-ms-lease-id")


def check_current(http: HttpRequest) -> None:
    """Refuse a request for an older version of a blob: without this it would get, or delete, the current one."""
    for name in _VERSIONS:
        if name in http.query_params:
            raise InvalidBlobRequest(
                "InvalidQueryParameterValue", f"Blobs have no older versions here: leave `{name}` out."
            )


async def remove_blob(request: Request, http: HttpRequest, row: Owner, name: str) -> Response:
    _check_conditions(http)
    if http.headers.get("x-ms-delete-snapshots", "include").lower() != "include":
        raise InvalidBlobRequest("InvalidHeaderValue", "Blobs have no snapshots here: only blobs can be deleted.")
    await on_disk(blob_changes.delete_blob, request.stack, row, name, read_conditions(http))
    return done(None, 202)


async def set_metadata(request: Request, http: HttpRequest, row: Owner, name: str) -> Response:
    _check_conditions(http)
    return done(await on_disk(blob_changes.set_metadata, request.stack, row, name, read_headers(http)))


async def set_properties(request: Request, http: HttpRequest, row: Owner, name: str) -> Response:
    _check_conditions(http)
    return done(await on_disk(blob_changes.set_properties, request.stack, row, name, read_headers(http)))


async def get_metadata(request: Request, http: HttpRequest, row: Owner, name: str) -> Response:
    blob, _ = await on_disk(blobs.get_blob, request.stack, row, name)
    if not read_conditions(http).is_met_by(blob):
        raise ConditionNotMet
    return done(blob, headers=blob.metadata)


async def get_block_list(request: Request, http: HttpRequest, row: Owner, name: str) -> Response:
    kind = http.query_params.get("blocklisttype", KINDS[0])
    if kind not in KINDS:
        raise InvalidBlobRequest(
            "InvalidQueryParameterValue", f'"{kind}" is not a valid `blocklisttype`: use {", ".join(KINDS)}.'
        )
    blob, staged = await on_disk(_find_blocks, request, row, name)
    committed = {block.id: block.size for block in blob.list_blocks()} if blob else {}
    parts = [
        _to_xml("CommittedBlocks", committed) if kind != "uncommitted" else "",
        _to_xml("UncommittedBlocks", staged) if kind != "committed" else "",
    ]
    headers = {"x-ms-blob-content-length": str(blob.size_bytes if blob else 0)}
    if blob:
        shown = describe(blob)
        headers |= {header: shown[header] for header in ("etag", "last-modified")}
    return in_xml(f"<BlockList>{''.join(parts)}</BlockList>", headers)


def _find_blocks(request: Request, row: Owner, name: str) -> tuple[BlobRow | None, dict[str, int]]:
    """The blob, if there is one, and the sizes of blocks that wait for their list."""
    staged = BlobFolder(request.stack.files_folder).blocks(row.id, name).list_sizes()
    try:
        return blobs.get_blob(request.stack, row, name)[0], staged
    except BlobNotFound:
        if not staged:
            raise
        return None, staged


def _to_xml(tag: str, sizes: dict[str, int]) -> str:
    blocks = (
        f"<Block><Name>{escape(to_xml_text(block))}</Name><Size>{size}</Size></Block>" for block, size in sizes.items()
    )
    return f"<{tag}>{''.join(blocks)}</{tag}>"


def _check_conditions(http: HttpRequest) -> None:
    """Refuse conditions that are not supported: an ignored one would count as met."""
    for name in _UNSUPPORTED:
        if name in http.headers:
            raise InvalidBlobRequest("UnsupportedHeader", f"The header {name} is not supported here: use If-Match.")
