"""PostgreSQL as the metadata database: what is lost, refused or too slow; a 5xx means that nothing was changed."""

from __future__ import annotations

import sys
from collections.abc import Generator
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Column, Integer, MetaData, Table, Text, func, insert, select, text

from penstock.foundation.database import Database, DatabaseUnavailable, Transaction, Unstorable, postgresql
from penstock.foundation.errors import Invalid
from tests.support.postgresql import CuttingProxy, PostgresServer, database_name

tables = MetaData()
notes = Table("notes", tables, Column("text", Text), Column("number", Integer))


@pytest.fixture
def url(postgresql: PostgresServer) -> str:
    return postgresql.make_database()


@pytest.fixture
def database(url: str) -> Generator[Database]:
    opened = Database(url)
    with opened.writing() as tx:
        tables.create_all(tx.connection)
    yield opened
    opened.close()


def add(tx: Transaction, content: str = "x", number: int = 0) -> None:
    tx.change(insert(notes).values(text=content, number=number))


def write(database: Database, content: str = "x", number: int = 0) -> None:
    with database.writing() as tx:
        add(tx, content, number)


def count(database: Database) -> int:
    with database.reading() as tx:
        return tx.value(select(func.count()).select_from(notes))


def test_who_claims_does_not_wait_for_a_writer_nor_for_another_who_claims(database: Database) -> None:
    with database.writing() as writer, database.claiming() as first, database.claiming() as second:
        for tx in (writer, first, second):
            add(tx)
    assert count(database) == 3


def test_who_reads_changes_nothing(database: Database) -> None:
    with pytest.raises(DatabaseUnavailable), database.reading() as tx:
        add(tx)
    assert count(database) == 0


def test_a_writer_that_waits_too_long_gets_an_error(
    url: str, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(postgresql._SESSION, "lock_timeout", "200ms")
    impatient = Database(url)
    with database.writing() as tx:
        add(tx)
        with pytest.raises(DatabaseUnavailable, match="Try again"):
            write(impatient)
    write(impatient)
    assert count(database) == 2
    impatient.close()


def test_a_writer_that_hangs_does_not_block_others_forever(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(postgresql._SESSION, "idle_in_transaction_session_timeout", "200ms")
    frozen, other = Database(url), Database(url)
    with other.writing() as tx:
        tables.create_all(tx.connection)

    def freeze() -> None:
        with frozen.writing() as tx:
            add(tx, "never")
            write(other)
            add(tx, "never")

    with pytest.raises(DatabaseUnavailable):
        freeze()
    assert count(other) == 1
    frozen.close()
    other.close()


def test_a_lost_connection_changes_nothing_and_the_next_one_works(
    postgresql: PostgresServer, url: str, database: Database
) -> None:
    def lose() -> None:
        with database.writing() as tx:
            add(tx)
            kick_out(postgresql, url)
            add(tx)

    with pytest.raises(DatabaseUnavailable, match="Try again"):
        lose()
    assert count(database) == 0


def test_a_restart_of_the_server_fails_no_request(postgresql: PostgresServer, url: str, database: Database) -> None:
    write(database)
    kick_out(postgresql, url)

    write(database)
    assert count(database) == 2


def test_a_writer_whose_connection_goes_while_it_begins_takes_another(
    postgresql: PostgresServer, url: str, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("penstock.foundation.database.postgresql._check", lambda *_: None)
    late = Database(url)
    write(late)
    kick_out(postgresql, url)

    write(late)
    late.close()
    assert count(database) == 2


def kick_out(server: PostgresServer, url: str) -> None:
    server.ask(f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '{database_name(url)}'")


@pytest.mark.parametrize(("cut", "rows"), [("before", 0), ("after", 1)])
def test_a_connection_lost_in_a_commit_does_not_leave_its_end_open(
    postgresql: PostgresServer, url: str, database: Database, cut: str, rows: int
) -> None:
    """Whether the server got the commit decides: then it was done, and otherwise it is an error."""
    with CuttingProxy(postgresql.socket_folder, b"COMMIT", cut) as proxy:
        through = Database(f"{url.partition('?')[0]}?host={proxy.folder}")
        if rows:
            write(through)
        else:
            with pytest.raises(DatabaseUnavailable):
                write(through)
        assert proxy.has_cut
        assert count(database) == rows
        write(through)
        assert count(database) == rows + 1
        through.close()


@pytest.mark.parametrize(("content", "number"), [("a\0b", 0), ("a", 2**31)])
def test_what_cannot_be_stored_is_an_error_of_the_user(database: Database, content: str, number: int) -> None:
    with pytest.raises(Unstorable, match=r"U\+0000, or a number is too large") as refused:
        write(database, content, number)
    assert refused.value.status == 400
    assert count(database) == 0


def test_a_schema_that_is_not_ours_is_unavailable(database: Database) -> None:
    with pytest.raises(DatabaseUnavailable), database.reading() as tx:
        tx.value(text("SELECT * FROM absent"))


def test_no_server_responds(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    database = Database(f"postgresql://someone:hush@/nothing?host={tmp_path}")

    with pytest.raises(DatabaseUnavailable, match="cannot be used now") as refused, database.reading():
        pass
    assert str(tmp_path) not in refused.value.message
    facts: dict[str, Any] = vars(caplog.records[-1])["facts"]
    assert "No such file" in facts["reason"]
    assert "hush" not in str(facts)


def test_the_password_is_never_shown() -> None:
    database = Database("postgres://someone:hush@db.example:5433/metadata?sslmode=require")

    assert database.place == "postgresql://someone:***@db.example:5433/metadata?sslmode=require"
    assert "hush" not in repr(database.engine)


@pytest.mark.parametrize("address", ["postgresql://a:hush@host:port/x", "postgresql//hush"])
def test_a_url_that_is_none_is_refused_without_showing_it(address: str) -> None:
    with pytest.raises(Invalid, match="not a URL like") as refused:
        Database(address)
    assert "hush" not in refused.value.message


def test_a_missing_driver_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "psycopg", None)

    with pytest.raises(Invalid, match=r"pip install 'penstock\[cluster\]'"):
        Database("postgresql://host/x")


def test_a_version_is_never_available(database: Database) -> None:
    assert database.version() is None
