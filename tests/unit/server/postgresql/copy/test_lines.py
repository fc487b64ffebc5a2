"""Rows as lines of text and of CSV, and back."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from penstock.server.postgresql.copy.lines import LineReader, write_line
from penstock.server.postgresql.copy.statement import Copy, parse_copy
from penstock.server.postgresql.errors import ClientError
from penstock.server.postgresql.statements import split_query
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
        ("COPY (SELECT id, ctid FROM t) TO STDOUT", "no ctid"),
    ],
)
def test_what_copy_cannot_do_is_said(sql: str, words: str):
    with pytest.raises(ClientError, match=words):
        parse(sql)
