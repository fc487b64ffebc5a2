"""Two public rows that services share: `GET /`, what the service is, and `/health-check`, whether it works.

Both run in the event loop and hold no thread, so a flood of them delays nothing else. The database is queried at most
once in CHECK_SECONDS, by one request; the others get the result of the last query.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import lru_cache

from anyio import CapacityLimiter, to_thread

from penstock.foundation.callers import Right
from penstock.foundation.database import Database, DatabaseUnavailable
from penstock.foundation.stack.fingerprints import find_fingerprint
from penstock.foundation.stacks import PORTAL
from penstock.web.requests import Request
from penstock.web.routing import Route, get, post

CHECK_SECONDS = 1.0
CHECK = "Check the health of the service"

Body = Callable[[Request], dict[str, str]]


class DatabaseCheck:
    """Whether the database responds. A stack that has started has used it, so it counts as healthy until a query
    fails."""

    def __init__(self) -> None:
        self._thread = CapacityLimiter(1)
        self._is_running, self._next = False, 0.0
        self._problem: str | None = None

    async def check(self, database: Database) -> None:
        """Raises if the last query failed. While one is running, other requests do not wait for it."""
        if not self._is_running and time.monotonic() >= self._next:
            self._is_running = True
            try:
                self._problem = await to_thread.run_sync(_find_problem, database, limiter=self._thread)
            finally:
                self._is_running, self._next = False, time.monotonic() + CHECK_SECONDS
        if self._problem:
            raise DatabaseUnavailable(self._problem)


def _find_problem(database: Database) -> str | None:
    try:
        with database.reading() as tx:
            find_fingerprint(tx)
    except DatabaseUnavailable as error:
        return error.message
    return None


def description_of(service: str) -> Body:
    """Which service this is, and where it is documented."""
    return lambda request: {"api": service, "documentation": f"{request.addresses.url_of(PORTAL)}/"}


@lru_cache
def description(service: str) -> Route:
    body = description_of(service)

    async def describe(request: Request) -> dict[str, str]:
        """Which service this is, and where it is documented."""
        return body(request)

    return get("/", describe, needs=Right.PUBLIC, title="Describe the service")


def health_check(body: Body) -> Route:
    """`body` is what a healthy service responds with."""
    database = DatabaseCheck()

    async def check_health(request: Request) -> dict[str, str]:
        """Alive, with its database."""
        await database.check(request.stack.database)
        return body(request)

    return get("/health-check", check_health, needs=Right.PUBLIC, title=CHECK)


def health_check_by_post(health: Route) -> Route:
    """The same row for clients that post."""

    async def check_health_by_post(request: Request) -> dict[str, str]:
        """Alive, with its database, as some clients ask for it."""
        return await health.handler(request)

    return post("/health-check", check_health_by_post, needs=Right.PUBLIC, title=CHECK)
