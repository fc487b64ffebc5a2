"""Loads: replace, add, update by key, and each of them once."""

from __future__ import annotations

import pytest

from penstock.foundation.lake import (
    BadCsv,
    LakeTable,
    Query,
    read_rows,
)
from tests.unit.foundation.lake.tables import HEADER, USERS, Rows, Tables


def test_a_full_load_replaces_the_table(tables: Tables) -> None:
    tables.load([HEADER, ("1", "Ada"), ("2", "Emmy")])
    loaded = tables.load([HEADER, ("3", "Grace")])

    assert tables.read(HEADER) == [("3", "Grace")]
    assert loaded.rows_count == 1
    assert loaded.data_size_bytes > 0


def test_an_incremental_load_adds_rows(tables: Tables) -> None:
    tables.load([HEADER, ("1", "Ada")])
    loaded = tables.load([HEADER, ("1", "Ada"), ("2", "Emmy")], incremental=True)

    assert sorted(tables.read(HEADER)) == [("1", "Ada"), ("1", "Ada"), ("2", "Emmy")]
    assert loaded.rows_count == 3


def test_an_incremental_load_updates_by_key(tables: Tables) -> None:
    tables.load([HEADER, ("1", "Ada"), ("2", "Emmy")], primary_key=("id",))
    loaded = tables.load([HEADER, ("2", "new"), ("3", "Grace")], primary_key=("id",), incremental=True)

    assert sorted(tables.read(HEADER)) == [("1", "Ada"), ("2", "new"), ("3", "Grace")]
    assert loaded.rows_count == 3


def test_of_rows_with_one_key_the_last_wins_and_order_stays(tables: Tables) -> None:
    tables.load([HEADER, ("2", "a"), ("1", "b"), ("2", "c"), ("3", "d"), ("2", "e")], primary_key=("id",))

    assert tables.read(HEADER) == [("1", "b"), ("3", "d"), ("2", "e")]


def test_a_key_may_have_several_columns(tables: Tables) -> None:
    columns, key = ("a", "b", "v"), ("a", "b")
    tables.load([columns, ("1", "1", "x"), ("1", "2", "y"), ("", "", "z")], primary_key=key)
    tables.load([columns, ("1", "2", "new"), ("", "", "empty"), ("11", "2", "w")], primary_key=key, incremental=True)

    assert sorted(tables.read(columns)) == [("", "", "empty"), ("1", "1", "x"), ("1", "2", "new"), ("11", "2", "w")]


def test_many_duplicates_within_one_file_are_decided_by_position(parallel_tables: Tables) -> None:
    rows = [(str(number % 1000), str(number)) for number in range(50_000)]
    parallel_tables.load([HEADER, *rows], primary_key=("id",))

    assert sorted(parallel_tables.read(HEADER)) == sorted(
        (str(number % 1000), str(number)) for number in range(49_000, 50_000)
    )


@pytest.mark.parametrize("incremental", [False, True])
def test_a_repeated_load_does_nothing(tables: Tables, incremental: bool) -> None:
    tables.load([HEADER, ("1", "Ada")], load_id="job-1", incremental=incremental)
    tables.load([HEADER, ("2", "Emmy")], load_id="job-2", incremental=True)
    again = tables.load([HEADER, ("1", "Ada")], load_id="job-1", incremental=incremental)

    assert sorted(tables.read(HEADER)) == [("1", "Ada"), ("2", "Emmy")]
    assert again.rows_count == 2


def test_one_load_id_counts_for_each_table(tables: Tables) -> None:
    orders = LakeTable(1, "orders")
    tables.load([HEADER, ("1", "Ada")], load_id="job-1")
    tables.load([HEADER, ("2", "order")], orders, load_id="job-1")

    assert tables.read(HEADER, orders) == [("2", "order")]


def test_new_columns_are_added_and_old_rows_have_them_empty(tables: Tables) -> None:
    tables.load([HEADER, ("1", "Ada")], primary_key=("id",))
    tables.load([("more", "id", "name"), ("x", "2", "Emmy")], primary_key=("id",), incremental=True)

    assert sorted(tables.read(("id", "name", "more"))) == [("1", "Ada", ""), ("2", "Emmy", "x")]


def test_a_file_may_lack_a_column(tables: Tables) -> None:
    tables.load([HEADER, ("1", "Ada")])
    tables.load([("id",), ("2",)], incremental=True)

    assert sorted(tables.read(HEADER)) == [("1", "Ada"), ("2", "")]


@pytest.mark.parametrize("before", [[], [("1", "Ada")]])
def test_a_file_with_a_header_only_is_an_empty_table(tables: Tables, before: Rows) -> None:
    tables.load([HEADER, *before])
    loaded = tables.load([HEADER])

    assert (loaded.rows_count, loaded.data_size_bytes) == (0, 0)
    assert tables.read(HEADER) == []
    assert tables.load([HEADER, ("2", "Emmy")], incremental=True).rows_count == 1


@pytest.mark.parametrize("key", [(), ("id",), ("id", "extra")])
def test_a_load_may_bring_columns_and_change_rows_at_once(tables: Tables, key: tuple[str, ...]) -> None:
    tables.load([HEADER, ("1", "Ada"), ("2", "Emmy")])
    rows = [(*HEADER, "extra"), ("2", "Emmy", ""), ("1", "new", ""), ("3", "Grace", "x")]
    tables.load(rows, primary_key=key, incremental=True)

    old = [] if key else [("1", "Ada", ""), ("2", "Emmy", "")]
    assert sorted(tables.read((*HEADER, "extra"))) == sorted([*old, *rows[1:]])


@pytest.mark.parametrize("incremental", [False, True])
def test_columns_meet_in_whatever_letters(tables: Tables, incremental: bool) -> None:
    tables.load([("ID", "name"), ("1", "Ada")], primary_key=("ID",))
    tables.load([("id", "NAME"), ("1", "new"), ("2", "x")], primary_key=("id",), incremental=incremental)

    assert sorted(tables.read(("id", "name"))) == [("1", "new"), ("2", "x")]
    assert len(read_rows(tables.lake, USERS, Query())[0]) == 2


def test_letters_that_the_engine_distinguishes_make_two_columns(tables: Tables) -> None:
    tables.load([("\xc4", "b"), ("1", "x")])
    tables.load([("\xe4", "b"), ("2", "y")], incremental=True)

    assert sorted(tables.read(("\xc4", "\xe4", "b"))) == [("", "2", "y"), ("1", "", "x")]


def test_two_columns_of_one_name_are_refused(tables: Tables) -> None:
    with pytest.raises(BadCsv, match='"id" comes twice'):
        tables.load([("ID", "id"), ("1", "2")])
