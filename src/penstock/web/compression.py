"""Compression of public documents: each is the same for everybody, so that it is compressed once and remembered.

The index of Storage is 120 kB. To compress it takes twenty times as long as to make it, and anybody may ask for it.
"""

from __future__ import annotations

import gzip
from functools import lru_cache

from anyio import to_thread
from starlette.datastructures import Headers
from starlette.middleware.gzip import GZipMiddleware, GZipResponder
from starlette.types import Receive, Scope, Send

LEVEL = 5
REMEMBERED = 16
"""Clients choose the host name that addresses in a document begin with, so there may be any number of them."""


class RememberingGZip(GZipMiddleware):
    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if "gzip" in Headers(scope=scope).get("accept-encoding", ""):
            await _Responder(self.app, self.minimum_size)(scope, receive, send)
        else:
            await super().__call__(scope, receive, send)


class _Responder(GZipResponder):
    _is_streaming = False

    async def apply_compression(self, body: bytes, *, more_body: bool) -> bytes:
        self._is_streaming = self._is_streaming or more_body
        if self._is_streaming:
            return await super().apply_compression(body, more_body=more_body)
        # In a thread: nobody else waits for a document that is new.
        return await to_thread.run_sync(compress, body)


@lru_cache(REMEMBERED)
def compress(content: bytes) -> bytes:
    return gzip.compress(content, LEVEL, mtime=0)
