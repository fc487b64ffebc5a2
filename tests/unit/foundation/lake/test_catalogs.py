"""The location of tables: a hundred per catalog, and they stay in their first one."""

from __future__ import annotations

import sqlite3

import pytest

from penstock.foundation.lake import LakeTable, Query, catalogs, create_table, drop_bucket, maintain, read_rows
from penstock.foundation.lake.types import Column
from tests.unit.foundation.lake.tables import USERS, Tables

HEADER = ("id", "name")


@pytest.fixture(autouse=True)
def few_to_a_catalog(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(catalogs, "TABLES_PER_CATALOG", 2)


def folders(tables: Tables) -> list[str]:
    return sorted(path.name for path in tables.lake.folder.iterdir() if path.name != "tmp")


def test_tables_that_do_not_fit_a_catalog_get_another(tables: Tables) -> None:
    made = [LakeTable(1, f"t{number}") for number in range(5)]
    for table in made:
        tables.load([HEADER, ("1", table.name)], table)
    tables.load([HEADER, ("2", "t0")], made[0], incremental=True)

    assert folders(tables) == ["1", "1-1", "1-2"]
    assert [len(tables.read(HEADER, table)) for table in made] == [2, 1, 1, 1, 1]
    for name in folders(tables):
        with sqlite3.connect(tables.lake.folder / name / "catalog.sqlite") as catalog:
            assert catalog.execute("SELECT count(DISTINCT table_name) FROM ducklake_table").fetchone()[0] <= 2
        catalog.close()


def test_a_bucket_goes_with_all_its_catalogs_and_no_other(tables: Tables) -> None:
    for number in range(3):
        tables.load([HEADER, ("1", "x")], LakeTable(1, f"t{number}"))
        tables.load([HEADER, ("1", "x")], LakeTable(11, f"t{number}"))
    maintain(tables.lake, 1)
    drop_bucket(tables.lake, 1)
    drop_bucket(tables.lake, 1)

    assert folders(tables) == ["11", "11-1"]
    assert tables.read(HEADER, LakeTable(11, "t2")) == [("1", "x")]


def test_a_table_stays_where_it_was_made(tables: Tables, monkeypatch: pytest.MonkeyPatch) -> None:
    made = [LakeTable(1, f"t{number}") for number in range(4)]
    for table in made:
        create_table(tables.lake, table, [Column("id")])
    monkeypatch.setattr(catalogs, "TABLES_PER_CATALOG", 100)
    for table in made:
        create_table(tables.lake, table, [Column("id"), Column("name")])
        assert read_rows(tables.lake, table, Query()) == []
    tables.load([HEADER], USERS)

    assert folders(tables) == ["1", "1-1"]
