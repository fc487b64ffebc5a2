"""Filters of rows: Python is the reference."""

from __future__ import annotations

import operator
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from decimal import Decimal, InvalidOperation
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from penstock.foundation import clock
from penstock.foundation.errors import Invalid
from penstock.foundation.lake import (
    ColumnGone,
    Filter,
    LakeTable,
    NoSuchTable,
    Order,
    Query,
    count_rows,
    delete_rows,
    drop_bucket,
    drop_column,
    drop_table,
    export_rows,
    has_duplicates,
    read_rows,
    version_at,
)
from tests.unit.foundation.lake.tables import USERS, Tables, few_examples

VALUES = ["", " ", "0", "1", "01", "2", "10", "1.5", "-3", "abc", "ABC", "ž", "'", '"', "\x00", "a\x00b", "%", "NULL"]
HEADER = ("id", "value")
NUMBERED = [(str(number), value) for number, value in enumerate(VALUES)]
COMPARE: dict[str, Callable[[Any, Any], bool]] = {
    "gt": operator.gt, "ge": operator.ge, "lt": operator.lt, "le": operator.le,
}  # fmt: skip


@pytest.fixture(scope="module")
def values(shared_tables: Tables) -> Tables:
    shared_tables.load([HEADER, *NUMBERED], LakeTable(9, "values"))
    return shared_tables


def find(tables: Tables, query: Query) -> list[str]:
    return [row[1] for row in read_rows(tables.lake, LakeTable(9, "values"), query)]


def as_number(text: str) -> Decimal | None:
    try:
        return Decimal(text.strip()).quantize(Decimal("1e-9"))
    except InvalidOperation:
        return None


def holds(wanted: Filter, value: str) -> bool:
    """What a filter means."""
    read = as_number if wanted.data_type else str
    if wanted.operator in COMPARE:
        left, right = read(value), read(wanted.values[0])
        return left is not None and right is not None and COMPARE[wanted.operator](left, right)
    known = {read(each) for each in wanted.values} - {None}
    is_equal = read(value) in known or ("" in wanted.values and value == "")
    return is_equal == (wanted.operator == "eq")


several = st.builds(
    Filter,
    st.just("value"),
    st.sampled_from(["eq", "ne"]),
    st.lists(st.sampled_from([*VALUES, "nowhere"]), min_size=1, max_size=3).map(tuple),
    st.sampled_from([None, "DECIMAL"]),
)
single = st.builds(
    Filter,
    st.just("value"),
    st.sampled_from(sorted(COMPARE)),
    st.tuples(st.sampled_from(VALUES)),
    st.sampled_from([None, "DECIMAL"]),
)


@few_examples
@given(st.lists(several | single, max_size=3).map(tuple))
def test_filters_find_what_python_finds(values: Tables, filters: tuple[Filter, ...]) -> None:
    expected = [value for value in VALUES if all(holds(each, value) for each in filters)]

    assert find(values, Query(filters=filters)) == expected
    assert count_rows(values.lake, LakeTable(9, "values"), Query(filters=filters)) == len(expected)


@pytest.mark.parametrize("data_type", ["INTEGER", "BIGINT", "REAL", "DOUBLE", "DECIMAL"])
def test_numbers_are_compared_as_numbers(values: Tables, data_type: str) -> None:
    wanted = Filter("value", "ge", ("2",), data_type)

    assert find(values, Query(filters=(wanted,))) == [
        "2",
        "10",
        *(["1.5"] if data_type in ("INTEGER", "BIGINT") else []),
    ]


def test_rows_come_in_the_order_that_is_asked_for(values: Tables) -> None:
    assert find(values, Query(order_by=(Order("value"),))) == sorted(VALUES)
    assert find(values, Query(order_by=(Order("value", descending=True),), limit=3)) == sorted(VALUES, reverse=True)[:3]
    numbers = find(values, Query(order_by=(Order("value", False, "DOUBLE"), Order("id"))))
    assert numbers[:7] == ["-3", "0", "1", "01", "1.5", "2", "10"]


@pytest.mark.parametrize("limit", [0, 1, 5, 1000])
def test_a_limit_limits(values: Tables, limit: int) -> None:
    assert find(values, Query(limit=limit)) == VALUES[:limit]


def test_text_is_found_in_any_column_and_in_any_letters(values: Tables) -> None:
    assert find(values, Query(fulltext="aBc")) == ["abc", "ABC"]
    assert find(values, Query(fulltext="17")) == ["NULL"]
    assert find(values, Query(fulltext="%")) == ["%"]


def test_columns_are_shown_as_asked(values: Tables) -> None:
    assert read_rows(values.lake, LakeTable(9, "values"), Query(columns=("value", "id"), limit=2)) == [
        ("", "0"),
        (" ", "1"),
    ]


def test_what_was_changed_since_and_until_is_found(tables: Tables, monkeypatch: pytest.MonkeyPatch) -> None:
    start = datetime(2026, 5, 1, 12, tzinfo=UTC)
    for hour in range(3):
        monkeypatch.setattr(clock, "source", lambda hour=hour: start + timedelta(hours=hour))
        tables.load([HEADER, (str(hour), "x")], incremental=True)

    def changed(**times: Any) -> list[str]:
        return [row[0] for row in read_rows(tables.lake, USERS, Query(**times))]

    assert changed(changed_since=start + timedelta(hours=1)) == ["1", "2"]
    assert changed(changed_until=start + timedelta(hours=1)) == ["0"]
    assert changed(changed_since=start, changed_until=start + timedelta(hours=2)) == ["0", "1"]


def test_whether_rows_repeat_is_known(tables: Tables) -> None:
    tables.load([("a", "b"), ("1", "x"), ("1", "y"), ("2", "x")])

    assert has_duplicates(tables.lake, USERS, ("a",))
    assert has_duplicates(tables.lake, USERS, ("b",))
    assert not has_duplicates(tables.lake, USERS, ("a", "b"))


def test_a_table_that_is_not_there_is_not_found(tables: Tables) -> None:
    with pytest.raises(NoSuchTable):
        read_rows(tables.lake, LakeTable(1, "nowhere"), Query())


def test_text_is_looked_for_only_in_columns_that_are_asked_for(values: Tables) -> None:
    table = LakeTable(9, "values")

    assert read_rows(values.lake, table, Query(columns=("value",), fulltext="17")) == []
    assert len(read_rows(values.lake, table, Query(columns=("id",), fulltext="17"))) == 1


def test_no_columns_are_not_all_columns(values: Tables) -> None:
    with pytest.raises(Invalid, match="at least one column"):
        read_rows(values.lake, LakeTable(9, "values"), Query(columns=()))


@pytest.mark.parametrize("query", [Query(columns=("gone",)), Query(filters=(Filter("gone", "eq", ("1",)),))])
def test_a_column_that_went_meanwhile_is_an_error_with_a_name(tables: Tables, query: Query) -> None:
    tables.load([HEADER, ("1", "Ada")])

    with pytest.raises(ColumnGone, match='"users"'):
        read_rows(tables.lake, USERS, query)
    with pytest.raises(ColumnGone):
        export_rows(tables.lake, USERS, query, tables.folder / "out")


def test_rows_are_not_deleted_by_a_column_that_went_meanwhile(tables: Tables) -> None:
    tables.load([HEADER, ("1", "Ada")])

    with pytest.raises(ColumnGone):
        delete_rows(tables.lake, USERS, Query(filters=(Filter("gone", "eq", ("1",)),)), "of-test")
    assert tables.read(HEADER) == [("1", "Ada")]


def test_who_reads_a_bucket_that_is_gone_does_not_make_it_again(tables: Tables) -> None:
    tables.load([HEADER, ("1", "Ada")])
    drop_bucket(tables.lake, USERS.bucket)

    for read in (
        lambda: tables.read(HEADER),
        lambda: count_rows(tables.lake, USERS),
        lambda: has_duplicates(tables.lake, USERS, ("id",)),
        lambda: export_rows(tables.lake, USERS, Query(), tables.folder / "out"),
    ):
        with pytest.raises(NoSuchTable):
            read()
    assert version_at(tables.lake, USERS, clock.now()) is None
    drop_table(tables.lake, USERS)
    drop_column(tables.lake, USERS, "id")
    assert not tables.lake.catalogs(USERS.bucket)
