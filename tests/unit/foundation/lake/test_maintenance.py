"""Maintenance: what is no longer needed is removed, what is being read or may be requested stays."""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest

from penstock.foundation import clock
from penstock.foundation.lake import (
    Column,
    Filter,
    LakeTable,
    Query,
    compaction,
    count_rows,
    create_table,
    delete_rows,
    drop_bucket,
    drop_table,
    maintain,
    maintenance,
)
from penstock.foundation.lake.catalogs import Catalog
from penstock.foundation.lake.sizes import Sizes, measure
from tests.unit.foundation.lake.tables import USERS, Tables

HEADER = ("id", "name")


def sizes(tables: Tables) -> Sizes:
    with tables.lake.session(USERS) as session:
        return measure(session)


def later(monkeypatch: pytest.MonkeyPatch, **time: float) -> None:
    real = clock.source
    monkeypatch.setattr(clock, "source", lambda: real() + timedelta(**time))


def load_singly(tables: Tables, count: int) -> None:
    for number in range(count):
        tables.load([HEADER, (str(number), "x")], incremental=True)


def test_small_files_become_one(tables: Tables) -> None:
    load_singly(tables, 5)
    maintain(tables.lake, USERS.bucket)

    assert (sizes(tables).files, sizes(tables).rows) == (1, 5)
    assert sorted(tables.read(("id",))) == [(str(number),) for number in range(5)]


def test_many_loads_keep_few_files(tables: Tables, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compaction, "MAX_SMALL_FILES", 6)
    load_singly(tables, 13)

    assert sizes(tables).files < 9
    assert len(tables.read(("id",))) == 13


def test_many_upserts_keep_few_files(tables: Tables, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compaction, "MAX_SMALL_FILES", 6)
    for number in range(13):
        rows = [(str(number * 3 + each), str(number)) for each in range(6)]
        tables.load([HEADER, *rows], primary_key=("id",), incremental=True)

    assert sizes(tables).files < 9
    assert sorted(tables.read(HEADER), key=lambda row: int(row[0]))[:7:3] == [("0", "0"), ("3", "1"), ("6", "2")]
    assert sizes(tables).rows == 42


def test_rows_that_were_deleted_leave_the_files(tables: Tables) -> None:
    tables.load([HEADER, *[(str(number), "x") for number in range(100)]])
    with tables.lake.one_writer(USERS):
        delete_rows(tables.lake, USERS, Query(filters=(Filter("id", "lt", ("50",), "INTEGER"),)), "job")
    before = tables.read((*HEADER, "_timestamp"))
    maintain(tables.lake, USERS.bucket)

    assert (sizes(tables).rows, sizes(tables).deleted_rows) == (50, 0)
    assert tables.read((*HEADER, "_timestamp")) == before


def test_a_file_stays_an_hour_for_who_reads_it(tables: Tables, monkeypatch: pytest.MonkeyPatch) -> None:
    load_singly(tables, 3)
    maintain(tables.lake, USERS.bucket)
    assert len(tables.files()) == 4
    later(monkeypatch, minutes=50)
    maintain(tables.lake, USERS.bucket)
    assert len(tables.files()) == 4
    later(monkeypatch, minutes=20)
    maintain(tables.lake, USERS.bucket)
    assert len(tables.files()) == 1


def test_older_versions_are_kept_for_a_week(tables: Tables, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("a", "b", "c"):
        tables.load([HEADER, ("1", name)])
    later(monkeypatch, days=6.9)
    maintain(tables.lake, USERS.bucket)
    assert len(tables.files()) == 3
    later(monkeypatch, days=0.2)
    maintain(tables.lake, USERS.bucket)
    later(monkeypatch, hours=2)
    maintain(tables.lake, USERS.bucket)

    assert len(tables.files()) == 1
    assert tables.read(HEADER) == [("1", "c")]


def test_a_load_is_known_for_a_day_whatever_is_forgotten(tables: Tables, monkeypatch: pytest.MonkeyPatch) -> None:
    tables.load([HEADER, ("1", "x")], incremental=True, load_id="job-1")
    tables.load([HEADER, ("2", "x")], incremental=True)
    later(monkeypatch, hours=23)
    maintain(tables.lake, USERS.bucket, keep=timedelta(0))
    tables.load([HEADER, ("1", "x")], incremental=True, load_id="job-1")

    assert len(tables.read(HEADER)) == 2


def test_what_a_kill_left_and_what_was_dropped_goes(tables: Tables, monkeypatch: pytest.MonkeyPatch) -> None:
    tables.load([HEADER, ("1", "x")])
    folder = tables.data_folder()
    young, old = folder / "young.parquet", folder / "old.parquet"
    for path in (young, old):
        path.write_bytes(b"half")
    os.utime(old, (0, 0))
    maintain(tables.lake, USERS.bucket)
    assert (young.exists(), old.exists()) == (True, False)

    young.unlink()
    drop_table(tables.lake, USERS)
    for days in (8, 1, 1):
        later(monkeypatch, days=days)
        maintain(tables.lake, USERS.bucket)
    assert not folder.exists()


def test_a_table_that_is_being_loaded_is_left_alone(tables: Tables) -> None:
    load_singly(tables, 3)
    with tables.lake.one_writer(USERS):
        maintain(tables.lake, USERS.bucket)

    assert sizes(tables).files == 3


def test_upkeep_runs_beside_loads_and_reads(tables: Tables) -> None:
    others = [LakeTable(1, f"t{number}") for number in range(2)]
    for table in others:
        create_table(tables.lake, table, [Column(name) for name in HEADER])

    def load(table: LakeTable) -> None:
        for number in range(5):
            file = tables.folder / f"{table.name}-{number}.csv"
            file.write_text(f"id,name\n{number},x\n{number},y\n")
            tables.load_file(file, HEADER, table, load_id=f"{table.name} {number}", incremental=True)

    with ThreadPoolExecutor(4) as pool:
        working = [pool.submit(load, table) for table in others]
        while not all(each.done() for each in working):
            maintain(tables.lake, 1)
            # Loads of two rows each are seen whole.
            assert all(count_rows(tables.lake, table) % 2 == 0 for table in others)
        for each in working:
            each.result()

    assert all(len(tables.read(HEADER, table)) == 10 for table in others)


def test_a_table_whose_folder_goes_meanwhile_keeps_no_other_from_upkeep(
    tables: Tables, monkeypatch: pytest.MonkeyPatch
) -> None:
    load_singly(tables, 3)
    monkeypatch.setattr(maintenance, "_relations", lambda _: ["t_0", USERS.relation])
    maintain(tables.lake, USERS.bucket)

    assert sizes(tables).files == 1


def test_a_bucket_that_is_dropped_meanwhile_is_not_made_again(tables: Tables, monkeypatch: pytest.MonkeyPatch) -> None:
    load_singly(tables, 3)
    found = tables.lake.catalogs(USERS.bucket)
    drop_bucket(tables.lake, USERS.bucket)
    monkeypatch.setattr(Catalog, "catalog_file", tables.folder)
    monkeypatch.setattr(tables.lake, "catalogs", lambda _: found)
    monkeypatch.setattr(maintenance, "_relations", lambda _: [USERS.relation])
    maintain(tables.lake, USERS.bucket)

    assert not found[0].folder.exists()
