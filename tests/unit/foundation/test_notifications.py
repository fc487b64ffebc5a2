"""PostgreSQL notifies a process of changes by others, so that it need not poll; without notifications it polls."""

from __future__ import annotations

import subprocess
import sys
import threading
import time
from collections.abc import Generator
from contextlib import closing

import pytest

from penstock.foundation.database import Database
from penstock.foundation.database.notifications import CHANNEL
from penstock.foundation.jobs.change_poller import ChangePoller
from tests.support.patience import PATIENCE
from tests.support.postgresql import PostgresServer, database_name
from tests.support.stacks import wait_for

NOTICED_SECONDS = 5.0
NEVER = 1000.0
"""Patience of a poller that is to poll for nothing but changes."""


@pytest.fixture
def url(postgresql: PostgresServer) -> str:
    return postgresql.make_database()


@pytest.fixture
def database(url: str) -> Generator[Database]:
    """One that is notified of writes by others."""
    with closing(Database(url)) as opened:
        wait_for(lambda: opened.change_count() is not None)
        yield opened


@pytest.fixture
def other(url: str) -> Generator[Database]:
    """What another process has."""
    with closing(Database(url)) as opened:
        wait_for(lambda: opened.change_count() is not None)
        yield opened


def write(database: Database) -> None:
    with database.writing(1):
        pass


def quiet_poller(database: Database) -> ChangePoller:
    poller = ChangePoller(database, patience=NEVER)
    poller.should_poll()
    assert not poller.should_poll()
    return poller


def test_a_change_by_another_process_is_noticed_at_once(url: str, database: Database) -> None:
    poller = quiet_poller(database)
    script = f"""if True:
        import sys, time
        from penstock.foundation.database import Database
        database = Database({url!r})
        while database.change_count() is None:
            time.sleep(0.01)
        for _ in sys.stdin:
            with database.writing(1):
                pass
            print(time.time(), flush=True)
    """
    writer = subprocess.Popen([sys.executable, "-c", script], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert writer.stdin
    assert writer.stdout
    took = list[float]()
    for _ in range(3):
        assert not poller.should_poll()
        writer.stdin.write("now\n")
        writer.stdin.flush()
        wait_for(poller.should_poll)
        noticed = time.time()
        took.append(noticed - float(writer.stdout.readline()))
    writer.communicate()

    # The fastest: others use this machine too.
    assert min(took) < NOTICED_SECONDS
    assert not poller.should_poll()


def test_what_this_process_writes_is_noticed_before_the_next_line(database: Database) -> None:
    """A worker that has ended a job looks for the next one at once."""
    poller = quiet_poller(database)

    write(database)

    assert [poller.should_poll(), poller.should_poll()] == [True, False]


def test_what_this_process_writes_is_not_news_when_it_comes_back(database: Database, other: Database) -> None:
    theirs = quiet_poller(other)
    write(database)
    mine = quiet_poller(database)

    wait_for(theirs.should_poll)

    assert not mine.should_poll()


def test_a_failed_transaction_sends_no_notification(database: Database) -> None:
    poller = quiet_poller(database)

    with pytest.raises(ZeroDivisionError), database.writing(1):
        raise ZeroDivisionError

    assert not poller.should_poll()


def test_many_small_writes_are_few_notifications(url: str, database: Database, other: Database) -> None:
    """Others are notified that something has changed, not how often."""
    seen = set[int | None]()
    is_over = threading.Event()

    def watch() -> None:
        while not is_over.wait(0.0005):
            seen.add(other.change_count())

    watching = threading.Thread(target=watch)
    watching.start()
    began = time.monotonic()
    for _ in range(100):
        write(database)
    took = time.monotonic() - began
    is_over.set()
    watching.join()

    assert 1 <= len(seen) <= 3 + took / 0.005


def test_workers_of_other_processes_are_woken_and_know_of_the_change(database: Database, other: Database) -> None:
    poller = quiet_poller(other)
    found, woken = list[bool](), threading.Event()

    def wake(service_id: str) -> None:
        assert service_id == "queue"
        found.append(poller.should_poll())
        woken.set()

    other.on_work(wake)
    write(database)
    database.notify_workers("queue")

    assert woken.wait(PATIENCE)
    assert found == [True]


def test_without_notifications_a_process_polls_until_the_connection_is_back(
    postgresql: PostgresServer, url: str, database: Database, other: Database
) -> None:
    poller = quiet_poller(database)

    disconnect_listeners(postgresql, url)
    wait_for(lambda: database.change_count() is None)
    assert [poller.should_poll(), poller.should_poll()] == [True, True]

    write(other)  # while no notification is sent
    wait_for(lambda: database.change_count() is not None)
    assert [poller.should_poll(), poller.should_poll()] == [True, False]
    wait_for(lambda: other.change_count() is not None)
    write(other)
    wait_for(poller.should_poll)


def disconnect_listeners(server: PostgresServer, url: str) -> None:
    listening = f"datname = '{database_name(url)}' AND query LIKE 'LISTEN {CHANNEL}%'"
    gone = server.ask(f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE {listening}")
    assert gone


def test_without_notifications_it_is_always_time_to_poll() -> None:
    with closing(Database("postgresql://someone@/nothing?host=/nowhere")) as database:
        poller = ChangePoller(database, patience=NEVER)

        assert [poller.should_poll(), poller.should_poll()] == [True, True]


def test_a_closed_database_is_silent_and_leaves_no_connections(postgresql: PostgresServer, url: str) -> None:
    database = Database(url)
    wait_for(lambda: database.change_count() is not None)
    database.close()

    assert database.change_count() is None
    wait_for(lambda: not connected(postgresql, url))


def connected(server: PostgresServer, url: str) -> list[tuple[object, ...]]:
    return server.ask(f"SELECT pid FROM pg_stat_activity WHERE datname = '{database_name(url)}'")
