"""PostgreSQL: writers of different projects work concurrently; those of one project, and of the stack, wait."""

from __future__ import annotations

import threading
from collections.abc import Generator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing

import pytest

from penstock.foundation import ids
from penstock.foundation.callers import CALLERS
from penstock.foundation.database import Database, DatabaseUnavailable
from penstock.foundation.database.postgresql import _SESSION

ONE, OTHER, STACK = 1, 2, None


@pytest.fixture
def database(metadata_url: str, monkeypatch: pytest.MonkeyPatch) -> Generator[Database]:
    """A writer that waits for another one here times out soon."""
    monkeypatch.setitem(_SESSION, "lock_timeout", "200ms")
    with closing(Database(metadata_url)) as opened:
        yield opened


def write(database: Database, project_id: int | None) -> None:
    """What nearly all writers do, and what they all do to the same rows or sequences."""
    with database.writing(project_id) as tx:
        ids.new_id(tx)
        ids.count_change(tx, CALLERS)


def test_writers_of_different_projects_do_not_wait_for_each_other(database: Database) -> None:
    with database.writing(ONE) as tx:
        ids.new_id(tx)
        ids.count_change(tx, CALLERS)
        write(database, OTHER)
        ids.new_id(tx)


@pytest.mark.parametrize(
    ("first", "second"), [(ONE, ONE), (ONE, STACK), (STACK, ONE), (STACK, STACK)], ids=lambda each: each or "stack"
)
def test_writers_of_one_project_and_of_the_whole_stack_wait(
    database: Database, first: int | None, second: int | None
) -> None:
    with database.writing(first), pytest.raises(DatabaseUnavailable, match="Try again"):
        write(database, second)
    write(database, second)


def test_rows_that_one_process_alone_removes_need_no_lock(database: Database) -> None:
    with database.writing(STACK), database.unlocked() as tx:
        ids.new_id(tx)


def test_a_writer_of_the_stack_gets_its_turn_among_many_of_projects(metadata_url: str) -> None:
    """New writers of projects wait behind it, so that it does not wait for ever."""
    is_over, counted = threading.Event(), [0, 0, 0]

    def write_on(project: int) -> None:
        while not is_over.is_set():
            write(database, project + 1)
            counted[project] += 1

    with closing(Database(metadata_url)) as database, ThreadPoolExecutor(3) as pool:
        busy = [pool.submit(write_on, project) for project in range(3)]
        try:
            for _ in range(10):
                write(database, STACK)
        finally:
            is_over.set()
        for each in busy:
            each.result()
    assert min(counted) > 0
