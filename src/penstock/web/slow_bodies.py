"""Bodies that come too slowly are cut with a 408: a byte now and then would hold a request forever.

Only the time counts in which the application waits for the client, never the time in which the client waits for it.
"""

from __future__ import annotations

import asyncio
import time

from starlette.types import Message, Receive

from penstock.foundation.errors import AppError

BODY_SECONDS = 30.0
"""How long nothing may come, and how long a body may take at any rate."""
BODY_RATE = 500
"""What has to come after that, in bytes per second on average."""


class BodyTooSlow(AppError):
    status = 408
    code = "requestTimeout"

    def __init__(self) -> None:
        super().__init__(
            f"The request body came too slowly: nothing for {BODY_SECONDS:.0f} seconds, "
            f"or less than {BODY_RATE} bytes per second. Send it again."
        )


class TimedBody:
    def __init__(self, receive: Receive) -> None:
        self._receive, self._is_whole = receive, False
        self._size, self._waited = 0, 0.0
        self.was_slow = False

    async def receive(self) -> Message:
        # Behind a whole body nothing comes but the end of the connection, which may take as long as it wants.
        if self._is_whole:
            return await self._receive()
        since = time.monotonic()
        try:
            async with asyncio.timeout(BODY_SECONDS):
                message = await self._receive()
        except TimeoutError:
            raise self._too_slow() from None
        self._waited += time.monotonic() - since
        self._size += len(message.get("body", b""))
        self._is_whole = not message.get("more_body", False)
        if not self._is_whole and self._size < BODY_RATE * (self._waited - BODY_SECONDS):
            raise self._too_slow()
        return message

    def _too_slow(self) -> BodyTooSlow:
        self.was_slow = True
        return BodyTooSlow()
