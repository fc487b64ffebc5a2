"""Exports: slices contain all rows in order, however they are split."""

from __future__ import annotations

import csv
import gzip
import io
import json
import tempfile
from pathlib import Path

import duckdb
import pytest
from hypothesis import given
from hypothesis import strategies as st

from penstock.foundation.lake import Column, Filter, LakeTable, Order, Query, Slice, export_rows, exports
from tests.unit.foundation.lake.tables import USERS, Tables, few_examples

HEADER = ("id", "name")


def content_of(slices: list[Slice]) -> bytes:
    parts = [piece.path.read_bytes() for piece in slices]
    return b"".join(gzip.decompress(part) if part.startswith(b"\x1f\x8b") else part for part in parts)


def rows_of(content: bytes) -> list[tuple[str, ...]]:
    return [tuple(row) for row in csv.reader(io.StringIO(content.decode(), newline=""))]


@pytest.mark.parametrize("is_packed", [False, True])
def test_every_field_is_quoted_and_there_is_no_header(tables: Tables, tmp_path: Path, is_packed: bool) -> None:
    columns = (Column("id", "BIGINT"), Column("name"))
    tables.load([HEADER, ("1", 'a "b"'), ("", "x,y\nz"), ("3", "")], types=columns)
    slices = export_rows(tables.lake, USERS, Query(), tmp_path / "out", gzip=is_packed)

    assert content_of(slices) == b'"1","a ""b"""\n"","x,y\nz"\n"3",""\n'
    assert [(piece.name, piece.rows, piece.size) for piece in slices] == [
        ("0000.csv.gz" if is_packed else "0000.csv", 3, slices[0].path.stat().st_size)
    ]
    assert [path.name for path in (tmp_path / "out").iterdir()] == [slices[0].name]


@pytest.mark.parametrize("is_packed", [False, True])
def test_no_rows_are_one_empty_slice(tables: Tables, tmp_path: Path, is_packed: bool) -> None:
    tables.load([HEADER])
    slices = export_rows(tables.lake, USERS, Query(), tmp_path, gzip=is_packed)

    assert len(slices) == 1
    assert (content_of(slices), slices[0].rows) == (b"", 0)


def test_a_query_selects_what_is_exported(tables: Tables, tmp_path: Path) -> None:
    tables.load([HEADER, ("1", "a"), ("2", "b"), ("10", "c")])
    query = Query(
        columns=("name", "id"),
        filters=(Filter("id", "ge", ("2",), "INTEGER"),),
        order_by=(Order("id", descending=True, data_type="INTEGER"),),
        limit=5,
    )

    assert rows_of(content_of(export_rows(tables.lake, USERS, query, tmp_path))) == [("c", "10"), ("b", "2")]


texts = st.text(st.sampled_from('ab",\n\r'), max_size=10)


@few_examples
@given(st.lists(st.tuples(texts, texts), max_size=12), st.integers(1, 60), st.booleans())
def test_slices_end_where_rows_end(
    shared_tables: Tables, rows: list[tuple[str, str]], size: int, is_packed: bool
) -> None:
    table, folder = LakeTable(4, "exported"), shared_tables.folder / "slices"
    shared_tables.load([HEADER, *rows], table)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(exports, "SLICE_BYTES", size)
        slices = export_rows(shared_tables.lake, table, Query(), folder, gzip=is_packed)

    parts = [rows_of(content_of([piece])) for piece in slices]
    assert [row for part in parts for row in part] == rows
    assert [len(part) for part in parts] == [piece.rows for piece in slices]
    assert len(slices) == 1 or all(parts)


def test_parquet_keeps_types_and_shows_nothing_of_ours(tables: Tables, tmp_path: Path) -> None:
    tables.load([HEADER, ("1", "a"), ("2", "")], types=(Column("id", "BIGINT"), Column("name")))
    (written,) = export_rows(tables.lake, USERS, Query(), tmp_path, parquet=True)

    with duckdb.connect() as duck:
        assert duck.execute("SELECT * FROM read_parquet(?)", [str(written.path)]).fetchall() == [(1, "a"), (2, None)]
    assert written.rows == 2


@given(
    values=st.lists(st.tuples(st.text(max_size=20), st.text(max_size=20)), max_size=30),
    size=st.integers(1, 300),
    is_packed=st.booleans(),
)
@few_examples
def test_lines_of_json_hold_the_rows_however_they_are_cut(
    shared_tables: Tables, tmp_path: Path, values: list[tuple[str, str]], size: int, is_packed: bool
) -> None:
    rows = [(f"{number}", "".join(pair)) for number, pair in enumerate(values)]
    table = LakeTable(1, "as-json")
    shared_tables.load([HEADER, *rows], table)
    folder = Path(tempfile.mkdtemp(dir=tmp_path))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(exports, "SLICE_BYTES", size)
        slices = export_rows(shared_tables.lake, table, Query(), folder, gzip=is_packed, json=True)

    parts = [[json.loads(line) for line in content_of([piece]).split(b"\n")[:-1]] for piece in slices]
    assert [(row["id"], row["name"]) for part in parts for row in part] == rows
    assert [len(part) for part in parts] == [piece.rows for piece in slices]


def test_json_of_a_typed_table_has_texts_and_the_order_that_was_asked_for(tables: Tables, tmp_path: Path) -> None:
    tables.load([HEADER, ("1", "a"), ("", "")], types=(Column("id", "BIGINT"), Column("name")))
    (written,) = export_rows(tables.lake, USERS, Query(columns=("name", "id")), tmp_path, json=True)

    assert written.path.read_bytes() == b'{"name":"a","id":"1"}\n{"name":"","id":""}\n'
    assert (written.name, written.rows) == ("0000.json", 2)
