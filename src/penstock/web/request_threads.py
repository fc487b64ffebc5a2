"""The threads for the requests of all services, the memory for their bodies, and which of them a request uses.

Reading tables may take long, and writers wait for each other in the database: both have their own threads, so that
nothing else waits for them. So do requests with large bodies, which take a processor for long: they share few threads.
Requests without a token have few threads and a short queue: whatever is sent there, other threads identify callers and
do what they ask for.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from contextlib import AbstractContextManager
from contextvars import ContextVar
from typing import Any, TypeVar

import msgspec
from starlette.requests import Request as HttpRequest

from penstock.foundation.callers import AnyCaller, Right
from penstock.foundation.database import Database
from penstock.foundation.machine import network_of
from penstock.foundation.memory_shares import MemoryShares
from penstock.web.body_memory import OF_NETWORKS, OF_PROJECTS, counting
from penstock.web.fair_threads import FairThreads, WaitUntilLeft
from penstock.web.rate_limits import RateLimits
from penstock.web.routing import Route

T = TypeVar("T")

LAKE_THREADS = 4
LARGE_BODY_BYTES = 100_000
LARGE_BODY_THREADS = 2
"""More would only slow each other and all other requests down: one thread at a time runs Python. A project has one of
them, so that another one does not wait for it."""
IDENTIFICATION_THREADS = 2
MAX_UNIDENTIFIED = 1000
"""Requests that wait until their token is looked up, which takes less than a millisecond."""
ANONYMOUS_THREADS = 3
MAX_ANONYMOUS = 100
"""Requests without a token that wait for a thread."""


class RequestThreads(msgspec.Struct, frozen=True):
    reads: FairThreads
    writes: FairThreads
    lake: FairThreads
    large_bodies: FairThreads
    identification: FairThreads
    """Looks up tokens."""
    anonymous: FairThreads
    """For rows that need no token."""
    documents: FairThreads
    """Makes what is the same for all callers, see documents.py."""
    bodies: MemoryShares
    anonymous_bodies: MemoryShares

    @classmethod
    def of(cls, database: Database) -> RequestThreads:
        return cls(
            reads=FairThreads(database.readers),
            writes=FairThreads(database.writers),
            lake=FairThreads(LAKE_THREADS),
            large_bodies=FairThreads(LARGE_BODY_THREADS, max_of_key=1),
            identification=FairThreads(IDENTIFICATION_THREADS, MAX_UNIDENTIFIED),
            anonymous=FairThreads(ANONYMOUS_THREADS, MAX_ANONYMOUS),
            documents=FairThreads(1, MAX_ANONYMOUS),
            bodies=MemoryShares(*OF_PROJECTS),
            anonymous_bodies=MemoryShares(*OF_NETWORKS),
        )


class WorkQueue(msgspec.Struct, frozen=True):
    """The threads of one request, and the key under which it waits for them."""

    threads: FairThreads
    key: Hashable
    until_left: WaitUntilLeft | None = None

    async def run(self, work: Callable[..., T], *args: Any) -> T:
        return await self.threads.run(self.key, work, *args, until_left=self.until_left)


_current: ContextVar[WorkQueue | None] = ContextVar("penstock.queue", default=None)
"""Of the request that is handled; each is a task with its own context."""


def use_queue(queue: WorkQueue | None) -> None:
    """Choose where the rest of this request runs its blocking calls. None: its sender has proved who it is, by
    something else than a token."""
    _current.set(queue)


def current_queue() -> WorkQueue | None:
    return _current.get()


class WorkQueues(msgspec.Struct, frozen=True):
    """Finds the queue of each request."""

    threads: RequestThreads
    rates: RateLimits

    def of_nobody(self, route: Route, http: HttpRequest, credential: str) -> WorkQueue | None:
        """Return the queue of a request without a token; None if it has one."""
        if route.needs is not Right.PUBLIC:
            return None
        if route.is_signed:
            return self.identifying(route, http, credential)
        return WorkQueue(self.threads.anonymous, self.network_of(http), _until_left(route, http))

    def identifying(self, route: Route, http: HttpRequest, credential: str) -> WorkQueue:
        """Return the queue of a request whose token is not known yet. A token begins with the number of its project: a
        client that makes many up does so for one project at a time."""
        key = self.network_of(http), credential.partition("-")[0]
        # The body of other requests is still to be read.
        return WorkQueue(self.threads.identification, key, _until_left(route, http) if route.method == "GET" else None)

    def documents(self, http: HttpRequest) -> WorkQueue:
        """Share the document between all who wait for it: it is made although one of them leaves."""
        return WorkQueue(self.threads.documents, self.network_of(http))

    def of_caller(self, route: Route, http: HttpRequest, caller: AnyCaller, body_bytes: int) -> WorkQueue:
        """Return the queue of a request whose body was read."""
        return WorkQueue(self._find_threads(route, body_bytes), caller.project_id, _until_left(route, http))

    def counting_body(self, route: Route, http: HttpRequest, caller: AnyCaller) -> AbstractContextManager[None]:
        """Count the memory of a body, for the project or for the network that sends it."""
        if route.needs is Right.PUBLIC:
            return counting(self.threads.anonymous_bodies, self.network_of(http))
        return counting(self.threads.bodies, caller.project_id or (0, caller.token_id))

    def network_of(self, http: HttpRequest) -> str:
        return network_of(self.client_of(http))

    def client_of(self, http: HttpRequest) -> str:
        """Return the address that sent the request, as reported by a trusted proxy."""
        address = http.client.host if http.client else ""
        return self.rates.client_of(address, http.headers.getlist("x-forwarded-for"))

    def _find_threads(self, route: Route, body_bytes: int) -> FairThreads:
        if route.uses_lake:
            return self.threads.lake
        if body_bytes > LARGE_BODY_BYTES:
            return self.threads.large_bodies
        return self.threads.reads if route.method == "GET" else self.threads.writes


def _until_left(route: Route, http: HttpRequest) -> WaitUntilLeft | None:
    """Return None if the request is carried out although its client has left: it changes something, and has a token.
    While a handler still has to read the body, the connection is not watched either."""
    may_read_body = route.is_async and route.method != "GET"
    if may_read_body or (route.writes and route.needs is not Right.PUBLIC):
        return None

    async def wait() -> None:
        while (await http.receive())["type"] != "http.disconnect":
            pass

    return wait
