from __future__ import annotations

from pathlib import Path

from penstock.foundation.database import Database
from penstock.foundation.jobs.change_poller import ChangePoller
from penstock.foundation.migrations import migrate


def write(database: Database) -> None:
    with database.writing() as tx:
        tx.connection.exec_driver_sql("UPDATE foundation_sequences SET value = value + 1")


def make_database(folder: Path) -> Database:
    database = Database(folder / "stack.sqlite")
    migrate(database.engine)
    return database


def test_the_first_look_is_always_due(tmp_path: Path) -> None:
    assert ChangePoller(make_database(tmp_path)).should_poll()


def test_nothing_was_written_so_there_is_nothing_to_look_for(tmp_path: Path) -> None:
    poller = ChangePoller(make_database(tmp_path))
    poller.should_poll()

    assert not poller.should_poll()


def test_whatever_is_written_is_a_reason_to_look_once(tmp_path: Path) -> None:
    database = make_database(tmp_path)
    poller = ChangePoller(database)
    poller.should_poll()

    write(database)

    assert [poller.should_poll(), poller.should_poll()] == [True, False]


def test_a_change_by_another_process_is_seen(tmp_path: Path) -> None:
    poller = ChangePoller(make_database(tmp_path))
    poller.should_poll()

    write(Database(tmp_path / "stack.sqlite"))

    assert poller.should_poll()


def test_after_a_while_it_is_due_again_for_what_only_time_brings(tmp_path: Path) -> None:
    poller = ChangePoller(make_database(tmp_path), patience=0.0)
    poller.should_poll()

    assert poller.should_poll()
