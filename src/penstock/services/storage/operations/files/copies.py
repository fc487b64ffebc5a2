"""Copies of blobs. Source and copy share their bytes on disk, and no address is ever requested: the signature in it
proves that it is an address of this stack."""

from __future__ import annotations

from urllib.parse import parse_qsl, unquote, urlsplit

import msgspec

from penstock.foundation.blobs import BlobFolder
from penstock.foundation.stack import Stack
from penstock.services.storage.errors.blobs import (
    AuthenticationFailed,
    BlobNotFound,
    CopySourceNotFound,
    CopySourceRefused,
    ForeignCopySource,
)
from penstock.services.storage.models.blobs import ENDPOINT, BlobHeaders, BlobRow, Owner, Permission
from penstock.services.storage.operations.files import signatures
from penstock.services.storage.operations.files.blobs import get_blob, make_blob, record_blobs


def find_source(stack: Stack, address: str) -> BlobRow:
    """The blob of an address, if its signature permits reading."""
    container, name, query = _split(address)
    try:
        row = signatures.verify(stack, container, query, Permission.READ)
        return get_blob(stack, row, name)[0]
    except AuthenticationFailed as error:
        raise CopySourceRefused from error
    except BlobNotFound as error:
        raise CopySourceNotFound from error


def copy_blob(stack: Stack, row: Owner, name: str, source: BlobRow, headers: BlobHeaders) -> BlobRow:
    folder = BlobFolder(stack.files_folder)
    try:
        content = folder.adopt(folder.content(source.file_id, source.content), row.id)
    except FileNotFoundError as error:  # the source was replaced or deleted meanwhile
        raise CopySourceNotFound from error
    copy = msgspec.structs.replace(make_blob(row, name, content, source.size_bytes, headers), blocks=source.blocks)
    [kept] = record_blobs(stack, row, [copy], headers)
    return kept


def _split(address: str) -> tuple[str, str, dict[str, str]]:
    """Container, blob and signature."""
    try:
        url = urlsplit(address)
    except ValueError as error:
        raise ForeignCopySource from error
    _, endpoint, place = url.path.partition(f"/{ENDPOINT}/")
    container, _, name = place.partition("/")
    if not (endpoint and container and name):
        raise ForeignCopySource
    return unquote(container), unquote(name), dict(parse_qsl(url.query))
