"""Requests that wait for their turn to write leave threads for those that only read."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from tests.support.http import Http
from tests.support.stacks import ServicesOnly, wait_for
from tests.unit.services.fill import add_project

WRITERS = 60
"""More than there are threads."""


def test_writers_that_wait_for_each_other_do_not_delay_readers(services: ServicesOnly) -> None:
    http = services.service("storage")
    with ThreadPoolExecutor(WRITERS) as clients:
        with services.stack.database.writing():
            writers = [clients.submit(http.post, "/v2/storage/tickets") for _ in range(WRITERS)]
            wait_for(lambda: count_threads() >= services.stack.database.writers)
            status = http.get("/v2/storage/tokens/verify").status
            is_waiting = not any(writer.done() for writer in writers)
        statuses = {writer.result().status for writer in writers}

    # Before, the reader was answered only after the writers.
    assert (status, is_waiting, statuses) == (200, True, {201})


def test_a_project_writes_before_the_writers_of_another_one_that_came_earlier(services: ServicesOnly) -> None:
    http, size = services.service("storage"), services.stack.database.writers
    other = Http(http.base, add_project(services, "Other").token)
    with ThreadPoolExecutor(size) as clients:
        with services.stack.database.writing():
            earlier = [clients.submit(http.post, "/v2/storage/tickets") for _ in range(size - 1)]
            wait_for(lambda: count_waiting(services) == size - 1)
            later = clients.submit(other.post, "/v2/storage/tickets")
            wait_for(lambda: count_waiting(services) == size)
        tickets = sorted(int(each.result().json["id"]) for each in earlier)

    assert int(later.result().json["id"]) < tickets[1], "after one of them at most"


def count_waiting(services: ServicesOnly) -> int:
    """Return how many writers wait for their turn; nothing public tells it."""
    database: Any = services.stack.database
    return database._kind._commits._turns.waiting


def count_threads() -> int:
    """Of those that handle requests."""
    return sum(each.name.startswith("AnyIO") for each in threading.enumerate())
