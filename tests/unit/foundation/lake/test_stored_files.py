"""Parquet exports that hand over the files of a table as they are stored."""

from __future__ import annotations

import tempfile
from pathlib import Path
from uuid import uuid4

import duckdb
import pytest
from hypothesis import given
from hypothesis import strategies as st

from penstock.foundation.lake import (
    INTERNAL_TIMESTAMP,
    Column,
    Filter,
    LakeTable,
    Query,
    Slice,
    add_column,
    delete_rows,
    drop_column,
    export_rows,
    stored_files,
)
from tests.unit.foundation.lake.tables import USERS, Tables, few_examples

HEADER = ("id", "name")
WHOLE = Query(columns=(*HEADER, INTERNAL_TIMESTAMP))


def read(slices: list[Slice], *columns: str) -> list[tuple[str, ...]]:
    with duckdb.connect() as duck:
        names = ", ".join(f"coalesce({column}, '')" for column in columns)
        paths = [str(piece.path) for piece in slices]
        return duck.execute(f"SELECT {names} FROM read_parquet(?)", [paths]).fetchall()


def test_the_files_of_a_whole_table_are_linked(tables: Tables, tmp_path: Path) -> None:
    tables.load([HEADER, ("1", "a"), ("2", "b")])
    tables.load([HEADER, ("3", "c")], incremental=True)
    slices = export_rows(tables.lake, USERS, WHOLE, tmp_path, parquet=True)

    assert {piece.path.stat().st_ino for piece in slices} == {file.stat().st_ino for file in tables.files()}
    assert [(piece.name, piece.rows) for piece in slices] == [("0000.parquet", 2), ("0001.parquet", 1)]
    assert read(slices, "id", "name") == [("1", "a"), ("2", "b"), ("3", "c")]


def test_anything_but_the_whole_table_is_written_anew(tables: Tables, tmp_path: Path) -> None:
    tables.load([HEADER, ("1", "a"), ("2", "b")])
    some = {
        "without-timestamp": Query(columns=HEADER),
        "column": Query(columns=("id", INTERNAL_TIMESTAMP)),
        "rows": Query(columns=WHOLE.columns, filters=(Filter("id", "eq", ("2",)),)),
        "limit": Query(columns=WHOLE.columns, limit=1),
    }
    written = {
        name: export_rows(tables.lake, USERS, query, tmp_path / name, parquet=True) for name, query in some.items()
    }

    stored = {file.stat().st_ino for file in tables.files()}
    assert all(piece.path.stat().st_ino not in stored for slices in written.values() for piece in slices)
    assert read(written["rows"], "id") == [("2",)]
    assert len(read(written["limit"], "id")) == 1


def test_a_dropped_column_and_deleted_rows_are_not_handed_over(tables: Tables, tmp_path: Path) -> None:
    tables.load([(*HEADER, "secret"), ("1", "a", "x"), ("2", "b", "y")])
    drop_column(tables.lake, USERS, "secret")
    dropped = export_rows(tables.lake, USERS, WHOLE, tmp_path / "dropped", parquet=True)
    tables.load([HEADER, ("1", "a"), ("2", "b")])
    delete_rows(tables.lake, USERS, Query(filters=(Filter("id", "eq", ("1",)),)), "deletion")
    deleted = export_rows(tables.lake, USERS, WHOLE, tmp_path / "deleted", parquet=True)

    with duckdb.connect() as duck:
        names = [row[0] for row in duck.execute("DESCRIBE FROM read_parquet(?)", [str(dropped[0].path)]).fetchall()]
    assert names == [*HEADER, INTERNAL_TIMESTAMP]
    assert read(deleted, "id", "name") == [("2", "b")]


def test_many_small_files_are_written_as_one(tables: Tables, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stored_files, "MAX_FILES", 1)
    tables.load([HEADER, ("1", "a")])
    tables.load([HEADER, ("2", "b")], incremental=True)

    (written,) = export_rows(tables.lake, USERS, WHOLE, tmp_path, parquet=True)

    assert written.rows == 2


STEPS = st.lists(st.sampled_from(["full", "append", "upsert", "delete", "widen", "narrow"]), max_size=5)


@given(steps=STEPS)
@few_examples
def test_handed_over_files_hold_the_rows_of_the_table(shared_tables: Tables, steps: list[str]) -> None:
    table = LakeTable(1, f"history-{uuid4()}")
    columns: list[str] = [*HEADER]
    shared_tables.load([HEADER, ("0", "first")], table, primary_key=("id",))
    for number, step in enumerate(steps):
        _change(shared_tables, table, columns, number, step)

    with tempfile.TemporaryDirectory() as folder:
        query = Query(columns=(*columns, INTERNAL_TIMESTAMP))
        slices = export_rows(shared_tables.lake, table, query, Path(folder), parquet=True)
        found = read(slices, *columns)

    assert sorted(found) == sorted(shared_tables.read(columns, table))


def _change(tables: Tables, table: LakeTable, columns: list[str], number: int, step: str) -> None:
    row = [str(number), *(f"{column} of {number}" for column in columns[1:])]
    if step in ("full", "append", "upsert"):
        key = ("id",) if step != "append" else ()
        tables.load([columns, row, ["0", *row[1:]]], table, primary_key=key, incremental=step != "full")
    elif step == "delete":
        delete_rows(tables.lake, table, Query(filters=(Filter("id", "eq", ("0",)),)), f"deletion-{number}")
    elif step == "widen" and f"more{number}" not in columns:
        add_column(tables.lake, table, Column(f"more{number}"))
        columns.append(f"more{number}")
    elif step == "narrow" and len(columns) > 2:
        drop_column(tables.lake, table, columns.pop())
