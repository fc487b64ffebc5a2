"""Requests that wait for their turn to write leave threads for those that only read."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor

from tests.support.stacks import ServicesOnly, wait_for

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


def count_threads() -> int:
    """Of those that handle requests."""
    return sum(each.name.startswith("AnyIO") for each in threading.enumerate())
