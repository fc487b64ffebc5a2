"""Upserts: a dictionary is the reference, and a row that did not change keeps its time."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from penstock.foundation import clock
from penstock.foundation.lake import LakeTable, add_column, drop_column, maintain
from penstock.foundation.lake.types import Column
from tests.unit.foundation.lake.tables import USERS, Tables, few_examples

HEADER, KEY = ("id", "name"), ("id",)
STAMPED = ("id", "name", "_timestamp")


@pytest.fixture
def days() -> Iterator[None]:
    """Every look at the clock is a day later."""
    before, moments = (
        clock.source,
        iter(datetime(2026, 1, 1, tzinfo=UTC) + timedelta(days=day) for day in range(10_000)),
    )
    clock.source = lambda: next(moments)
    yield
    clock.source = before


def times(tables: Tables) -> dict[str, str]:
    return {row[0]: row[2] for row in tables.read(STAMPED)}


def test_only_rows_that_are_new_or_changed_get_a_new_time(tables: Tables, days: None) -> None:
    tables.load([HEADER, ("1", "Ada"), ("2", "Emmy"), ("3", "Grace")], primary_key=KEY)
    before = times(tables)
    tables.load([HEADER, ("1", "Ada"), ("2", "new"), ("4", "Mary")], primary_key=KEY, incremental=True)
    after = times(tables)

    assert sorted(tables.read(HEADER)) == [("1", "Ada"), ("2", "new"), ("3", "Grace"), ("4", "Mary")]
    assert {name for name in before if before[name] == after[name]} == {"1", "3"}
    assert after["2"] == after["4"] > before["1"]


def test_an_upsert_that_changes_nothing_changes_nothing(tables: Tables, days: None) -> None:
    rows = [HEADER, *[(str(number), "x") for number in range(100)]]
    tables.load(rows, primary_key=KEY)
    before = times(tables)
    loaded = tables.load(rows, primary_key=KEY, incremental=True)

    assert times(tables) == before
    assert (loaded.imported_rows, loaded.rows_count) == (100, 100)


def test_rows_of_a_time_without_a_key_are_compared_too(tables: Tables, days: None) -> None:
    tables.load([HEADER, ("1", "Ada"), ("2", "Emmy")])
    before = times(tables)
    tables.load([HEADER, ("1", "Ada"), ("2", "new")], primary_key=KEY, incremental=True)

    assert {name for name, time in times(tables).items() if before[name] == time} == {"1"}


def test_a_key_that_the_table_has_twice_ends_as_one_row(tables: Tables) -> None:
    tables.load([HEADER, ("1", "Ada"), ("1", "Ada"), ("2", "x"), ("2", "y")])
    tables.load([HEADER, ("1", "Ada"), ("2", "x")], primary_key=KEY, incremental=True)

    assert sorted(tables.read(HEADER)) == [("1", "Ada"), ("2", "x")]


def test_inserting_looks_at_no_key(tables: Tables) -> None:
    tables.load([HEADER, ("1", "Ada")], primary_key=KEY)
    loaded = tables.load([HEADER, ("1", "x"), ("1", "x")], primary_key=KEY, incremental=True, deduplication="insert")

    assert sorted(tables.read(HEADER)) == [("1", "Ada"), ("1", "x"), ("1", "x")]
    assert (loaded.imported_rows, loaded.rows_count) == (2, 3)


def test_a_new_column_that_stays_empty_is_not_a_change(tables: Tables, days: None) -> None:
    tables.load([HEADER, ("1", "Ada")], primary_key=KEY)
    before = times(tables)
    add_column(tables.lake, USERS, Column("more"))
    tables.load([(*HEADER, "more"), ("1", "Ada", "")], primary_key=KEY, incremental=True)

    assert times(tables) == before


def test_a_column_that_went_and_came_again_gets_its_value_back(tables: Tables) -> None:
    wide = (*HEADER, "more")
    tables.load([wide, ("1", "Ada", "x")], primary_key=KEY)
    drop_column(tables.lake, USERS, "more")
    tables.load([wide, ("1", "Ada", "x")], primary_key=KEY, incremental=True)

    assert tables.read(wide) == [("1", "Ada", "x")]


keys = st.sampled_from(["", " ", "0", "00", "1", "a", "A", "á", "a\u0301", "NULL", '"', "1.0"])
loads = st.lists(
    st.tuples(st.booleans(), st.lists(st.tuples(keys, keys, st.sampled_from("xyz")), max_size=8)),
    min_size=1,
    max_size=5,
)


@few_examples
@given(loads, st.booleans())
def test_any_loads_by_key_end_as_a_dictionary_would(
    shared_tables: Tables, work: list[tuple[bool, list[tuple[str, str, str]]]], is_maintained: bool
) -> None:
    table, columns = LakeTable(7, "pairs"), ("a", "b", "value")
    expected: dict[tuple[str, str], str] = {}
    shared_tables.load([columns], table, primary_key=("a", "b"))
    for is_full, rows in work:
        loaded = shared_tables.load([columns, *rows], table, primary_key=("a", "b"), incremental=not is_full)
        new = {(a, b): value for a, b, value in rows}
        expected = new if is_full else {**expected, **new}
        if is_maintained:
            maintain(shared_tables.lake, table.bucket)

        found = shared_tables.read(columns, table)
        assert sorted(found) == sorted((a, b, value) for (a, b), value in expected.items())
        assert (loaded.imported_rows, loaded.rows_count) == (len(new), len(expected))
