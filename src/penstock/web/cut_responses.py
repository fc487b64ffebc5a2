"""A request without a key whose client never got its response: sent again soon, it is answered again and done once.

Clients send a request again when its response was cut. When they got the response and send the same once more, they
want it done once more. So what was done is kept with its response, in one transaction, and forgotten as soon as the
response was handed over to a client that was still there. What is kept and not on its way was cut: the client had gone,
or this process ended in between. One process gives all responses, so it knows which are on their way.
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

KEPT = timedelta(seconds=60)
FORGET_SECONDS = 0.05
"""Answers that were given are forgotten together: each by itself would cost as much as a job."""
GLANCES = 3
"""Turns of the event loop in which a connection that was closed is noticed."""

Name = tuple[int, int, str]
"""A project, a token, and what was said, as a digest."""


class Flight:
    """A request on its way, until its response is given or lost."""

    def __init__(self, caller: AnyCaller, said: bytes, receive: Receive) -> None:
        self.owner = caller.project_id, caller.token_id
        # No header holds a line break, so no client's own key looks like this.
        self.prefix = f"\n{hashlib.sha256(said).hexdigest()}:"
        self.key = ""
        self.ended = Event()
        # All of the body was read: what comes next is that the client leaves.
        self._departure = ensure_future(_next_message(receive))

    @property
    def name(self) -> Name:
        """Of everything that says the same."""
        return *self.owner, self.prefix

    async def is_gone(self) -> bool:
        """Whether the client has left."""
        for _ in range(GLANCES):
            await sleep(0)
        return self._departure.done()

    def end(self) -> None:
        self._departure.cancel()
        self.ended.set()


class CutResponses:
    def __init__(self, stack: Stack) -> None:
        self._database = stack.database
        self._lock = threading.Lock()
        self._aloft: dict[Name, list[Flight]] = {}
        self._taken: set[str] = set()
        """Keys whose answers are on their way, or were given."""
        self._given: list[Flight] = []
        self._cut: dict[Name, datetime] = {}
        """Of which requests a response was cut, and when."""
        self._knows_earlier = False
        self._is_forgetting = False

    def begin(self, caller: AnyCaller, said: bytes, receive: Receive) -> Flight:
        flight = Flight(caller, said, receive)
        self._aloft.setdefault(flight.name, []).append(flight)
        return flight

    async def settle(self, flight: Flight) -> None:
        """Wait for earlier ones that say the same and still go on, if their clients have left: this may be they."""
        everyone = self._aloft[flight.name]
        for other in everyone[: everyone.index(flight)]:
            if await other.is_gone():
                await other.ended.wait()

    def find_key(self, flight: Flight) -> tuple[str, bool]:
        """Of the response that was cut, if there is one, and otherwise a new one; whether it is new."""
        kept = self._list_kept(flight) if self._may_be_cut(flight) else []
        with self._lock:
            cut = [key for key in kept if key not in self._taken]
            flight.key = cut[0] if cut else flight.prefix + ids.new_uuid()
            self._taken.add(flight.key)
        return flight.key, not cut

    def end(self, flight: Flight, *, is_given: bool) -> None:
        with self._lock:
            if is_given:
                self._given.append(flight)
            else:
                self._taken.discard(flight.key)
                self._remember_cut(flight)
        others = self._aloft[flight.name]
        others.remove(flight)
        if not others:
            del self._aloft[flight.name]
        flight.end()

    async def forget(self) -> None:
        """What was given, a little later, for all that are given until then."""
        if self._is_forgetting:
            return
        self._is_forgetting = True
        try:
            while self._given:
                await sleep(FORGET_SECONDS)
                await to_thread.run_sync(self._forget)
        except Unavailable:
            # It is remembered here that they were given; the next one tries again.
            return
        finally:
            self._is_forgetting = False

    def _may_be_cut(self, flight: Flight) -> bool:
        """Whether there is something to look for: of nearly all requests there is not, and to look would cost as much
        as half a job."""
        if not self._knows_earlier:
            found = self._list_earlier()
            with self._lock:
                self._cut, self._knows_earlier = {**found, **self._cut}, True
        return flight.name in self._cut

    def _list_earlier(self) -> dict[Name, datetime]:
        """What a process before this one did not come to give, or to forget."""
        statement = select(repeats.c.project_id, repeats.c.token_id, repeats.c.key, repeats.c.created)
        with self._database.reading() as tx:
            rows = tx.connection.execute(statement.where(repeats.c.key >= "\n", repeats.c.key < "\v")).all()
        return {(row.project_id, row.token_id, row.key.partition(":")[0] + ":"): row.created for row in rows}

    def _remember_cut(self, flight: Flight) -> None:
        now = clock.now()
        self._cut = {name: since for name, since in self._cut.items() if since > now - KEPT}
        self._cut[flight.name] = now

    def _list_kept(self, flight: Flight) -> list[str]:
        project_id, token_id = flight.owner
        statement = select(repeats.c.key).where(
            repeats.c.project_id == project_id,
            repeats.c.token_id == token_id,
            # Whatever follows the prefix begins with a hexadecimal digit.
            repeats.c.key >= flight.prefix,
            repeats.c.key < f"{flight.prefix}g",
            repeats.c.created > clock.now() - KEPT,
        )
        with self._database.reading() as tx:
            return list(tx.connection.execute(statement.order_by(repeats.c.created)).scalars())

    def _forget(self) -> None:
        with self._lock:
            given = tuple(self._given)
        # Rows of several projects, which only this process touches: no lock is needed.
        with self._database.unlocked() as tx:
            for owner in {flight.owner for flight in given}:
                keys = [flight.key for flight in given if flight.owner == owner]
                mine = (repeats.c.project_id == owner[0], repeats.c.token_id == owner[1], repeats.c.key.in_(keys))
                tx.change(delete(repeats).where(*mine))
        with self._lock:
            del self._given[: len(given)]
            self._taken.difference_update(flight.key for flight in given)


async def _next_message(receive: Receive) -> Message:
    return await receive()


class WatchedResponse(Response):
    """A response of which it is noticed whether it was given."""

    def __init__(self, response: Response, flight: Flight, responses: CutResponses) -> None:
        super().__init__(bytes(response.body), response.status_code, dict(response.headers))
        self._flight, self._responses = flight, responses

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        is_given = False
        try:
            is_there = not await self._flight.is_gone()
            with suppress(OSError):
                await super().__call__(scope, receive, send)
                is_given = is_there
        finally:
            self._responses.end(self._flight, is_given=is_given)
        await self._responses.forget()
