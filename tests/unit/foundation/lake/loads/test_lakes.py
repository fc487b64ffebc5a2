"""The lake around the loads: killed, moved, closed, used by many at once."""

from __future__ import annotations

import sqlite3
from concurrent.futures import ThreadPoolExecutor

import pytest

from penstock.foundation.lake import (
    Lake,
    LakeTable,
    NoSuchTable,
    attachments,
)
from tests.unit.foundation.lake.tables import HEADER, USERS, Tables, attached


def test_what_a_killed_load_left_is_swept_by_the_next(tables: Tables) -> None:
    tables.load([HEADER, ("1", "Ada")])
    with tables.lake.session(USERS) as session:
        leftover = session.staging / "left-behind.parquet"
    leftover.parent.mkdir(parents=True)
    leftover.write_bytes(b"half")
    tables.load([HEADER, ("2", "Emmy")], incremental=True)

    assert not leftover.exists()
    assert sorted(tables.read(HEADER)) == [("1", "Ada"), ("2", "Emmy")]


def test_a_moved_lake_still_opens(tables: Tables) -> None:
    tables.load([HEADER, ("1", "Ada"), ("2", "x")], primary_key=("id",))
    tables.load([HEADER, ("2", "Emmy")], primary_key=("id",), incremental=True)
    tables.lake.close()
    (tables.folder / "lake").rename(tables.folder / "it's moved")
    tables.lake = Lake(tables.folder / "it's moved")

    assert sorted(tables.read(HEADER)) == [("1", "Ada"), ("2", "Emmy")]
    tables.load([HEADER, ("3", "Grace")], primary_key=("id",), incremental=True)
    assert sorted(tables.read(HEADER)) == [("1", "Ada"), ("2", "Emmy"), ("3", "Grace")]
    assert not (tables.folder / "lake").exists()


def test_a_bucket_whose_making_was_killed_is_made_again(tables: Tables) -> None:
    folder = tables.lake.folder / str(USERS.bucket)
    folder.mkdir(parents=True)
    begun = sqlite3.connect(folder / "new.sqlite")
    begun.execute("PRAGMA journal_mode = WAL")
    begun.execute("CREATE TABLE ducklake_snapshot (half INTEGER)")
    begun.close()
    (folder / "new.sqlite-wal").write_bytes(b"half")
    tables.load([HEADER, ("1", "Ada")])

    assert tables.read(HEADER) == [("1", "Ada")]


def test_an_empty_catalog_of_an_earlier_version_is_created_only_by_a_load(tables: Tables) -> None:
    folder = tables.lake.folder / str(USERS.bucket)
    folder.mkdir(parents=True)
    (folder / "catalog.sqlite").touch()
    with pytest.raises(NoSuchTable):
        tables.read(HEADER)
    assert not (folder / "catalog.sqlite").stat().st_size
    tables.load([HEADER, ("1", "Ada")])

    assert tables.read(HEADER) == [("1", "Ada")]


def test_a_lake_that_was_closed_opens_again(tables: Tables) -> None:
    tables.load([HEADER, ("1", "Ada")])
    tables.lake.close()

    assert tables.read(HEADER) == [("1", "Ada")]


def test_more_buckets_than_are_kept_open_can_be_used(tables: Tables, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(attachments, "CATALOGS_OPEN", 3)
    buckets = [LakeTable(number, "users") for number in range(1, 8)]
    for table in buckets:
        tables.load([HEADER, (str(table.bucket), "x")], table)

    for table in [*buckets, *reversed(buckets)]:
        assert tables.read(HEADER, table) == [(str(table.bucket), "x")]
    assert len(attached(tables.lake)) <= 3


def test_threads_loading_into_one_bucket_lose_nothing(tables: Tables) -> None:
    def load(number: int) -> None:
        file = tables.folder / f"thread-{number}.csv"
        file.write_text(f"id,name\n{number},x\n")
        table = LakeTable(1, f"t{number % 3}")
        tables.load_file(file, HEADER, table, load_id=f"thread-{number}", incremental=True)

    with ThreadPoolExecutor(6) as pool:
        list(pool.map(load, range(18)))

    found = [row[0] for number in range(3) for row in tables.read(HEADER, LakeTable(1, f"t{number}"))]
    assert sorted(map(int, found)) == list(range(18))


def test_a_reader_sees_a_load_whole_or_not_at_all(tables: Tables) -> None:
    tables.load([HEADER, *[("0", "x")] * 100])

    def replace(_: int) -> None:
        for number in range(1, 6):
            tables.load([HEADER, *[(str(number), "x")] * 100])

    with ThreadPoolExecutor(1) as pool:
        writing = pool.submit(replace, 0)
        while not writing.done():
            rows = tables.read(HEADER)
            assert len(rows) == 100
            assert len(set(rows)) == 1
        writing.result()
