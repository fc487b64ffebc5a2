"""Loads: full, incremental and by key; a row is neither lost nor doubled, and stays digit for digit what it was."""

from __future__ import annotations

import csv
import errno
import sqlite3
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import duckdb
import pytest
from hypothesis import given
from hypothesis import strategies as st

from penstock.foundation.lake import (
    BadCsv,
    Column,
    Lake,
    LakeTable,
    LakeUnavailable,
    NoSuchTable,
    Query,
    create_table,
    engine,
    read_rows,
    tidying,
)
from penstock.foundation.lake.relations import find_columns
from tests.unit.foundation.lake.tables import USERS, Rows, Tables, few_examples

HEADER = ("id", "name")


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


def test_many_duplicates_within_one_file_are_decided_by_position(tables: Tables) -> None:
    rows = [(str(number % 1000), str(number)) for number in range(50_000)]
    tables.load([HEADER, *rows], primary_key=("id",))

    assert sorted(tables.read(HEADER)) == sorted((str(number % 1000), str(number)) for number in range(49_000, 50_000))


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


def test_a_byte_order_mark_is_no_part_of_the_data(tables: Tables) -> None:
    file = tables.folder / "bom.csv"
    file.write_bytes(b"\xef\xbb\xbfid,name\n1,Ada\n")
    tables.load_file(file, HEADER)

    assert tables.read(HEADER) == [("1", "Ada")]


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"id,name\n1\n", "Row 2 has 1 field; the file has 2 columns"),
        (b"id,name\n1,2,3\n", "Row 2 has 3 fields; the file has 2 columns"),
        (b'id,name\n1,"open\n', "Line 2 cannot be read: unexpected end of data"),
        (b"id,name\n1,\xff\n", 'Row 2, column "name": ".+" is not UTF-8'),
    ],
)
def test_a_file_that_is_wrong_is_refused_and_nothing_changes(tables: Tables, content: bytes, reason: str) -> None:
    tables.load([HEADER, ("1", "Ada")])
    before = tables.files()
    file = tables.folder / "wrong.csv"
    file.write_bytes(content)

    with pytest.raises(BadCsv, match=reason) as caught:
        tables.load_file(file, HEADER)
    assert "Possible" not in caught.value.message
    assert str(tables.folder) not in caught.value.message
    assert tables.read(HEADER) == [("1", "Ada")]
    tables.load([HEADER, ("2", "Emmy")], incremental=True)
    assert set(before) < set(tables.files())
    assert len(tables.files()) == 2


def test_a_wrong_line_far_down_is_found(tables: Tables) -> None:
    file = tables.folder / "long.csv"
    file.write_text("id,name\n" + "1,x\n" * 200_000 + "only one\n")

    with pytest.raises(BadCsv, match="Row 200002 has 1 field"):
        tables.load_file(file, HEADER)


def test_a_cell_may_have_60_megabytes(tables: Tables) -> None:
    value = "x" * 60_000_000
    tables.load([HEADER, ("1", value), ("2", "small")])

    assert tables.read(HEADER) == [("1", value), ("2", "small")]


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
    begun = sqlite3.connect(folder / "catalog.sqlite")
    begun.execute("PRAGMA journal_mode = WAL")
    begun.close()
    tables.load([HEADER, ("1", "Ada")])

    assert tables.read(HEADER) == [("1", "Ada")]


def test_a_lake_that_was_closed_opens_again(tables: Tables) -> None:
    tables.load([HEADER, ("1", "Ada")])
    tables.lake.close()

    assert tables.read(HEADER) == [("1", "Ada")]


def test_more_buckets_than_are_kept_open_can_be_used(tables: Tables, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine, "CATALOGS_OPEN", 3)
    buckets = [LakeTable(number, "users") for number in range(1, 8)]
    for table in buckets:
        tables.load([HEADER, (str(table.bucket), "x")], table)

    for table in [*buckets, *reversed(buckets)]:
        assert tables.read(HEADER, table) == [(str(table.bucket), "x")]


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


def refuse(tables: Tables, header: tuple[str, ...], **options: Any) -> None:
    """A load whose second row is no row."""
    file = tables.folder / "wrong.csv"
    file.write_text(f"{','.join(header)}\n1\n")
    with pytest.raises(BadCsv):
        tables.load_file(file, header, **options)


@pytest.mark.parametrize("incremental", [False, True])
def test_a_first_load_that_fails_leaves_no_table(tables: Tables, incremental: bool) -> None:
    refuse(tables, ("ID", "b"), incremental=incremental)

    with pytest.raises(NoSuchTable):
        tables.read(("b",))
    tables.load([("id", "b"), ("1", "x")], incremental=incremental)
    assert tables.read(("id", "b")) == [("1", "x")]


def test_a_load_that_failed_decides_no_types(tables: Tables) -> None:
    refuse(tables, HEADER)
    create_table(tables.lake, USERS, [Column("id", "BIGINT"), Column("name")])

    with tables.lake.session(USERS) as session:
        assert [column.type for column in find_columns(session) or []] == ["BIGINT", "VARCHAR"]


@pytest.mark.parametrize("incremental", [False, True])
def test_columns_of_a_load_that_failed_do_not_stay(tables: Tables, incremental: bool) -> None:
    tables.load([HEADER, ("1", "Ada")])
    refuse(tables, (*HEADER, "extra"), incremental=incremental)

    assert read_rows(tables.lake, USERS, Query()) == [("1", "Ada")]


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


def test_letters_that_the_engine_tells_apart_make_two_columns(tables: Tables) -> None:
    tables.load([("\xc4", "b"), ("1", "x")])
    tables.load([("\xe4", "b"), ("2", "y")], incremental=True)

    assert sorted(tables.read(("\xc4", "\xe4", "b"))) == [("", "2", "y"), ("1", "", "x")]


def test_two_columns_of_one_name_are_refused(tables: Tables) -> None:
    with pytest.raises(BadCsv, match='"id" comes twice'):
        tables.load([("ID", "id"), ("1", "2")])


def test_a_load_stays_done_when_merging_its_files_fails(tables: Tables, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(_: object) -> None:
        raise duckdb.IOException("the disk does not answer")

    monkeypatch.setattr(tidying, "MOST_SMALL_FILES", 2)
    monkeypatch.setattr(tidying, "merge_small_files", fail)
    for number in range(4):
        assert tables.load([HEADER, (str(number), "x")], incremental=True).rows_count == number + 1


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (duckdb.IOException('Cannot open "/secret/place": SELECT 1'), "the operator finds why in the log"),
        (duckdb.IOException('Could not write "/secret/place": No space left on device'), "the disk is full"),
        (sqlite3.OperationalError("database or disk is full"), "the disk is full"),
        (OSError(errno.EDQUOT, "over", "/secret/place"), "the disk is full"),
    ],
)
def test_what_the_engine_says_is_for_the_log_and_not_for_the_user(
    error: Exception, said: str, caplog: pytest.LogCaptureFixture
) -> None:
    shown = LakeUnavailable(error).message

    assert said in shown
    assert "secret" not in shown
    assert vars(caplog.records[0])["facts"]["reason"] == str(error)
