"""Attached catalogs: each session has its own while it runs."""

from __future__ import annotations

import shutil
import sqlite3
from concurrent.futures import ThreadPoolExecutor

import duckdb
import pytest

from penstock.foundation.lake import LakeTable, LakeUnavailable, attachments, drop_bucket
from tests.unit.foundation.lake.tables import HEADER, USERS, Tables, attached


def test_two_sessions_at_one_bucket_have_a_catalog_each(tables: Tables) -> None:
    tables.load([HEADER, ("1", "Ada")])
    with tables.lake.session(USERS) as one, tables.lake.session(USERS) as other:
        assert one.catalog != other.catalog
        assert one.execute(f"SELECT name FROM {one.address}").fetchall() == [("Ada",)]
        assert other.execute(f"SELECT name FROM {other.address}").fetchall() == [("Ada",)]


def test_no_other_sqlite_than_the_engines_opens_a_catalog_that_is_there(
    tables: Tables, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Closing it again would end the locks that the engine has on it."""
    tables.load([HEADER, ("1", "Ada")])
    monkeypatch.delattr(sqlite3, "connect")
    with tables.lake.session(USERS), tables.lake.session(USERS) as session:
        assert session.execute(f"SELECT name FROM {session.address}").fetchall() == [("Ada",)]


def test_a_catalog_that_was_given_back_is_taken_again(tables: Tables) -> None:
    with tables.lake.session(USERS) as session:
        first = session.catalog
    with tables.lake.session(USERS) as session:
        assert session.catalog == first


def test_a_catalog_is_released_after_a_failure(tables: Tables) -> None:
    for _ in range(2):
        with pytest.raises(duckdb.CatalogException), tables.lake.session(USERS) as session:
            session.execute("SELECT * FROM missing")

    assert len(attached(tables.lake)) == 1


def test_a_catalog_in_use_is_let_go_of_after_its_bucket_was_dropped(tables: Tables) -> None:
    others = LakeTable(USERS.bucket + 1, "others")
    with tables.lake.session(others):
        drop_bucket(tables.lake, others.bucket)
        assert len(attached(tables.lake)) == 2

    assert len(attached(tables.lake)) == 1


def test_nothing_of_the_making_of_a_catalog_stays(tables: Tables) -> None:
    tables.load([HEADER, ("1", "Ada")])
    assert not list((tables.lake.folder / str(USERS.bucket)).glob("new.sqlite*"))


def test_a_catalog_that_could_not_be_written_whole_is_none(tables: Tables, monkeypatch: pytest.MonkeyPatch) -> None:
    """SQLite leaves its log behind then, without an error."""
    folder = tables.lake.folder / str(USERS.bucket)
    with monkeypatch.context() as patched:
        patched.setattr(attachments, "_let_readers_pass", lambda catalog: catalog.with_name("new.sqlite-wal").touch())
        with pytest.raises(LakeUnavailable):
            tables.load([HEADER, ("1", "Ada")])
    assert not (folder / "catalog.sqlite").exists()
    tables.load([HEADER, ("1", "Ada")])

    assert tables.read(HEADER) == [("1", "Ada")]


def test_the_catalogs_of_a_bucket_that_another_process_dropped_are_let_go_of(tables: Tables) -> None:
    others = LakeTable(USERS.bucket + 1, "others")
    with tables.lake.session(others), tables.lake.session(others):
        assert len(attached(tables.lake)) == 3
    shutil.rmtree(tables.lake.folder / str(others.bucket))

    assert len(attached(tables.lake)) == 1


def test_threads_that_replace_and_read_tables_of_one_bucket_do_not_meet(tables: Tables) -> None:
    """With one catalog for all of them the engine refuses commits, or the process dies."""
    both = [LakeTable(1, "one"), LakeTable(1, "two")]
    for table in both:
        tables.load([HEADER, ("0", "x")], table)

    def replace(table: LakeTable) -> None:
        for number in range(5):
            file = tables.folder / f"{table.name}.csv"
            file.write_text(f"id,name\n{number},x\n")
            tables.load_file(file, HEADER, table, load_id=f"{table.name}-{number}")

    with ThreadPoolExecutor(2) as pool:
        writing = [pool.submit(replace, table) for table in both]
        while not all(future.done() for future in writing):
            assert [len(tables.read(HEADER, table)) for table in both] == [1, 1]

    assert [future.result() for future in writing] == [None, None]
    assert [tables.read(HEADER, table) for table in both] == [[("4", "x")]] * 2
