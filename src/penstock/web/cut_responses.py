"""A request without an idempotency key whose client never got the response: if it is sent again soon, it gets the same
response, and nothing is done twice.

Clients retry a request when its response was cut. A client that got the response and sends the same request once more
wants it done once more. So the response is stored in the transaction of the request, and deleted as soon as it was
delivered to a client that was still connected. A stored response with no request in request was never delivered: the
client had disconnected, or this process was killed. One process sends all responses, so it knows what is in request.
"""

from __future__ import annotations

import hashlib
import threading
from asyncio import Event, ensure_future, sleep
from contextlib import suppress
from datetime import datetime, timedelta

from anyio import to_thread
from sqlalchemy import delete, select
from starlette.responses import Response
from starlette.types import Message, Receive, Scope, Send

from penstock.foundation import clock, ids
from penstock.foundation.callers import AnyCaller
from penstock.foundation.errors import Unavailable
from penstock.foundation.stack import Stack
from penstock.web.idempotency import repeats

STORED = timedelta(seconds=60)
DELETE_SECONDS = 0.05
"""Stored responses that were delivered are deleted together: one by one they would cost as much as a job."""
LOOP_ITERATIONS = 3
"""Iterations of the event loop after which a closed connection has been noticed."""

Name = tuple[int, int, str]
"""Of equal requests: the project, the token, and a digest of path, query and body."""


class InFlight:
    """A request in request, until its response is delivered or lost."""

    def __init__(self, caller: AnyCaller, identity: bytes, receive: Receive) -> None:
        self.owner = caller.project_id, caller.token_id
        # No header holds a line break, so no client's own key looks like this.
        self.prefix = f"\n{hashlib.sha256(identity).hexdigest()}:"
        self.key = ""
        self.ended = Event()
        # The body was read: the next message is that the client has disconnected.
        self._disconnect = ensure_future(_next_message(receive))

    @property
    def name(self) -> Name:
        """The same for equal requests."""
        return *self.owner, self.prefix

    async def is_disconnected(self) -> bool:
        """Whether the client has disconnected."""
        for _ in range(LOOP_ITERATIONS):
            await sleep(0)
        return self._disconnect.done()

    def end(self) -> None:
        self._disconnect.cancel()
        self.ended.set()


class CutResponses:
    def __init__(self, stack: Stack) -> None:
        self._database = stack.database
        self._lock = threading.Lock()
        self._in_flight: dict[Name, list[InFlight]] = {}
        self._used_keys: set[str] = set()
        """Keys of responses in request, or delivered and not yet deleted."""
        self._delivered: list[InFlight] = []
        self._cut: dict[Name, datetime] = {}
        """The requests whose response was cut, and when."""
        self._has_read_earlier = False
        self._is_deleting = False

    def begin(self, caller: AnyCaller, identity: bytes, receive: Receive) -> InFlight:
        request = InFlight(caller, identity, receive)
        self._in_flight.setdefault(request.name, []).append(request)
        return request

    async def wait_for_abandoned(self, request: InFlight) -> None:
        """Wait for earlier equal requests that still run, if their clients have disconnected: this may be a retry."""
        equal = self._in_flight[request.name]
        for other in equal[: equal.index(request)]:
            if await other.is_disconnected():
                await other.ended.wait()

    def find_key(self, request: InFlight) -> tuple[str, bool]:
        """The key of an equal request whose response was cut, otherwise a new one; and whether it is new."""
        stored = self._list_stored(request) if self._may_be_cut(request) else []
        with self._lock:
            cut = [key for key in stored if key not in self._used_keys]
            request.key = cut[0] if cut else request.prefix + ids.new_uuid()
            self._used_keys.add(request.key)
        return request.key, not cut

    def end(self, request: InFlight, *, is_delivered: bool) -> None:
        with self._lock:
            if is_delivered:
                self._delivered.append(request)
            else:
                self._used_keys.discard(request.key)
                self._remember_cut(request)
        others = self._in_flight[request.name]
        others.remove(request)
        if not others:
            del self._in_flight[request.name]
        request.end()

    async def delete_delivered(self) -> None:
        """Delete stored responses that were delivered, a little later and all together."""
        if self._is_deleting:
            return
        self._is_deleting = True
        try:
            while self._delivered:
                await sleep(DELETE_SECONDS)
                await to_thread.run_sync(self._delete_delivered)
        except Unavailable:
            # They are still listed as delivered; the next call tries again.
            return
        finally:
            self._is_deleting = False

    def _may_be_cut(self, request: InFlight) -> bool:
        """Whether there may be a stored response. For nearly all requests there is none, and a query would cost as much
        as half a job."""
        if not self._has_read_earlier:
            earlier = self._list_earlier()
            with self._lock:
                self._cut, self._has_read_earlier = {**earlier, **self._cut}, True
        return request.name in self._cut

    def _list_earlier(self) -> dict[Name, datetime]:
        """Stored responses that an earlier process did not deliver, or not delete."""
        statement = select(repeats.c.project_id, repeats.c.token_id, repeats.c.key, repeats.c.created)
        with self._database.reading() as tx:
            rows = tx.connection.execute(statement.where(repeats.c.key >= "\n", repeats.c.key < "\v")).all()
        return {(row.project_id, row.token_id, row.key.partition(":")[0] + ":"): row.created for row in rows}

    def _remember_cut(self, request: InFlight) -> None:
        now = clock.now()
        self._cut = {name: since for name, since in self._cut.items() if since > now - STORED}
        self._cut[request.name] = now

    def _list_stored(self, request: InFlight) -> list[str]:
        project_id, token_id = request.owner
        statement = select(repeats.c.key).where(
            repeats.c.project_id == project_id,
            repeats.c.token_id == token_id,
            # Whatever follows the prefix begins with a hexadecimal digit.
            repeats.c.key >= request.prefix,
            repeats.c.key < f"{request.prefix}g",
            repeats.c.created > clock.now() - STORED,
        )
        with self._database.reading() as tx:
            return list(tx.connection.execute(statement.order_by(repeats.c.created)).scalars())

    def _delete_delivered(self) -> None:
        with self._lock:
            delivered = tuple(self._delivered)
        # Rows of several projects, which only this process touches: no lock is needed.
        with self._database.unlocked() as tx:
            for owner in {request.owner for request in delivered}:
                keys = [request.key for request in delivered if request.owner == owner]
                own_rows = (repeats.c.project_id == owner[0], repeats.c.token_id == owner[1], repeats.c.key.in_(keys))
                tx.change(delete(repeats).where(*own_rows))
        with self._lock:
            del self._delivered[: len(delivered)]
            self._used_keys.difference_update(request.key for request in delivered)


async def _next_message(receive: Receive) -> Message:
    return await receive()


class WatchedResponse(Response):
    """A response that records whether it was delivered."""

    def __init__(self, response: Response, request: InFlight, responses: CutResponses) -> None:
        super().__init__(bytes(response.body), response.status_code, dict(response.headers))
        self._request, self._responses = request, responses

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        is_delivered = False
        try:
            is_connected = not await self._request.is_disconnected()
            with suppress(OSError):
                await super().__call__(scope, receive, send)
                is_delivered = is_connected
        finally:
            self._responses.end(self._request, is_delivered=is_delivered)
        await self._responses.delete_delivered()
