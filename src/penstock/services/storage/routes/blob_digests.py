"""`Content-MD5` of a request: the body must have that hash, or it is discarded."""

from __future__ import annotations

import base64
import binascii
import hashlib

from starlette.requests import Request as HttpRequest

from penstock.services.storage.errors.blobs import InvalidBlobRequest
from penstock.web.streaming import Writable, receive_body

MD5_BYTES = 16


class Hashing:
    """Writes to the body's destination, and hashes what it writes."""

    def __init__(self, target: Writable) -> None:
        self._target = target
        self._digest = hashlib.md5(usedforsecurity=False)

    def write(self, chunks: list[bytes]) -> None:
        for chunk in chunks:
            self._digest.update(chunk)
        self._target.write(chunks)

    def check(self, expected: bytes) -> None:
        found = self._digest.digest()
        if found != expected:
            raise InvalidBlobRequest(
                "Md5Mismatch",
                f"Content-MD5 is {_to_text(expected)}, but the body that arrived has {_to_text(found)}. Send it again.",
            )


async def receive_checked(http: HttpRequest, target: Writable, limit: int) -> None:
    """Like receive_body(), but raises if the body does not have the hash in the request. Without one, none is
    computed."""
    expected = _read_md5(http)
    if expected is None:
        await receive_body(http, target, limit)
        return
    hashing = Hashing(target)
    await receive_body(http, hashing, limit)
    hashing.check(expected)


def _read_md5(http: HttpRequest) -> bytes | None:
    given = http.headers.get("content-md5")
    if given is None:
        return None
    try:
        digest = base64.b64decode(given, validate=True)
    except (binascii.Error, ValueError):
        digest = b""
    if len(digest) != MD5_BYTES:
        raise InvalidBlobRequest("InvalidMd5", f'"{given}" is not a valid Content-MD5: send 16 bytes as Base64.')
    return digest


def _to_text(digest: bytes) -> str:
    return base64.b64encode(digest).decode()
