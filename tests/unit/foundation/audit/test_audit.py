"""The audit log: recorded with what it is about, and not changed afterwards, on both databases."""

from __future__ import annotations

from collections.abc import Generator
from datetime import timedelta

import msgspec
import pytest
from sqlalchemy import delete, text, update
from sqlalchemy.exc import DBAPIError

from penstock.foundation import audit, clock
from penstock.foundation.audit.store import audit as table
from penstock.foundation.callers import Caller, Origin
from penstock.foundation.database import Database, Transaction
from penstock.foundation.errors import AppError

CALLER = Caller(
    project_id=7, branch_id=1, token_id=12, description="Ann", origin=Origin(address="192.0.2.1", user_agent="curl/8")
)
ENTRY = audit.NewEntry.of(CALLER, "secret.used", "component ex-generic-v2", secrets=["parameters.config.#key"])


@pytest.fixture(params=["metadata_file", "metadata_url"])
def database(request: pytest.FixtureRequest) -> Generator[Database]:
    made = Database(request.getfixturevalue(request.param))
    yield made
    made.close()


def add_old(tx: Transaction, days: int) -> None:
    tx.change(
        table.insert().values(
            time=clock.now() - timedelta(days=days),
            project_id=7,
            event="old",
            target="x",
            details={},
            actor="x",
            address="",
            user_agent="",
        )
    )


def list_all(database: Database, **wanted: object) -> list[audit.AuditEntry]:
    with database.reading() as tx:
        return audit.list_entries(tx, audit.AuditFilter(**wanted))  # pyright: ignore


def test_an_entry_says_who_when_from_where_and_what(database: Database) -> None:
    with database.writing(7) as tx:
        audit.record(tx, ENTRY)
    [entry] = list_all(database)

    assert abs(clock.now() - entry.time) < timedelta(minutes=1)
    assert (entry.token_id, entry.actor, entry.address, entry.user_agent) == (12, "Ann", "192.0.2.1", "curl/8")
    assert (entry.project_id, entry.event, entry.target) == (7, "secret.used", "component ex-generic-v2")
    assert entry.details == {"secrets": ["parameters.config.#key"]}


def test_an_entry_of_a_transaction_that_fails_is_not_there(database: Database) -> None:
    with pytest.raises(DBAPIError), database.writing(7) as tx:
        audit.record_all(tx, [ENTRY, msgspec.structs.replace(ENTRY, target=None)])  # pyright: ignore

    assert list_all(database) == []


@pytest.mark.parametrize(
    "statement",
    [update(table).values(actor="Eve"), delete(table), text("UPDATE foundation_audit SET time = '2000-01-01'")],
)
def test_the_database_refuses_to_change_the_log(database: Database, statement: object) -> None:
    with database.writing(7) as tx:
        audit.record(tx, ENTRY)
    with pytest.raises((DBAPIError, AppError)), database.writing(7) as tx:
        tx.change(statement)  # pyright: ignore

    assert [entry.actor for entry in list_all(database)] == ["Ann"]


def test_postgresql_does_not_empty_it(metadata_url: str) -> None:
    database = Database(metadata_url)
    with database.writing(7) as tx:
        audit.record(tx, ENTRY)
    with pytest.raises((DBAPIError, AppError)), database.writing(7) as tx:
        tx.change(text("TRUNCATE foundation_audit"))

    assert len(list_all(database)) == 1
    database.close()


def test_old_entries_may_be_deleted(database: Database) -> None:
    with database.writing(7) as tx:
        add_old(tx, 91)
        add_old(tx, 89)
    with database.writing(7) as tx:
        tx.change(delete(table).where(table.c.time < clock.now() - timedelta(days=90)))

    assert len(list_all(database)) == 1


def test_filters_are_combined_and_the_newest_come_first(database: Database) -> None:
    others = [("token.created", 12), ("token.deleted", 13), ("tokens", 12)]
    with database.writing(7) as tx:
        audit.record_all(tx, [audit.NewEntry(event=e, project_id=8, target="t", token_id=t) for e, t in others])
        audit.record(tx, ENTRY)

    assert [entry.event for entry in list_all(database, event="token")] == ["token.deleted", "token.created"]
    assert [entry.event for entry in list_all(database, event="token", token_id=12)] == ["token.created"]
    assert [entry.event for entry in list_all(database, project_id=7)] == ["secret.used"]
    assert [entry.event for entry in list_all(database, limit=1)] == ["secret.used"]
    assert list_all(database, since=clock.now() + timedelta(hours=1)) == []
    assert len(list_all(database, until=clock.now() + timedelta(hours=1))) == 4
