"""Addresses that let in whoever has them: to the blobs of one file, for reading or also for writing, for a while.

Official clients send such a signature with every request to the blob endpoint, re-encoded in their own ways; so what
is compared are decoded values.
"""

from __future__ import annotations

import hmac
import re
from collections.abc import Mapping
from datetime import datetime, timedelta
from urllib.parse import quote, urlencode

import msgspec

from penstock.foundation import clock
from penstock.foundation.stack import Stack
from penstock.services.storage.errors.blobs import AuthenticationFailed, BlobNotFound, MayNotWrite
from penstock.services.storage.models.blobs import Access, endpoint_of
from penstock.services.storage.models.files import FileRow
from penstock.services.storage.operations.files.rows import is_alive
from penstock.services.storage.store import files

LIFE = timedelta(hours=24)
VERSION = "2021-12-02"
_TIME = "%Y-%m-%dT%H:%M:%SZ"
_CONTAINER = re.compile(r"(?:exp-[0-9]{1,9}|permanent)-files-([0-9]{1,18})-([0-9]{1,18})-[0-9-]{10}")


class Signature(msgspec.Struct, frozen=True):
    query: str
    """What is put behind the `?` of an address."""
    expires: datetime


def sign(stack: Stack, row: FileRow, access: Access) -> Signature:
    now = clock.now()
    start, end = now.strftime(_TIME), (now + LIFE).strftime(_TIME)
    seal = _seal(stack, row.container, access, end)
    words = {"sv": VERSION, "sr": "c", "st": start, "se": end, "sp": access.value, "sig": seal}
    return Signature(urlencode(words, safe=":"), now + LIFE)


def sign_url(stack: Stack, row: FileRow, storage_url: str) -> str:
    """Where anybody may read a file: its bytes, or the manifest of its slices."""
    query = sign(stack, row, Access.READ).query
    return f"{endpoint_of(storage_url)}/{row.container}/{quote(row.first_blob)}?{query}"


def verify(stack: Stack, container: str, given: Mapping[str, str], *, writes: bool) -> FileRow:
    """The file whose blobs the signature opens."""
    access, end = given.get("sp", ""), given.get("se", "")
    expected = _seal(stack, container, access, end)
    if not hmac.compare_digest(given.get("sig", "").encode(), expected.encode()):
        raise AuthenticationFailed
    if end <= clock.now().strftime(_TIME):
        raise AuthenticationFailed
    if writes and access != Access.WRITE:
        raise MayNotWrite
    return _get_file(stack, container)


def _get_file(stack: Stack, container: str) -> FileRow:
    match = _CONTAINER.fullmatch(container)
    if not match:
        raise BlobNotFound
    with stack.database.reading() as tx:
        row = files.find_file(tx, int(match[1]), int(match[2]))
    if not row or row.container != container or not is_alive(row):
        raise BlobNotFound
    return row


def _seal(stack: Stack, container: str, access: str, end: str) -> str:
    # The container names the project and the file, and is nobody else's.
    return stack.cipher.sign("blobs", container, access, end)
