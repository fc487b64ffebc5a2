"""Earlier versions of a table, and permanent copies."""

from __future__ import annotations

from datetime import timedelta

import pytest

from penstock.foundation import clock
from penstock.foundation.lake import (
    Column,
    Filter,
    LakeTable,
    Query,
    copy_table,
    count_rows,
    current_version,
    delete_rows,
    drop_bucket,
    drop_column,
    drop_table,
    maintain,
    read_rows,
    version_at,
)
from tests.unit.foundation.lake.tables import USERS, Tables

HEADER = ("id", "name")
KEPT = LakeTable(77, "rows")


def test_a_table_can_be_read_as_it_was(tables: Tables) -> None:
    tables.load([HEADER, ("1", "Ada")])
    first = current_version(tables.lake, USERS)
    tables.load([HEADER, ("2", "Emmy")], incremental=True)
    second = current_version(tables.lake, USERS)
    tables.load([HEADER, ("3", "Grace")])
    drop_column(tables.lake, USERS, "name")

    assert read_rows(tables.lake, USERS, Query(), first) == [("1", "Ada")]
    assert read_rows(tables.lake, USERS, Query(), second) == [("1", "Ada"), ("2", "Emmy")]
    assert read_rows(tables.lake, USERS, Query()) == [("3",)]


def test_the_version_of_a_moment_is_found(tables: Tables) -> None:
    before = clock.now()
    tables.load([HEADER, ("1", "Ada")])
    between = clock.now()
    tables.load([HEADER, ("2", "Emmy")])
    found = version_at(tables.lake, USERS, between)

    assert found is not None
    assert read_rows(tables.lake, USERS, Query(), found) == [("1", "Ada")]
    assert version_at(tables.lake, USERS, before - timedelta(days=1)) is None
    assert version_at(tables.lake, USERS, clock.now()) == current_version(tables.lake, USERS)


def test_a_copy_outlives_the_table_its_versions_and_its_bucket(tables: Tables, monkeypatch: pytest.MonkeyPatch) -> None:
    tables.load([HEADER, ("1", "Ada"), ("2", "Emmy")])
    copied = copy_table(tables.lake, USERS, KEPT)
    tables.load([HEADER])
    drop_table(tables.lake, USERS)
    real = clock.source
    monkeypatch.setattr(clock, "source", lambda: real() + timedelta(days=30))
    maintain(tables.lake, USERS.bucket)
    maintain(tables.lake, KEPT.bucket)
    drop_bucket(tables.lake, USERS.bucket)

    assert tables.read(HEADER, KEPT) == [("1", "Ada"), ("2", "Emmy")]
    assert (copied.rows_count, copied.data_size_bytes > 0) == (2, True)


def test_a_copy_can_be_of_a_version_and_of_some_rows(tables: Tables) -> None:
    tables.load([HEADER, ("1", "Ada"), ("2", "Emmy")], types=(Column("id", "BIGINT"), Column("name")))
    version = current_version(tables.lake, USERS)
    tables.load([HEADER])
    query = Query(columns=("id",), filters=(Filter("name", "eq", ("Emmy",)),))
    copy_table(tables.lake, USERS, KEPT, version=version, query=query)

    assert read_rows(tables.lake, KEPT, Query()) == [("2",)]
    assert read_rows(tables.lake, KEPT, Query(filters=(Filter("id", "gt", ("1",)),))) == [("2",)]


def test_copying_again_is_copying_once(tables: Tables) -> None:
    tables.load([HEADER, ("1", "Ada")], primary_key=("id",))
    copy_table(tables.lake, USERS, KEPT)
    copy_table(tables.lake, USERS, KEPT)
    before = tables.read((*HEADER, "_timestamp"), KEPT)
    tables.load([HEADER, ("1", "Ada")], KEPT, primary_key=("id",), incremental=True)

    assert tables.read((*HEADER, "_timestamp"), KEPT) == before


def test_rows_are_deleted_by_a_query_once(tables: Tables) -> None:
    tables.load([HEADER, ("1", "a"), ("2", "a"), ("3", "b")])
    query = Query(filters=(Filter("name", "eq", ("a",)),))
    with tables.lake.one_writer(USERS):
        first = delete_rows(tables.lake, USERS, query, "job-1")
    tables.load([HEADER, ("4", "a")], incremental=True)
    with tables.lake.one_writer(USERS):
        again = delete_rows(tables.lake, USERS, query, "job-1")

    assert (first.deleted_rows, first.rows_count) == (2, 1)
    assert (again.deleted_rows, again.rows_count) == (2, 2)
    assert sorted(tables.read(HEADER)) == [("3", "b"), ("4", "a")]


def test_all_rows_can_be_deleted(tables: Tables) -> None:
    tables.load([HEADER, ("1", "a")])
    with tables.lake.one_writer(USERS):
        deleted = delete_rows(tables.lake, USERS, Query(), "job-1")

    assert (deleted.deleted_rows, deleted.rows_count, deleted.data_size_bytes) == (1, 0, 0)
    assert count_rows(tables.lake, USERS) == 0
    tables.load([HEADER, ("2", "b")], incremental=True)
    assert tables.read(HEADER) == [("2", "b")]
