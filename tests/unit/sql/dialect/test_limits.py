"""Hostile and large SQL is translated in bounded time, or is an error; nothing overflows a stack."""

from __future__ import annotations

import time
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from penstock.sql.dialect import SqlError, SqlTooLarge, translate
from penstock.sql.dialect.lexing import MAX_CHAIN, MAX_CHARACTERS, MAX_DEPTH
from tests.support.examples import examples

pytestmark = pytest.mark.fuzz

SECONDS = 20
WORDS = [
    *("select", "from", "where", "(", ")", ",", "'a'", '"b"', "t", "x", "1", "*", "case", "when", "then", "end", "as"),
    *(
        "+",
        "-",
        "::",
        "int",
        ":",
        "[",
        "]",
        "{",
        "}",
        "$1",
        "$x",
        ";",
        "flatten",
        "table",
        "lateral",
        "not",
        "null",
        "is",
    ),
    *(
        "over",
        "within group",
        "order by",
        "nvl",
        "dateadd",
        "day",
        "create table",
        "insert into",
        "values",
        "union",
        ".",
    ),
    *(
        "show tables",
        "use schema",
        "alter session set",
        "=>",
        "->",
        "$$",
        "/*",
        "--",
        "'",
        "@",
        "?",
        "%",
        "\\",
        "é",
        "\n",
    ),
]


def run(sql: str) -> list[str]:
    return [each.sql for each in translate(sql, database="KBC_1", schema="W")]


@pytest.mark.parametrize(
    "deep",
    [
        "(" * 5000 + "1" + ")" * 5000,
        "select " + "(" * 100_000,
        "select " + "nvl(" * 1000 + "1" + ", 2)" * 1000,
        "select " + "case when 1 = 1 then " * 1000 + "1" + " end" * 1000,
        "select " + "- " * 50_000 + "1",
        "select " + "not " * 50_000 + "true",
        "select " + "[" * 5000 + "]" * 5000,
        "select " + "1 + " * 100_000 + "1",
        "select 'a'" + " || 'a'" * 100_000,
        "select a" + ":b" * 50_000 + " from t",
        "select a" + "[0]" * 50_000 + " from t",
        "select 1" + "::int" * 50_000,
        "select 1 from a" + " join b" * 20_000 + " on true" * 20_000,
        "select * from " + "(select * from " * 1000 + "t" + ")" * 1000,
        "select " + "interval " * 10_000 + "'1 day'",
    ],
)
def test_deep_nesting_is_an_error(deep: str) -> None:
    with pytest.raises(SqlError):
        run(deep)


@pytest.mark.parametrize(
    "sql",
    [
        "select " + "(" * (MAX_DEPTH - 1) + "1" + ")" * (MAX_DEPTH - 1),
        "select " + "1 + " * (MAX_CHAIN - 10) + "1",
        "select 1 where " + "a = 1 or " * 600 + "b = 2",
        "select 1" + " union all select 1" * 1500,
        "select " + ", ".join(f"nvl(c{number}, {number})" for number in range(5000)) + " from t",
        "select * from t where id in (" + ", ".join(map(str, range(100_000))) + ")",
        "insert into t values " + ", ".join(f"({number}, 'x')" for number in range(30_000)),
    ],
)
def test_large_statements_are_translated(sql: str) -> None:
    started = time.monotonic()

    assert len(run(sql)) == 1
    assert time.monotonic() - started < SECONDS


def test_a_statement_of_over_a_million_characters_is_an_error() -> None:
    with pytest.raises(SqlTooLarge, match=f"The limit is {MAX_CHARACTERS}"):
        run("select '" + "a" * MAX_CHARACTERS + "'")


def test_functions_that_grow_when_they_are_nested_are_bounded() -> None:
    with pytest.raises(SqlTooLarge):
        run("select " + "to_date(" * 60 + "x" + ")" * 60)


def test_statements_that_fit_are_translated_after_ones_that_do_not() -> None:
    with pytest.raises(SqlError):
        run("select " + "(" * 5000)

    assert run("select 1 as a; ; select 2 as b;") == ['SELECT 1 AS "A"', 'SELECT 2 AS "B"']


@pytest.mark.parametrize(
    "sql", ["select 1\0", "select '\ud800'", "select '", 'select "', "/* never ends", "$$", "", ";;"]
)
def test_text_that_is_no_statement_is_an_error_or_nothing(sql: str) -> None:
    try:
        found = run(sql)
    except SqlError as error:
        found = str(error)

    assert found == [] or str(found).startswith("SQL compilation error:\n")


@given(st.lists(st.sampled_from(WORDS), max_size=25))
@examples(2000, deadline=None)
def test_any_order_of_words_is_translated_or_an_error(words: list[str]) -> None:
    for sql in ("select " + " ".join(words), " ".join(words)):
        with suppress(SqlError):
            run(sql)
