"""Many rows in few statements: what one statement for each row would leave, on both databases."""

from __future__ import annotations

from collections.abc import Generator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import BigInteger, Boolean, Column, LargeBinary, MetaData, Table, Text, delete, insert, select

from penstock.foundation.database import Database, Timestamp
from penstock.foundation.database.bulk import MAX_VALUES
from tests.support.examples import examples

tables = MetaData()
things = Table(
    "things",
    tables,
    Column("id", BigInteger, primary_key=True),
    Column("group", Text),
    Column("is_new", Boolean),
    Column("at", Timestamp),
    Column("content", LargeBinary),
)

TEXTS = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=5)
ROWS = st.lists(
    st.fixed_dictionaries(
        {
            "id": st.integers(-(2**63), 2**63 - 1),
            "group": st.none() | TEXTS | st.sampled_from(["%s", "?", "'"]),
            "is_new": st.none() | st.booleans(),
            "at": st.none() | st.datetimes(datetime(1970, 1, 1), datetime(2100, 1, 1), timezones=st.just(UTC)),
            "content": st.none() | st.binary(max_size=5),
        }
    ),
    unique_by=lambda row: row["id"],
)


@pytest.fixture(scope="module", params=["sqlite", "postgresql"])
def database(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Generator[Database]:
    place: Path | str = tmp_path_factory.mktemp("bulk") / "metadata.sqlite"
    if request.param == "postgresql":
        place = request.getfixturevalue("postgresql").make_database()
    opened = Database(place)
    with opened.writing() as tx:
        tables.create_all(tx.connection)
    yield opened
    opened.close()


def list_things(database: Database) -> list[dict[str, Any]]:
    with database.reading() as tx:
        return [dict(row) for row in tx.connection.execute(select(things).order_by(things.c.id)).mappings()]


@examples(30)
@given(rows=ROWS)
def test_rows_are_what_they_are_one_by_one(database: Database, rows: list[dict[str, Any]]) -> None:
    with database.writing() as tx:
        tx.change(delete(things))
        tx.insert_all(things, rows)
    together = list_things(database)
    with database.writing() as tx:
        tx.change(delete(things))
        for row in rows:
            tx.change(insert(things).values(**row))

    assert together == list_things(database)


def test_more_rows_than_fit_into_one_statement_are_all_there(database: Database) -> None:
    rows = [{"id": number, "group": str(number)} for number in range(MAX_VALUES + 1)]
    with database.writing() as tx:
        tx.change(delete(things))
        tx.insert_all(things, rows)

    assert [(row["id"], row["group"]) for row in list_things(database)] == [(row["id"], row["group"]) for row in rows]


def test_an_existing_row_is_replaced_as_requested(database: Database) -> None:
    replace = 'ON CONFLICT (id) DO UPDATE SET "group" = excluded."group"'
    with database.writing() as tx:
        tx.change(delete(things))
        tx.insert_all(things, [{"id": 1, "group": "old", "is_new": False}])
        tx.insert_all(things, [{"id": number, "group": "new", "is_new": True} for number in (1, 2)], replace)

    found = [(row["id"], row["group"], row["is_new"]) for row in list_things(database)]
    assert found == [(1, "new", False), (2, "new", True)]
