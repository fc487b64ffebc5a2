"""Rows that need no token: the page lists each of them, with what it costs and what limits it."""

from __future__ import annotations

import asyncio

import msgspec
import pytest

from penstock.app import list_services
from penstock.web.application import build_service
from penstock.web.fair_threads import FairThreads
from penstock.web.hosts import HostDispatcher
from penstock.web.request_threads import RequestThreads
from tests.public_surface.asking import ask
from tests.public_surface.rows import (
    KEPT,
    MAX_MILLISECONDS,
    QUEUED,
    Row,
    find_unbounded,
    list_public,
    make_table,
    read_costs,
    read_table,
)
from tests.support.stacks import ServicesOnly

ROWS = list_public()
AGAIN = "run `python -m tests.public_surface`"


def test_the_page_shows_the_public_rows_of_the_route_tables() -> None:
    costs = read_costs()

    assert list(costs) == [row.name for row in ROWS], AGAIN
    assert read_table() == make_table(ROWS, costs), AGAIN


def test_no_row_is_expensive_without_a_cache_or_a_queue() -> None:
    assert find_unbounded(ROWS, read_costs()) == []


def test_an_expensive_row_without_a_limit_is_found() -> None:
    row = next(row for row in ROWS if row.route.is_async and row.limit not in (KEPT, QUEUED))

    assert find_unbounded([row], {row.name: MAX_MILLISECONDS + 1}) == [row.name]
    assert find_unbounded([row], {row.name: MAX_MILLISECONDS}) == []


@pytest.fixture(scope="module")
def full(shared: ServicesOnly) -> HostDispatcher:
    """The services, while the queue of anonymous requests is full."""
    threads = RequestThreads.of(shared.stack.database)
    anonymous = FairThreads(1, max_waiting=0)
    anonymous._free = 0
    threads = msgspec.structs.replace(threads, anonymous=anonymous)
    services = list_services()
    built = {
        each.id: build_service(each, shared.stack, services, threads, 1_000_000) for each in services if each.routes
    }
    return HostDispatcher("penstock.localhost", built, None, ())


def test_rows_in_the_queue_are_refused_when_it_is_full_and_others_are_not(full: HostDispatcher) -> None:
    async def ask_all(rows: list[Row]) -> dict[str, int]:
        return {row.name: await ask(full, row) for row in rows}

    queued = asyncio.run(ask_all([row for row in ROWS if row.limit == QUEUED]))
    kept = asyncio.run(ask_all([row for row in ROWS if row.limit == KEPT]))

    assert {name: status for name, status in queued.items() if status != 503} == {}
    assert set(kept.values()) == {200}
