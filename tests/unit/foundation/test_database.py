"""Transactions: atomic, and never failing because another writer is active."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Generator
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path

import msgspec
import pytest
from sqlalchemy import Column, MetaData, Table, Text, func, insert, select, text

from penstock.foundation import ids
from penstock.foundation.callers import CALLERS
from penstock.foundation.database import Database, DatabaseUnavailable, Timestamp, Transaction, sqlite
from tests.support.stacks import ServicesOnly

tables = MetaData()
notes = Table("notes", tables, Column("text", Text), Column("at", Timestamp))


class Note(msgspec.Struct):
    text: str | None
    at: datetime | None


@pytest.fixture(params=["sqlite", "postgresql"])
def database(request: pytest.FixtureRequest, tmp_path: Path) -> Generator[Database]:
    """Once on each: both give the same guarantees."""
    if request.param == "sqlite":
        opened = Database(tmp_path / "metadata.sqlite")
    else:
        opened = Database(request.getfixturevalue("postgresql").make_database())
    with opened.writing() as tx:
        tables.create_all(tx.connection)
    yield opened
    opened.close()


def count(database: Database) -> int:
    with database.reading() as tx:
        return tx.value(select(func.count()).select_from(notes))


def add(tx: Transaction, content: str = "x") -> None:
    tx.change(insert(notes).values(text=content))


def test_a_transaction_commits_when_its_block_ends(database: Database) -> None:
    with database.writing() as tx:
        add(tx)
        assert count(database) == 0
    assert count(database) == 1


def test_a_transaction_that_fails_changes_nothing(database: Database) -> None:
    def fail() -> None:
        with database.writing() as tx:
            add(tx)
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fail()
    assert count(database) == 0


def test_writers_in_many_threads_wait_for_each_other_and_never_fail(database: Database) -> None:
    def write(_: int) -> None:
        """Read, then write: what fails halfway in a transaction that did not begin as a writing one."""
        for _ in range(25):
            with database.writing() as tx:
                number = tx.value(select(func.count()).select_from(notes))
                add(tx, str(number))

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(write, range(8)))

    with database.reading() as tx:
        found = [note.text for note in tx.all(select(notes), into=Note)]
    assert sorted(map(int, filter(None, found))) == list(range(200))


def test_readers_do_not_wait_for_a_writer(database: Database) -> None:
    with database.writing() as tx:
        add(tx)
        with ThreadPoolExecutor(4) as pool:
            assert list(pool.map(lambda _: count(database), range(8))) == [0] * 8


def test_a_database_locked_for_too_long_is_unavailable(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sqlite, "BUSY_SECONDS", 0.1)
    database = Database(tmp_path / "metadata.sqlite")
    with database.writing() as tx:
        tables.create_all(tx.connection)
    holder = sqlite3.connect(tmp_path / "metadata.sqlite", isolation_level=None)
    holder.execute("BEGIN IMMEDIATE")

    with pytest.raises(DatabaseUnavailable, match="Try again"), database.writing():
        pass
    assert count(database) == 0
    holder.execute("ROLLBACK")
    with database.writing() as tx:
        add(tx)
    holder.close()
    database.close()


def test_a_database_that_cannot_be_opened_is_unavailable(tmp_path: Path) -> None:
    database = Database(tmp_path / "absent" / "metadata.sqlite")

    with pytest.raises(DatabaseUnavailable), database.reading():
        pass


def test_who_reads_sees_one_state(database: Database) -> None:
    with database.reading() as tx:
        before = tx.value(select(func.count()).select_from(notes))
        with database.writing() as other:
            add(other)
        assert tx.value(select(func.count()).select_from(notes)) == before
    assert count(database) == before + 1


def test_texts_sort_by_code_point(database: Database) -> None:
    """Stores ask for ranges of names: what begins with `a.` lies between `a.` and `a/`."""
    names = ["a.b", "a/", "a", "B", "b", "ä", "a.", "a-b", "a_b", "\U0001f600"]
    with database.writing() as tx:
        tx.change(insert(notes), [{"text": name} for name in names])
    with database.reading() as tx:
        found = [note.text for note in tx.all(select(notes).order_by(notes.c.text), into=Note)]

    assert found == sorted(names)


def test_a_commit_is_synced_to_disk(tmp_path: Path) -> None:
    database = Database(tmp_path / "metadata.sqlite")
    with database.reading() as tx:
        assert tx.value(text("PRAGMA journal_mode")) == "wal"
        assert tx.value(text("PRAGMA synchronous")) == 2
        assert tx.value(text("PRAGMA foreign_keys")) == 1
    database.close()


@pytest.mark.parametrize("zone", [UTC, timezone(timedelta(hours=5, minutes=30)), timezone(-timedelta(hours=8))])
def test_a_moment_comes_back_in_utc(database: Database, zone: timezone) -> None:
    moment = datetime(2026, 3, 29, 2, 30, 0, 123456, tzinfo=zone)
    with database.writing() as tx:
        tx.change(insert(notes), [{"text": "a", "at": moment}, {"text": "b", "at": None}])
    with database.reading() as tx:
        first, second = tx.all(select(notes).order_by(notes.c.text), into=Note)

    assert first.at == moment
    assert first.at
    assert first.at.tzinfo is UTC
    assert second.at is None


def test_one_is_none_when_nothing_is_there(database: Database) -> None:
    with database.reading() as tx:
        assert tx.one(select(notes), into=Note) is None
        assert tx.all(select(notes), into=Note) == []


def test_a_change_returns_the_number_of_changed_rows(database: Database) -> None:
    with database.writing() as tx:
        add(tx)
        add(tx)
        assert tx.change(notes.delete()) == 2


def test_messages_of_the_engine_are_for_the_log_and_not_for_the_user(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    broken = tmp_path / "metadata.sqlite"
    broken.write_bytes(b"no database at all" * 100)
    database, absent = Database(broken), Database(tmp_path / "absent" / "metadata.sqlite")

    with pytest.raises(DatabaseUnavailable, match="damaged") as damaged, database.reading():
        pass
    with pytest.raises(DatabaseUnavailable, match="cannot be used now") as closed, absent.reading():
        pass
    assert str(tmp_path) not in damaged.value.message + closed.value.message
    assert "unable to open" not in closed.value.message
    assert [vars(record)["facts"]["reason"] for record in caplog.records] == [
        "file is not a database",
        "unable to open database file",
    ]


def test_what_is_written_is_on_the_disk_and_a_claim_is_not_waited_for(tmp_path: Path) -> None:
    database = Database(tmp_path / "metadata.sqlite")

    def synchronous(tx: Transaction) -> int:
        return tx.value(text("PRAGMA synchronous"))

    with database.writing() as tx:
        assert synchronous(tx) == 2
    with database.claiming() as tx:
        assert synchronous(tx) == 1
    with database.writing() as tx:
        assert synchronous(tx) == 2


def test_a_writer_waits_for_one_of_another_process_and_then_has_its_turn(tmp_path: Path) -> None:
    database = Database(tmp_path / "metadata.sqlite")
    with database.writing() as tx:
        tables.create_all(tx.connection)
    other = sqlite3.connect(tmp_path / "metadata.sqlite", isolation_level=None, check_same_thread=False)
    other.execute("BEGIN IMMEDIATE")
    threading.Timer(0.3, other.execute, ["COMMIT"]).start()

    with database.writing() as tx:
        add(tx)

    assert count(database) == 1


def test_a_writer_that_waits_too_long_gets_an_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sqlite, "BUSY_SECONDS", 0.1)
    database = Database(tmp_path / "metadata.sqlite")

    with database.writing(), ThreadPoolExecutor(1) as pool, pytest.raises(DatabaseUnavailable):
        pool.submit(write_once, database).result()


def write_once(database: Database) -> None:
    with database.writing() as tx:
        add(tx)


def test_a_counted_version_stays_when_something_else_changes(services: ServicesOnly) -> None:
    database = services.stack.database
    everything, counted = database.version(), database.version(CALLERS)

    with database.writing() as tx:
        ids.new_id(tx)

    assert database.version() != everything
    assert database.version(CALLERS) == counted


def test_a_counted_version_differs_after_its_own_change(services: ServicesOnly) -> None:
    before = services.stack.database.version(CALLERS)

    with services.stack.database.writing() as tx:
        ids.count_change(tx, CALLERS)

    assert before is not None
    assert services.stack.database.version(CALLERS) != before


def test_an_unknown_counter_has_no_version(services: ServicesOnly) -> None:
    assert services.stack.database.version("nothing of that name") is None


def test_a_writing_transaction_that_takes_long_is_in_the_log_with_who_held_it(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    database = Database(tmp_path / "metadata.sqlite")
    with database.writing():
        pass
    assert [record for record in caplog.records if "took long" in record.message] == []

    monkeypatch.setattr("penstock.foundation.database.database.LONG_SECONDS", -1)
    with database.writing():
        pass

    [record] = [record for record in caplog.records if "took long" in record.message]
    assert vars(record)["facts"]["held_by"].startswith("test_a_writing_transaction_that_takes_long")
    database.close()
