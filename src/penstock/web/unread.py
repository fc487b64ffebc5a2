"""Large responses without a token, in chunks: a client that does not read holds one chunk in memory and not all.

Over HTTP/2 a client can ask for hundreds of documents on one connection and read none. When too many are being sent,
the one whose client has read nothing for longest is cut off.
"""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager

from anyio import CancelScope
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

PIECE_BYTES = 32 * 1024
MAX_UNREAD = 300
"""Responses of several chunks that are being sent."""


class Unread:
    """Responses that are being sent; the one that waits for its client for longest comes first."""

    def __init__(self, most: int = MAX_UNREAD) -> None:
        self._most = most
        self._sending: dict[CancelScope, None] = {}

    @contextmanager
    def sending(self) -> Generator[CancelScope]:
        while len(self._sending) >= self._most:
            oldest = next(iter(self._sending))
            del self._sending[oldest]
            oldest.cancel()
        with CancelScope() as scope:
            self._sending[scope] = None
            try:
                yield scope
            finally:
                self._sending.pop(scope, None)

    def note_read(self, scope: CancelScope) -> None:
        """Record that the client has read a chunk."""
        if scope in self._sending:
            del self._sending[scope]
            self._sending[scope] = None

    def __len__(self) -> int:
        return len(self._sending)


UNREAD = Unread()
"""Of this process."""


class PublicResponse(Response):
    """Bytes that are kept, and may be sent to many clients at the same time."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        content = bytes(self.body)
        if len(content) <= PIECE_BYTES or scope["method"] == "HEAD":
            await super().__call__(scope, receive, send)
            return
        with UNREAD.sending() as sending:
            await send({"type": "http.response.start", "status": self.status_code, "headers": self.raw_headers})
            for start in range(0, len(content), PIECE_BYTES):
                end = start + PIECE_BYTES
                piece = {"body": content[start:end], "more_body": end < len(content)}
                await send({"type": "http.response.body", **piece})
                UNREAD.note_read(sending)
