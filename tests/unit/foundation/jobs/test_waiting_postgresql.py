"""PostgreSQL: requests that wait query once, and again when something was written."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import closing

import anyio
import pytest

from penstock.foundation.database import Database
from penstock.foundation.jobs.waiting import Waiting
from penstock.web.requests import Wait
from tests.support.postgresql import PostgresServer
from tests.support.stacks import wait_for

REQUESTS, SECONDS = 20, 1.0


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

    async def wait() -> None:
        waiting = Waiting(database)
        async with anyio.create_task_group() as group:
            for _ in range(REQUESTS):
                group.start_soon(waiting.wait, Wait(is_over, SECONDS, lambda: None))
            for _ in range(writes):
                await anyio.sleep(SECONDS / 2)
                with database.writing(1):
                    pass

    anyio.run(wait)
    return queries


@pytest.mark.parametrize("writes", [0, 1])
def test_requests_that_wait_query_once_and_after_each_change(database: Database, writes: int) -> None:
    assert count_queries(database, writes) == REQUESTS * (1 + writes)
