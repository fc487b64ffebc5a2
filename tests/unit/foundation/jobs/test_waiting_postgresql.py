"""PostgreSQL: requests that wait query once, and again when something was written."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import closing

import anyio
import pytest

from penstock.foundation.database import Database
from penstock.foundation.jobs import waiting
from penstock.foundation.jobs.waiting import Waiting
from penstock.web.requests import Wait
from tests.support.patience import PATIENCE
from tests.support.postgresql import PostgresServer
from tests.support.stacks import wait_for

REQUESTS, QUIET_SECONDS = 20, 0.5


@pytest.fixture
def database(postgresql: PostgresServer) -> Generator[Database]:
    with closing(Database(postgresql.make_database())) as opened:
        wait_for(lambda: opened.change_count() is not None)
        yield opened


def count_queries(database: Database, writes: int) -> int:
    """Of some requests that wait, while something is written so often."""
    queries = 0

    def is_over() -> bool:
        nonlocal queries
        queries += 1
        return False

    async def until(count: int) -> None:
        """And some time longer: there may be more."""
        with anyio.fail_after(PATIENCE):
            while queries < count:  # noqa: ASYNC110
                await anyio.sleep(0.01)
        await anyio.sleep(QUIET_SECONDS)

    async def wait() -> None:
        requests = Waiting(database)
        async with anyio.create_task_group() as group:
            for _ in range(REQUESTS):
                group.start_soon(requests.wait, Wait(is_over, PATIENCE, lambda: None))
            for number in range(writes):
                await until(REQUESTS * (1 + number))
                with database.writing(1):
                    pass
            await until(REQUESTS * (1 + writes))
            group.cancel_scope.cancel()

    anyio.run(wait)
    return queries


@pytest.mark.parametrize("writes", [0, 1])
def test_requests_that_wait_query_once_and_after_each_change(
    database: Database, writes: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(waiting, "FALLBACK_SECONDS", 2 * PATIENCE)
    assert count_queries(database, writes) == REQUESTS * (1 + writes)
