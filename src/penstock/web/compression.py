"""Compression of public documents: each is the same for all clients, so it is compressed once and cached.

The index of Storage is 120 kB. Compressing it takes twenty times as long as creating it, and it needs no token.
"""

from __future__ import annotations

import gzip
from functools import lru_cache

from anyio import to_thread
from starlette.datastructures import Headers
from starlette.middleware.gzip import GZipMiddleware, GZipResponder
from starlette.types import Receive, Scope, Send

LEVEL = 5
CACHED = 16
"""The number of cached documents. Clients choose the host name in the addresses of a document, so there may be many."""


class CachingGZip(GZipMiddleware):
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
        # In a thread, so that other requests do not wait while a new document is compressed.
        return await to_thread.run_sync(compress, body)


@lru_cache(CACHED)
def compress(content: bytes) -> bytes:
    return gzip.compress(content, LEVEL, mtime=0)
