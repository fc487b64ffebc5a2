"""Compression of what public rows send: it is often the same for all clients, so it is compressed once and cached.

To compress a response takes longer than to create it, and it needs no token.
"""

from __future__ import annotations

import gzip
from functools import lru_cache

from starlette.datastructures import Headers
from starlette.middleware.gzip import GZipMiddleware, GZipResponder
from starlette.types import Receive, Scope, Send

from penstock.web.fair_threads import TooBusy
from penstock.web.streaming import on_disk

LEVEL = 5
GZIP_FROM = 1000
"""In bytes; what is shorter is sent as it is."""
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
        # In a thread, so that other requests do not wait; if there is none, it is sent as it is.
        try:
            return await on_disk(compress, body)
        except TooBusy:
            return body


@lru_cache(CACHED)
def compress(content: bytes) -> bytes:
    return gzip.compress(content, LEVEL, mtime=0)
