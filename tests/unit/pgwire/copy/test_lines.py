"""Rows as lines of text and of CSV, and back."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from penstock.pgwire.copy.lines import LineReader, write_line
from penstock.pgwire.copy.statement import Copy, parse_copy
from penstock.pgwire.errors import ClientError
from penstock.pgwire.statements import split_query
from tests.support.examples import examples

TEXTS = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=8)
ROWS = st.lists(
    st.lists(TEXTS | st.none() | st.sampled_from(["\\N", "\\.", "", '"', "a\tb", "\\"]), min_size=2, max_size=2)
)
FORMATS = [
    Copy("", "", True),
    Copy("", "", True, delimiter="|", null="nil"),
    Copy("", "", True, form="csv", delimiter=",", null=""),
    Copy("", "", True, form="csv", delimiter=";", null="NULL"),
]


@pytest.mark.parametrize("copy", FORMATS, ids=["text", "text with |", "csv", "csv with ;"])
@examples(200)
@given(rows=ROWS, size=st.integers(1, 20))
def test_rows_are_read_as_they_were_written(copy: Copy, rows: list[list[str | None]], size: int):
    values = [[None if each is None else each.encode() for each in row] for row in rows]
    if copy.form == "text":  # a text that is like the mark of NULL cannot be told from it, as in PostgreSQL
        values = [[None if each == b"nil" else each for each in row] for row in values]
    content = b"".join(write_line(copy, row) for row in values)
    reader = LineReader(copy)

    pieces = [content[start : start + size] for start in range(0, len(content), size)]
    found = [row for piece in pieces for row in reader.read(piece)] + list(reader.read(b"", is_last=True))

    assert found == values


@pytest.mark.parametrize("copy", FORMATS, ids=["text", "text with |", "csv", "csv with ;"])
def test_a_row_that_does_not_end_is_refused(copy: Copy):
    reader = LineReader(copy)
    piece = b"\n" * 3_000_000 if copy.form == "csv" else b"x" * 3_000_000

    assert list(reader.read(b'"' + piece)) == []
    with pytest.raises(ClientError, match="4,000,000 bytes"):
        list(reader.read(piece))


def parse(sql: str) -> Copy | None:
    (statement,) = split_query(sql)
    return parse_copy(statement, statement.text)


@pytest.mark.parametrize(
    ("sql", "expected"),
    [
        ("COPY t TO STDOUT", Copy("SELECT * FROM t", "t", False)),
        ('COPY "s"."t" (a, "b") FROM STDIN', Copy('SELECT a, "b" FROM "s"."t" ', '"s"."t" (a, "b")', True)),
        (
            'COPY (SELECT 1 AS "to stdout") TO STDOUT (FORMAT "binary")',
            Copy('SELECT 1 AS "to stdout"', '(SELECT 1 AS "to stdout")', False, "binary"),
        ),
        ("copy t from stdin with csv header", Copy("SELECT * FROM t", "t", True, "csv", ",", "", True)),
        (
            "COPY t FROM STDIN WITH (FORMAT csv, HEADER true, DELIMITER ';', NULL 'x')",
            Copy("SELECT * FROM t", "t", True, "csv", ";", "x", True),
        ),
        ("COPY t TO 'file.csv'", None),
    ],
)
def test_a_copy_says_what_is_copied_and_how(sql: str, expected: Copy | None):
    assert parse(sql) == expected


@pytest.mark.parametrize(
    ("sql", "words"),
    [
        ("COPY t TO STDOUT (FORMAT parquet)", "parquet is not a valid format"),
        ("COPY t FROM STDIN (FORCE_NULL (a))", "and not FORCE_NULL"),
        ("COPY t TO STDOUT (DELIMITER '||')", "one character"),
        ("COPY t TO STDOUT (DELIMITER 'a')", "not a valid delimiter"),
        ("COPY t TO STDOUT (FORMAT csv, DELIMITER '\"')", "not a valid delimiter"),
        ("COPY (SELECT id, ctid FROM t) TO STDOUT", "no ctid"),
    ],
)
def test_what_copy_cannot_do_is_said(sql: str, words: str):
    with pytest.raises(ClientError, match=words):
        parse(sql)


def read_rows(copy: Copy, content: bytes) -> list[list[bytes | None]]:
    reader = LineReader(copy)
    return [*reader.read(content), *reader.read(b"", is_last=True)]


CSV = Copy("", "", True, form="csv", delimiter=",", null="")


def test_a_value_of_csv_may_be_as_long_as_a_row():
    assert read_rows(CSV, b"1," + b"x" * 3_000_000 + b"\n") == [[b"1", b"x" * 3_000_000]]


@pytest.mark.parametrize("content", [b'1,"abc', b'1,"a"b"c\n2,d\n'])
def test_csv_that_ends_in_quotes_is_refused(content: bytes):
    with pytest.raises(ClientError, match="quotes are not closed"):
        read_rows(CSV, content)


@pytest.mark.parametrize(
    ("content", "row"),
    [
        (b'a""b,""\n', [b"ab", b""]),
        (b'"a""","b"c,\n', [b'a"', b"bc", None]),
        (b'"""",","\n', [b'"', b","]),
        (b"a\rb,c\r\n", [b"a\rb", b"c"]),
    ],
)
def test_quotes_of_csv_may_stand_anywhere_in_a_value(content: bytes, row: list[bytes | None]):
    assert read_rows(CSV, content) == [row]


def test_a_row_of_escaped_delimiters_is_read_in_one_pass():
    content = b"\\\t" * 1_900_000 + b"\n"

    started = time.process_time()
    assert read_rows(Copy("", "", True), content) == [[b"\t" * 1_900_000]]
    assert time.process_time() - started < 15  # it took minutes


def test_a_backslash_at_the_end_of_a_line_is_itself():
    assert read_rows(Copy("", "", True), b"a\tb\\\n") == [[b"a", b"b\\"]]
