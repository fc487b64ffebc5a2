"""CSV in every dialect: the lake reads what Python's csv module writes, and errors are named."""

from __future__ import annotations

import csv
import gzip
import io
import random
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from penstock.foundation.lake import BadCsv, CsvSource, LakeTable, Query, RowTooLarge, export_rows
from penstock.foundation.limits import COLUMNS
from tests.unit.foundation.lake.tables import USERS, Rows, Tables, few_examples

HEADER = ("id", "name")


def source_of(tables: Tables, *contents: bytes, is_gzipped: Sequence[bool] = (), **options: Any) -> CsvSource:
    paths: list[Path] = []
    for number, content in enumerate(contents):
        paths.append(tables.folder / f"part-{number}")
        paths[-1].write_bytes(content)
    given: dict[str, Any] = {"columns": HEADER, **options}
    return CsvSource(paths=tuple(paths), is_gzipped=tuple(is_gzipped), **given)


def read(tables: Tables, *contents: bytes, **options: Any) -> Rows:
    source = source_of(tables, *contents, **options)
    table = LakeTable(5, f"of {len(source.columns)}")
    tables.load_source(source, table)
    return tables.read(source.columns, table)


cells = st.text(st.characters(exclude_categories=["Cs"]), max_size=8) | st.text("ab,;\t\"'\\\r\n |", max_size=8)
delimiters = st.sampled_from([",", ";", "\t", "|", " ", "\x01", "ž", "x", "^"])


@st.composite
def written_tables(draw: st.DrawFn) -> tuple[list[tuple[str, ...]], dict[str, Any], dict[str, Any]]:
    """Rows, how the lake is told that they are written, and how Python writes them."""
    width = draw(st.integers(2, 4))
    rows = draw(st.lists(st.tuples(*[cells] * width), min_size=1, max_size=6))
    delimiter = draw(delimiters)
    if draw(st.booleans()):
        ours: dict[str, Any] = {"enclosure": "", "escaped_by": "\\"}
        theirs: dict[str, Any] = {"quoting": csv.QUOTE_NONE, "escapechar": "\\", "quotechar": None}
    else:
        enclosure = draw(st.sampled_from(['"', "'", "~"]))
        quoting = draw(st.sampled_from([csv.QUOTE_ALL, csv.QUOTE_MINIMAL]))
        ours, theirs = {"enclosure": enclosure}, {"quotechar": enclosure, "quoting": quoting}
    theirs["lineterminator"] = draw(st.sampled_from(["\n", "\r\n"]))
    names = tuple(f"c{number}" for number in range(width))
    return rows, {**ours, "delimiter": delimiter, "columns": names}, {**theirs, "delimiter": delimiter}


@few_examples
@given(written_tables(), st.booleans(), st.booleans())
def test_what_python_writes_is_read(
    shared_tables: Tables, written: tuple[Any, dict[str, Any], dict[str, Any]], has_mark: bool, is_packed: bool
) -> None:
    rows, ours, theirs = written
    text = io.StringIO(newline="")
    csv.writer(text, **theirs).writerows(rows)
    content = (b"\xef\xbb\xbf" if has_mark else b"") + text.getvalue().encode()
    # What a writer leaves bare, such as a carriage return, its reader does not read back: the reader is the reference.
    expected = [tuple(row) for row in csv.reader(io.StringIO(text.getvalue(), newline=""), **theirs) if row]
    assume(all(len(row) == len(rows[0]) for row in expected) and not text.getvalue().startswith("\ufeff"))

    found = read(shared_tables, gzip.compress(content) if is_packed else content, is_gzipped=[is_packed], **ours)

    assert found == expected


def test_slices_packed_and_not_are_read_in_their_order(tables: Tables) -> None:
    contents = [f"{number},x\n".encode() * 3 for number in range(6)]
    packed = [False, True, True, False, False, True]
    pairs = zip(contents, packed, strict=True)
    parts = [gzip.compress(content) if is_packed else content for content, is_packed in pairs]

    assert [row[0] for row in read(tables, *parts, is_gzipped=packed)] == [n for n in "012345" for _ in range(3)]


def test_a_packed_file_of_several_members_is_read_whole(tables: Tables) -> None:
    assert read(tables, gzip.compress(b"1,a\n") + gzip.compress(b"2,b\n"), is_gzipped=[True]) == [
        ("1", "a"),
        ("2", "b"),
    ]


@pytest.mark.parametrize("content", [b"", b"\xef\xbb\xbf", b"\n"])
def test_an_empty_slice_has_no_rows(tables: Tables, content: bytes) -> None:
    assert read(tables, content, b"1,a\n", content) == [("1", "a")]


def test_lines_before_the_rows_can_be_skipped(tables: Tables) -> None:
    assert read(tables, b"a title\nid,name\n1,a\n", skip_lines=2) == [("1", "a")]
    assert read(tables, b"id,name\n1,a\n", has_header=True) == [("1", "a")]
    assert read(tables, b'"a\nb",name\n1,a\n', has_header=True) == [("1", "a")]


def test_lines_may_end_in_several_ways_in_one_file(tables: Tables) -> None:
    assert read(tables, b"1,a\r\n2,b\n3,c\r\n") == [("1", "a"), ("2", "b"), ("3", "c")]


def test_without_an_enclosure_quotes_are_letters(tables: Tables) -> None:
    assert read(tables, b'"1",a"b\n', enclosure="") == [('"1"', 'a"b')]


WRONG = [
    ([b"1,a\n2\n"], {}, "Row 2 has 1 field; the file has 2 columns."),
    ([b"1,a\n2,b,c\n"], {}, "Row 2 has 3 fields; the file has 2 columns."),
    ([b"id,name\n1\n"], {"has_header": True}, "Row 2 has 1 field"),
    ([b"title\nid,name\n1\n"], {"skip_lines": 2}, "Row 3 has 1 field"),
    ([b"1,a\n", b"1,a\n2\n"], {}, "Row 2 of slice 2 has 1 field"),
    ([b'1,"a\n'], {}, "Line 1 cannot be read: unexpected end of data"),
    ([b'1,"a"b\n'], {}, "Line 1 cannot be read: ',' expected after '\"'"),
    ([b"1,a\n2,\xe9\n"], {}, 'Row 2, column "name": "\ufffd" is not UTF-8.'),
    (["1,a\n".encode("utf-16")], {}, "is not UTF-8"),
    ([b"1;a\n"], {"escaped_by": "\\", "enclosure": ""}, "Row 1 has 1 field"),
    ([gzip.compress(b"1,a\n2,b\n")[:-9]], {"is_gzipped": [True]}, "is not a complete gzip file"),
    ([gzip.compress(b"1,a\n")[:-8] + b"12345678"], {"is_gzipped": [True]}, "is not a complete gzip file"),
    ([b"1,a\n"], {"is_gzipped": [True]}, "is not a complete gzip file"),
]


@pytest.mark.parametrize(("contents", "options", "reason"), WRONG)
def test_what_is_wrong_is_named(tables: Tables, contents: list[bytes], options: dict[str, Any], reason: str) -> None:
    tables.load([HEADER, ("1", "Ada")])

    with pytest.raises(BadCsv) as caught:
        tables.load_source(source_of(tables, *contents, **options))
    assert caught.value.message.startswith("Load error: ")
    assert reason in caught.value.message
    assert str(tables.folder) not in caught.value.message
    assert tables.read(HEADER) == [("1", "Ada")]
    assert len(tables.files()) == 1


@pytest.mark.parametrize("seed", range(5))
def test_junk_is_refused_or_read_and_never_breaks_anything(tables: Tables, seed: int) -> None:
    junk = random.Random(seed).randbytes(5000)

    with pytest.raises(BadCsv):
        read(tables, junk)


@pytest.mark.parametrize("megabytes", [70, 140])
def test_a_row_that_is_too_long_is_refused(tables: Tables, megabytes: int) -> None:
    with pytest.raises(RowTooLarge, match="longer than 67,108,864 bytes") as caught:
        read(tables, b"1," + b"x" * megabytes * 1_000_000 + b"\n2,b\n")
    assert caught.value.code == "rowTooLarge"


def test_a_file_may_have_as_many_columns_as_a_table(tables: Tables) -> None:
    names = tuple(f"column_{number}" for number in range(COLUMNS))
    rows = [tuple(str(row * number) for number in range(COLUMNS)) for row in range(3)]
    content = "".join(",".join(row) + "\n" for row in rows).encode()
    source = source_of(tables, content, columns=names)
    tables.load_source(source, primary_key=("column_1",))
    tables.load_source(source, primary_key=("column_1",), incremental=True)
    slices = export_rows(tables.lake, USERS, Query(), tables.folder / "out")

    assert tables.read(names) == rows
    assert slices[0].path.read_bytes().replace(b'"', b"") == content
