"""The public health check: anybody may send it, so however many do, nothing else waits for it."""

from __future__ import annotations

import sqlite3
import threading
import time
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Engine, event

from penstock.web.health import CHECK_SECONDS
from tests.support.stacks import ServicesOnly, wait_for

CHECKS = 50
SERVICES = ["queue", "vault"]


@contextmanager
def statements_of_requests() -> Generator[list[str]]:
    """The queries of handlers, as they are executed. Workers have other threads."""
    found: list[str] = []

    def note(_connection: Any, _cursor: Any, statement: str, *_rest: Any) -> None:
        if statement.startswith("SELECT") and threading.current_thread().name.startswith("AnyIO"):
            found.append(statement)

    event.listen(Engine, "before_cursor_execute", note)
    try:
        yield found
    finally:
        event.remove(Engine, "before_cursor_execute", note)


@pytest.mark.parametrize("service", SERVICES)
def test_many_checks_query_the_database_once_a_second(shared: ServicesOnly, service: str) -> None:
    client, began = shared.service(service, token=""), time.monotonic()
    with statements_of_requests() as statements:
        statuses = {client.get("/health-check").status for _ in range(CHECKS)}

    assert statuses == {200}
    assert 0 < len(statements) <= 1 + (time.monotonic() - began) / CHECK_SECONDS


def test_a_check_is_answered_while_every_thread_that_writes_waits(shared: ServicesOnly) -> None:
    storage, answered = shared.service("storage"), list[int]()

    def post() -> None:
        event = {"message": "waits for the writer", "component": "ex-generic-v2"}
        answered.append(storage.post("/v2/storage/events", event).status)

    threads = [threading.Thread(target=post) for _ in range(shared.stack.database.writers + 5)]
    with shared.stack.database.writing():
        for thread in threads:
            thread.start()
        wait_for(
            lambda: (
                sum(each.name.startswith("AnyIO") for each in threading.enumerate()) >= shared.stack.database.writers
            )
        )
        found = [shared.service(service, token="").get("/health-check").status for service in SERVICES]
        still_waiting = not answered
    for thread in threads:
        thread.join()

    assert (found, still_waiting) == ([200, 200], True)
    assert set(answered) == {201}


def test_a_lost_database_is_told_and_so_is_its_return(tmp_path: Path) -> None:
    services = ServicesOnly(tmp_path / "data")
    queue = services.service("queue", token="")
    assert queue.get("/health-check").status == 200

    rename(services, "foundation_sequences", "lost")
    lost = wait_for(lambda: found if (found := queue.get("/health-check")).status != 200 else None)
    rename(services, "lost", "foundation_sequences")

    assert (lost.status, lost.json["code"]) == (503, 503)
    assert lost.json["error"].startswith("The stack's database cannot be used now.")
    wait_for(lambda: queue.get("/health-check").json == {"status": "ok"})
    services.close()


def rename(services: ServicesOnly, table: str, name: str) -> None:
    with sqlite3.connect(services.stack.folder / "metadata.sqlite") as database:
        database.execute(f"ALTER TABLE {table} RENAME TO {name}")
