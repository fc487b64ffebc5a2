"""Writers that wait for each other are committed together, and none of them notices: what is acknowledged is there,
and what failed is not."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Callable, Generator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import Column, Integer, MetaData, Table, Text, event, insert, select, text

from penstock.foundation.database import Database, DatabaseUnavailable, Transaction
from penstock.foundation.errors import Invalid
from tests.support.patience import PATIENCE
from tests.support.stacks import wait_for

tables = MetaData()
notes = Table("notes", tables, Column("id", Integer, primary_key=True), Column("text", Text))


@pytest.fixture
def database(tmp_path: Path) -> Generator[Database]:
    opened = open_database(tmp_path)
    yield opened
    opened.close()


def open_database(folder: Path) -> Database:
    opened = Database(folder / "metadata.sqlite")
    with opened.writing() as tx:
        tables.create_all(tx.connection)
    return opened


def add(tx: Transaction, number: int) -> None:
    tx.change(insert(notes).values(id=number, text="x" * 100))


def ids(database: Database) -> list[int]:
    with database.reading() as tx:
        return sorted(tx.connection.execute(select(notes.c.id)).scalars())


def count_commits(database: Database) -> list[int]:
    counted = [0]

    def count(_connection: object) -> None:
        counted[0] += 1

    event.listen(database.engine, "commit", count)
    return counted


def waiting(database: Database) -> int:
    return database._kind._commits._turns.waiting  # type: ignore[attr-defined]


def write_together(database: Database, changes: list[Callable[[Transaction], None]]) -> list[Future[None]]:
    """All changes wait for the first one, and follow in their order."""

    def write(change: Callable[[Transaction], None]) -> None:
        with database.writing() as tx:
            change(tx)

    def first(tx: Transaction) -> None:
        assert everybody_waits.wait(PATIENCE)
        changes[0](tx)

    everybody_waits = threading.Event()
    with ThreadPoolExecutor(len(changes)) as pool:
        futures = [pool.submit(write, first)]
        wait_for(lambda: database._kind._commits._turns._is_taken)  # type: ignore[attr-defined]
        for number, change in enumerate(changes[1:], start=1):
            futures.append(pool.submit(write, change))
            wait_for(lambda: waiting(database) == number)  # noqa: B023
        everybody_waits.set()
    return futures


def adding(number: int) -> Callable[[Transaction], None]:
    return lambda tx: add(tx, number)


def failing(number: int) -> Callable[[Transaction], None]:
    def fail(tx: Transaction) -> None:
        add(tx, number)
        raise ValueError(number)

    return fail


def test_writers_that_wait_share_a_commit(database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("penstock.foundation.database.group_commit.GROUP_SECONDS", PATIENCE)
    commits = count_commits(database)

    for future in write_together(database, [adding(number) for number in range(8)]):
        future.result()

    assert commits == [1]
    assert ids(database) == list(range(8))


def test_a_group_that_is_old_is_committed_though_others_wait(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("penstock.foundation.database.group_commit.GROUP_SECONDS", 0)
    commits = count_commits(database)

    for future in write_together(database, [adding(number) for number in range(8)]):
        future.result()

    assert commits == [8]


@given(st.lists(st.booleans(), min_size=1, max_size=6))
def test_a_change_that_fails_is_undone_alone(tmp_path_factory: pytest.TempPathFactory, are_good: list[bool]) -> None:
    database = open_database(tmp_path_factory.mktemp("group"))
    changes = [adding(number) if is_good else failing(number) for number, is_good in enumerate(are_good)]

    futures = write_together(database, changes)

    assert [future.exception() is None for future in futures] == are_good
    assert ids(database) == [number for number, is_good in enumerate(are_good) if is_good]
    database.close()


def test_a_full_database_fails_everybody_in_the_group_and_nobody_after_it(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    """SQLite rolls back the whole transaction, and a commit would then do nothing, without an error."""
    monkeypatch.setattr("penstock.foundation.database.group_commit.GROUP_SECONDS", PATIENCE)

    def fill(tx: Transaction) -> None:
        pages = tx.value(text("PRAGMA page_count"))
        tx.value(text(f"PRAGMA max_page_count = {pages}"))
        try:
            tx.change(text("INSERT INTO notes VALUES (99, zeroblob(100000))"))
        finally:
            tx.connection.connection.execute("PRAGMA max_page_count = 1000000")

    futures = write_together(database, [adding(1), fill, adding(2), adding(3)])

    assert [type(future.exception()) for future in futures[:2]] == [DatabaseUnavailable, DatabaseUnavailable]
    assert ids(database) == [
        number for number, future in zip((2, 3), futures[2:], strict=True) if not future.exception()
    ]
    assert ids(database) == [2, 3]


def test_a_claim_is_not_the_beginning_of_a_group(database: Database) -> None:
    """It is not synced to disk; what others write must be."""
    commits = count_commits(database)
    with database.claiming() as tx:
        thread = threading.Thread(target=lambda: _write(database, 2))
        thread.start()
        wait_for(lambda: waiting(database) == 1)
        add(tx, 1)
    thread.join()

    assert commits == [2]


def _write(database: Database, number: int) -> None:
    with database.writing() as tx:
        add(tx, number)


def test_what_is_acknowledged_can_be_read_at_once(database: Database) -> None:
    def write(number: int) -> bool:
        _write(database, number)
        with sqlite3.connect(database.place) as other:
            return bool(other.execute("SELECT 1 FROM notes WHERE id = ?", (number,)).fetchone())

    with ThreadPoolExecutor(16) as pool:
        assert all(pool.map(write, range(400)))


def test_what_a_refusal_speaks_of_can_be_read_at_once(database: Database) -> None:
    def create(number: int) -> bool:
        with suppress(Invalid), database.writing() as tx:
            if tx.value(select(notes.c.id).where(notes.c.id == number)) is not None:
                raise Invalid("It already exists.")
            add(tx, number)
        return number in ids(database)

    with ThreadPoolExecutor(16) as pool:
        assert all(pool.map(create, [number // 8 for number in range(400)]))
