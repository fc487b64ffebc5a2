"""Signed addresses: temporary access to the blobs of one file, for reading or also for writing.

A signature names the token that requested it, and its key is derived from the stored hash of that token's secret: it
becomes invalid at once when the token is revoked, refreshed or expired. Official clients send it with every request to
the blob endpoint, re-encoded in different ways; so decoded values are compared.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import datetime, timedelta
from urllib.parse import quote, urlencode
from weakref import WeakKeyDictionary

import msgspec

from penstock.foundation import clock, ids
from penstock.foundation.callers import Caller
from penstock.foundation.database import Database, Transaction
from penstock.foundation.stack import Stack
from penstock.foundation.versioned_cache import VersionedCache
from penstock.services.storage.errors.blobs import AuthenticationFailed, BlobNotFound, MayNotWrite
from penstock.services.storage.errors.tokens import InvalidToken
from penstock.services.storage.models.blobs import Access, endpoint_of
from penstock.services.storage.models.files import FileRow
from penstock.services.storage.models.tokens import HeldToken, TokenRow
from penstock.services.storage.operations.authentication import check_valid, is_expired
from penstock.services.storage.operations.files.rows import is_alive
from penstock.services.storage.store import files, tokens

LIVES = {Access.READ: timedelta(hours=12), Access.WRITE: timedelta(hours=1)}
"""Official clients download with one signature, however long that takes."""
VERSION = "2021-12-02"
_TIME = "%Y-%m-%dT%H:%M:%SZ"
_CONTAINER = re.compile(r"(?:exp-[0-9]{1,9}|permanent)-files-([0-9]{1,18})-([0-9]{1,18})-[0-9-]{10}")

_signed = WeakKeyDictionary[Database, VersionedCache[tuple[HeldToken, FileRow]]]()
"""By stack: tests have several in a process."""


class Signature(msgspec.Struct, frozen=True):
    query: str
    """The query string of a signed address."""
    expires: datetime


class Signer:
    """Signs addresses for one caller."""

    def __init__(self, tx: Transaction, stack: Stack, caller: Caller) -> None:
        token = tokens.find_token(tx, caller.project_id, caller.token_id)
        if not token:  # revoked since the request was authenticated
            raise InvalidToken
        self._stack, self._token = stack, token

    def sign(self, row: FileRow, access: Access) -> Signature:
        now = clock.now()
        end = min(now + LIVES[access], self._token.expires or datetime.max.replace(tzinfo=now.tzinfo))
        words = {
            "sv": VERSION,
            "sr": "c",
            "st": now.strftime(_TIME),
            "se": end.strftime(_TIME),
            "sp": access.value,
            "si": str(self._token.id),
        }
        seal = self._stack.cipher.sign(*_words(self._token, row.container, access, words["se"]))
        return Signature(urlencode({**words, "sig": seal}, safe=":"), end)

    def sign_url(self, row: FileRow, storage_url: str) -> str:
        """A public address of a file: of its bytes, or of the manifest of its slices."""
        query = self.sign(row, Access.READ).query
        return f"{endpoint_of(storage_url)}/{row.container}/{quote(row.first_blob)}?{query}"


def verify(stack: Stack, container: str, given: Mapping[str, str], *, writes: bool) -> FileRow:
    """The file whose blobs the signature grants access to."""
    match, token_id = _CONTAINER.fullmatch(container), ids.read_id(given.get("si", ""))
    if not match or token_id is None:
        raise AuthenticationFailed
    token, row = _find_signed(stack, int(match[1]), token_id, int(match[2]))
    if not token or not _is_valid(stack, token, container, given):
        raise AuthenticationFailed
    check_valid(token)
    if writes and (given["sp"] != Access.WRITE or token.only_reads):
        raise MayNotWrite
    if not row or row.container != container or not is_alive(row):
        raise BlobNotFound
    return row


def _find_signed(stack: Stack, project_id: int, token_id: int, file_id: int) -> tuple[HeldToken | None, FileRow | None]:
    """The token of a signature, and its file. Cached until the database changes: a large file comes in many blocks."""
    cache = _signed.setdefault(stack.database, VersionedCache())
    key, version = (project_id, token_id, file_id), stack.database.version()
    if found := cache.get(version, key):
        return found
    with stack.database.reading() as tx:
        token, row = tokens.find_held_token(tx, project_id, token_id), files.find_file(tx, project_id, file_id)
    if token and row:
        cache.put(version, key, (token, row))
    return token, row


def _is_valid(stack: Stack, token: TokenRow, container: str, given: Mapping[str, str]) -> bool:
    access, end = given.get("sp", ""), given.get("se", "")
    if not stack.cipher.verifies(given.get("sig", ""), *_words(token, container, access, end)):
        return False
    return end > clock.now().strftime(_TIME) and not is_expired(token)


def _words(token: TokenRow, container: str, access: str, end: str) -> tuple[str, ...]:
    """What is signed. The container names the project and the file, and is unique; a refreshed token has another
    hash."""
    return "blobs", container, access, end, str(token.id), token.secret_hash.hex()
