from __future__ import annotations

from pathlib import Path

from penstock.foundation.database import Database
from penstock.foundation.jobs.change_poller import ChangePoller


def write(database: Database) -> None:
    with database.writing() as tx:
        tx.connection.exec_driver_sql("UPDATE foundation_sequences SET value = value + 1")


def test_the_first_look_is_always_due(metadata_file: Path) -> None:
    assert ChangePoller(Database(metadata_file)).should_poll()


def test_nothing_was_written_so_there_is_nothing_to_look_for(metadata_file: Path) -> None:
    poller = ChangePoller(Database(metadata_file))
    poller.should_poll()

    assert not poller.should_poll()


def test_whatever_is_written_is_a_reason_to_look_once(metadata_file: Path) -> None:
    database = Database(metadata_file)
    poller = ChangePoller(database)
    poller.should_poll()

    write(database)

    assert [poller.should_poll(), poller.should_poll()] == [True, False]


def test_a_change_by_another_process_is_seen(metadata_file: Path) -> None:
    poller = ChangePoller(Database(metadata_file))
    poller.should_poll()

    write(Database(metadata_file))

    assert poller.should_poll()


def test_after_a_while_it_is_due_again_for_what_only_time_brings(metadata_file: Path) -> None:
    poller = ChangePoller(Database(metadata_file), patience=0.0)
    poller.should_poll()

    assert poller.should_poll()
