"""Values, names and lines of a file are stored unchanged, whatever they are."""

from __future__ import annotations

import csv

import pytest
from hypothesis import given
from hypothesis import strategies as st

from penstock.foundation.lake import (
    BadCsv,
    LakeTable,
)
from tests.unit.foundation.lake.tables import HEADER, Tables, few_examples

ODD = [
    'with "quotes"', "it's", "a b", "select", "ž", "emoji 😀", "line\nbreak", "semi;colon", "--", "a.b", "%s", "{x}",
    "position", "POSITION", "position_0", "old", "new", "rowid", "filename", "file_row_number", "snapshot_id", "x" * 64,
]  # fmt: skip


@pytest.mark.parametrize("name", ODD)
def test_a_column_may_have_any_name(shared_tables: Tables, name: str) -> None:
    table = LakeTable(2, name)
    shared_tables.load([(name, "v"), ("1", "a"), ("2", "b"), ("1", "c")], table, primary_key=(name,))
    shared_tables.load([(name, "v"), ("2", "d")], table, primary_key=(name,), incremental=True)

    assert sorted(shared_tables.read((name, "v"), table)) == [("1", "c"), ("2", "d")]


@pytest.mark.parametrize("name", ["../../escape", "/absolute", "\x01", "", "..", "it's", 'a "b"', "x" * 500])
def test_a_table_may_have_any_name(shared_tables: Tables, name: str) -> None:
    table = LakeTable(3, name)
    shared_tables.load([HEADER, ("1", name)], table)

    assert shared_tables.read(HEADER, table) == [("1", name)]
    assert {path.name for path in shared_tables.folder.iterdir()} <= {"lake", "file.csv", "any.csv"}
    assert {path.name for path in (shared_tables.folder / "lake").iterdir()} <= {"1", "2", "3", "tmp"}
    assert {path.name for path in (shared_tables.folder / "lake" / "3" / "data" / "main").iterdir()} >= {table.relation}


VALUES = [
    "", " ", "  leading", "trailing  ", '"', '""', '"quoted"', ",", "a,b", "\n", "\r", "\r\n", "a\nb", "\t", "NULL",
    "null", "\\N", "\\", "'", "0", "00", "1.10", "1e5", "-0", "123456789012345678901234567890", "nan", "true",
    "2026-01-01", "ž", "😀", "\u200b", "\ufeff", "\u2028", "e\u0301", "#comment", "--", "{}", "x" * 100_000,
]  # fmt: skip


def test_values_stay_as_they_are(tables: Tables) -> None:
    rows = [(str(number), value) for number, value in enumerate(VALUES)]
    tables.load([HEADER, *rows])

    assert tables.read(HEADER) == rows


def test_a_single_column_may_be_empty(tables: Tables) -> None:
    tables.load([("id",), ("",), ("a",), ("",)])

    assert tables.read(("id",)) == [("",), ("a",), ("",)]


@pytest.mark.parametrize("end", ["\n", "\r\n", ""])
def test_lines_may_end_in_any_way(tables: Tables, end: str) -> None:
    file = tables.folder / "lines.csv"
    line = end or "\n"
    file.write_bytes(f'id,name{line}1,"a{line}b"{line}2,{"" if end else "x"}{end}'.encode())
    tables.load_file(file, HEADER)

    assert tables.read(HEADER) == [("1", f"a{line}b"), ("2", "" if end else "x")]


def test_a_byte_order_mark_is_not_part_of_the_data(tables: Tables) -> None:
    file = tables.folder / "bom.csv"
    file.write_bytes(b"\xef\xbb\xbfid,name\n1,Ada\n")
    tables.load_file(file, HEADER)

    assert tables.read(HEADER) == [("1", "Ada")]


def test_a_wrong_line_far_down_is_found(parallel_tables: Tables) -> None:
    file = parallel_tables.folder / "long.csv"
    file.write_text("id,name\n" + "1,x\n" * 200_000 + "only one\n")

    with pytest.raises(BadCsv, match="Row 200002 has 1 field"):
        parallel_tables.load_file(file, HEADER)


def test_a_cell_may_have_60_megabytes(tables: Tables) -> None:
    value, file = "x" * 60_000_000, tables.folder / "file.csv"
    file.write_text(f'"id","name"\n"1","{value}"\n"2","small"\n')
    tables.load_file(file, HEADER)

    assert tables.read(HEADER) == [("1", value), ("2", "small")]


cells = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\x00"), max_size=12)


@st.composite
def csv_tables(draw: st.DrawFn, cells: st.SearchStrategy[str]) -> list[tuple[str, ...]]:
    width = draw(st.integers(1, 4))
    row = st.tuples(*[cells] * width)
    return [tuple(f"c{number}" for number in range(width)), *draw(st.lists(row, max_size=8))]


@few_examples
@given(csv_tables(cells))
def test_any_table_comes_back_exactly(shared_tables: Tables, rows: list[tuple[str, ...]]) -> None:
    table = LakeTable(1, f"width {len(rows[0])}")
    shared_tables.load(rows, table)

    assert shared_tables.read(rows[0], table) == rows[1:]


@few_examples
@given(csv_tables(cells.map(lambda text: text.replace("\r", ""))))
def test_fields_are_quoted_only_where_they_must_be(shared_tables: Tables, rows: list[tuple[str, ...]]) -> None:
    """A bare carriage return ends a line, so a file that holds some quotes them."""
    file = shared_tables.folder / "any.csv"
    with file.open("w", newline="", encoding="utf-8") as text:
        csv.writer(text, lineterminator="\n").writerows(rows)
    table = LakeTable(1, f"width {len(rows[0])}")
    shared_tables.load_file(file, rows[0], table)

    assert shared_tables.read(rows[0], table) == rows[1:]
