from __future__ import annotations

import threading
from collections.abc import Generator

import duckdb
import pytest

from penstock.sql import Limits, SessionGone, StatementFailed
from penstock.sql.messages import Setup
from penstock.sql.process import sessions as module
from penstock.sql.process.sessions import Session, Sessions
from tests.support.stacks import wait_for

SETUP = Setup(database="memory", schema="main", tables="", listener=0, limits=Limits())
SECONDS = 30.0


class Opened:
    def __init__(self, database: duckdb.DuckDBPyConnection) -> None:
        self.ended: list[str] = []
        self.sessions = Sessions(SETUP, database, self.ended.append)

    def find(self, session_id: str, *, is_expected: bool = False) -> Session:
        with self.sessions.use(session_id, SECONDS, is_expected=is_expected) as session:
            return session

    def begin(self, session_id: str) -> Session:
        with self.sessions.use(session_id, SECONDS) as session:
            session.cursor.execute("BEGIN")
            session.in_transaction = True
            return session


@pytest.fixture
def opened() -> Generator[Opened]:
    with duckdb.connect() as database:
        yield Opened(database)


def test_a_session_in_a_transaction_stays_however_long_and_however_many(
    opened: Opened, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "MAX_SESSIONS", 3)
    monkeypatch.setattr(module, "IDLE_SECONDS", -1.0)
    begun = opened.begin("begun")
    for number in range(5):
        opened.find(f"other-{number}")

    assert opened.find("begun", is_expected=True) is begun
    with pytest.raises(SessionGone, match="other-0 has ended"):
        opened.find("other-0", is_expected=True)


def test_too_many_open_transactions_are_refused(opened: Opened, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MAX_SESSIONS", 2)
    for number in range(2):
        opened.begin(f"begun-{number}")

    with pytest.raises(StatementFailed, match="2 sessions with an open transaction"):
        opened.find("another")
    assert opened.sessions.end("begun-0")
    opened.find("another")


def test_a_session_that_is_ended_while_it_is_used_ends_with_its_last_statement(opened: Opened) -> None:
    with opened.sessions.use("one", SECONDS) as session:
        assert opened.sessions.end("one")
        assert session.cursor.execute("SELECT 1").fetchall() == [(1,)]
        assert opened.ended == []

    assert opened.ended == ["one"]
    with pytest.raises(duckdb.ConnectionException):
        session.cursor.execute("SELECT 1")


def test_a_session_that_a_statement_waits_for_is_not_closed_under_it(opened: Opened) -> None:
    found: list[int] = []

    def wait() -> None:
        with opened.sessions.use("one", SECONDS) as session:
            found.append(session.cursor.execute("SELECT 1").fetchall()[0][0])

    with opened.sessions.use("one", SECONDS) as session:
        waiting = threading.Thread(target=wait)
        waiting.start()
        wait_for(lambda: session.users == 2)
        opened.sessions.end("one")
    waiting.join()

    assert found == [1]
    assert opened.ended == ["one"]


def test_statements_at_once_use_the_same_session(opened: Opened) -> None:
    found: set[int] = set()
    first = opened.find("one")

    def use() -> None:
        for _ in range(300):
            found.add(id(opened.find("one")))

    threads = [threading.Thread(target=use) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert found == {id(first)}
