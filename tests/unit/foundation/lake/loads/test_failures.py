"""Malformed files and failing loads: reported, and nothing is left of them."""

from __future__ import annotations

import errno
import sqlite3
from typing import Any

import duckdb
import pytest

from penstock.foundation.lake import (
    BadCsv,
    Column,
    LakeUnavailable,
    NoSuchTable,
    Query,
    compaction,
    create_table,
    read_rows,
)
from penstock.foundation.lake.relations import find_columns
from tests.unit.foundation.lake.tables import HEADER, USERS, Tables


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


def refuse(tables: Tables, header: tuple[str, ...], **options: Any) -> None:
    """A load whose second row is malformed."""
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


def test_a_load_stays_done_when_merging_its_files_fails(tables: Tables, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(_: object) -> None:
        raise duckdb.IOException("the disk does not answer")

    monkeypatch.setattr(compaction, "MAX_SMALL_FILES", 2)
    monkeypatch.setattr(compaction, "merge_small_files", fail)
    for number in range(4):
        assert tables.load([HEADER, (str(number), "x")], incremental=True).rows_count == number + 1


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (duckdb.IOException('Cannot open "/secret/place": SELECT 1'), "the operator finds the reason in the log"),
        (duckdb.IOException('Could not write "/secret/place": No space left on device'), "the disk is full"),
        (sqlite3.OperationalError("database or disk is full"), "the disk is full"),
        (OSError(errno.EDQUOT, "over", "/secret/place"), "the disk is full"),
    ],
)
def test_messages_of_the_engine_are_for_the_log_and_not_for_the_user(
    error: Exception, said: str, caplog: pytest.LogCaptureFixture
) -> None:
    shown = LakeUnavailable(error).message

    assert said in shown
    assert "secret" not in shown
    assert vars(caplog.records[0])["facts"]["reason"] == str(error)
