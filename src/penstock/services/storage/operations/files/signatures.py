"""Signed addresses: temporary access to the blobs of one file or workspace, for reading or also for writing.

A signature names the token that requested it, and its key is derived from the stored hash of that token's secret: it
becomes invalid at once when the token is revoked, refreshed or expired; that of a workspace also when the workspace
gets a new connection string, and with the personal access token or the program that it was requested with. Official
clients send it with every request to the blob endpoint, re-encoded in different ways; so decoded values are compared.
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
from penstock.foundation.database.versioned_cache import VersionedCache
from penstock.foundation.stack import Stack
from penstock.services.storage.errors.blobs import AuthenticationFailed, BlobNotFound, PermissionMissing
from penstock.services.storage.errors.tokens import InvalidToken
from penstock.services.storage.models.blobs import Access, Owner, Permission, endpoint_of
from penstock.services.storage.models.files import FileRow
from penstock.services.storage.models.tokens import HeldToken, TokenRow
from penstock.services.storage.models.workspaces import WorkspaceRow
from penstock.services.storage.operations.authentication import check_valid, is_expired
from penstock.services.storage.operations.files.rows import is_alive
from penstock.services.storage.operations.holders import has_holder
from penstock.services.storage.store import files, tokens, workspaces

LIVES = {Access.READ: timedelta(hours=12), Access.WRITE: timedelta(hours=1)}
"""Official clients download with one signature, however long that takes."""
WORKSPACE_LIFE = timedelta(days=30)
"""Of a connection string, which programs keep. The workspace gives another one when asked."""
VERSION = "2021-12-02"
_TIME = "%Y-%m-%dT%H:%M:%SZ"
_CONTAINER = re.compile(r"(?:exp-[0-9]{1,9}|permanent)-files-([0-9]{1,18})-([0-9]{1,18})-[0-9-]{10}")
_WORKSPACE = re.compile(r"workspace-([0-9]{1,18})-([0-9]{1,18})")
_CHANGES = (Permission.WRITE, Permission.DELETE)

_signed = WeakKeyDictionary[Database, VersionedCache[tuple[HeldToken, Owner]]]()
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
        self._stack, self._caller, self._token = stack, caller, token

    def sign(self, row: Owner, access: Access) -> Signature:
        now = clock.now()
        life = WORKSPACE_LIFE if isinstance(row, WorkspaceRow) else LIVES[access]
        ends = [each for each in (self._token.expires, self._caller.grants_until) if each]
        end = min([now + life, *ends])
        words = {
            "sv": VERSION,
            "sr": "c",
            "st": now.strftime(_TIME),
            "se": end.strftime(_TIME),
            "sp": access.value,
            "si": str(self._token.id),
        }
        seal = self._stack.cipher.sign(*_words(self._token, row.container, row, access, words["se"]))
        return Signature(urlencode({**words, "sig": seal}, safe=":"), end)

    def sign_connection(self, row: Owner, access: Access, storage_url: str) -> str:
        """A connection string, as libraries for the protocol read it."""
        return to_connection(self.sign(row, access), storage_url)

    def sign_url(self, row: FileRow, storage_url: str) -> str:
        """A public address of a file: of its bytes, or of the manifest of its slices."""
        query = self.sign(row, Access.READ).query
        return f"{endpoint_of(storage_url)}/{row.container}/{quote(row.first_blob)}?{query}"


def to_connection(signature: Signature, storage_url: str) -> str:
    return f"BlobEndpoint={endpoint_of(storage_url)};SharedAccessSignature={signature.query}"


def verify(stack: Stack, container: str, query: Mapping[str, str], permission: Permission) -> Owner:
    """The file or the workspace whose blobs the signature grants access to."""
    match = _CONTAINER.fullmatch(container) or _WORKSPACE.fullmatch(container)
    token_id = ids.read_id(query.get("si", ""))
    if not match or token_id is None:
        raise AuthenticationFailed
    token, row = _find_signed(stack, match, token_id)
    if isinstance(row, WorkspaceRow) and not row.is_of_files:
        raise AuthenticationFailed
    if not token or not _is_valid(stack, token, container, row, query):
        raise AuthenticationFailed
    check_valid(token)
    if permission.value not in query["sp"] or (token.only_reads and permission in _CHANGES):
        raise PermissionMissing(permission)
    if not row or row.container != container or (isinstance(row, FileRow) and not is_alive(row)):
        raise BlobNotFound
    return row


def _find_signed(stack: Stack, container: re.Match[str], token_id: int) -> tuple[HeldToken | None, Owner | None]:
    """The token of a signature, and the owner of the container. Cached until the database changes, since a large file
    comes in many blocks."""
    cache = _signed.setdefault(stack.database, VersionedCache())
    key, version = (container[0], token_id), stack.database.version()
    if found := cache.get(version, key):
        return found
    project_id, owner_id = int(container[1]), int(container[2])
    find = files.find_file if container.re is _CONTAINER else workspaces.find_workspace
    with stack.database.reading() as tx:
        token, row = tokens.find_held_token(tx, project_id, token_id), find(tx, project_id, owner_id)
        if isinstance(row, WorkspaceRow) and not has_holder(tx, row):
            return None, row
    if token and row:
        cache.put(version, key, (token, row))
    return token, row


def _is_valid(stack: Stack, token: TokenRow, container: str, row: Owner | None, query: Mapping[str, str]) -> bool:
    access, end = query.get("sp", ""), query.get("se", "")
    if not stack.cipher.verifies(query.get("sig", ""), *_words(token, container, row, access, end)):
        return False
    return end > clock.now().strftime(_TIME) and not is_expired(token)


def _words(token: TokenRow, container: str, row: Owner | None, access: str, end: str) -> tuple[str, ...]:
    """What is signed. The container names the project and the file, and is unique; a refreshed token has another
    hash, and so has a workspace with a new connection string."""
    words = ("blobs", container, access, end, str(token.id), token.secret_hash.hex())
    return (*words, row.password_hash or "") if isinstance(row, WorkspaceRow) else words
