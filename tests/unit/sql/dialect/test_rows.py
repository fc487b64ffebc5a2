"""SQL of Snowflake returns the same rows here, or an error that says what to write instead."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from penstock.sql.dialect import SqlError
from tests.unit.sql.dialect.session import Session

Query = Callable[[str], list[Any]]
MOMENT = "'2020-01-02 03:04:05.123456'::TIMESTAMP"


@pytest.fixture(scope="module")
def query() -> Query:
    """The first column, each value as a text."""
    session = Session()
    return lambda sql: [row[0] for row in session.run(sql).rows]


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        (r"REGEXP_REPLACE('a12b', '\\d+', '')", "ab"),
        (r"REGEXP_SUBSTR('a12b', '\\d+')", "12"),
        (r"REGEXP_REPLACE('John Smith', '(\\w+) (\\w+)', '\\2 \\1')", "Smith John"),
        (r"REGEXP_REPLACE('John Smith', $$(\w+) (\w+)$$, $$\2 \1$$)", "Smith John"),
        (r"'a\nb'", "a\nb"),
        (r"'a\\nb'", r"a\nb"),
        (r"$$a\nb$$", r"a\nb"),
        (r"'it\'s ''one'''", "it's 'one'"),
        (r"'\x41\u00e9\101\q\t'", "AéAq\t"),
        (r"""'"\\"' /* it's */ || $$'$$ -- it's""", '"\\"\''),
        ("'http://host' // it's a comment", "http://host"),
    ],
)
def test_backslashes_escape_in_single_quotes_only(query: Query, expression: str, expected: str) -> None:
    assert query(f"SELECT {expression}") == [expected]


def test_a_pattern_finds_its_rows(query: Query) -> None:
    values = "(VALUES ('a1'), ('aa'), ('a_b'), ('axb')) AS t(x)"

    assert query(rf"SELECT x FROM {values} WHERE REGEXP_LIKE(x, '\\w\\d')") == ["a1"]
    assert query(rf"SELECT x FROM {values} WHERE x LIKE 'a\\_b' ESCAPE '\\'") == ["a_b"]


@given(st.text(alphabet=st.sampled_from("ab'\"\\$-/*\n;é")))
def test_a_text_that_is_escaped_is_the_same_text_again(query: Query, text: str) -> None:
    escaped = text.replace("\\", "\\\\").replace("'", "\\'")

    assert query(f"SELECT '{escaped}' AS x") == [text]


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        (f"TO_VARCHAR({MOMENT}, 'YYYY-MM-DD HH24:MI:SS.FF6')", "2020-01-02 03:04:05.123456"),
        (f"TO_VARCHAR({MOMENT}, 'YYYY-MM-DD\"T\"HH24:MI:SS.FF3Z')", "2020-01-02T03:04:05.123Z"),
        (f"TO_VARCHAR({MOMENT}, 'YYYY-MM-DDTHH24:MI:SS.FF')", "2020-01-02T03:04:05.123456000"),
        (f"TO_CHAR({MOMENT}, $$SS,FF1$$)", "05,1"),
        (f"TO_CHAR({MOMENT}, 'SS\"%H\"FF0')", "05%H"),
        ("TRY_TO_TIMESTAMP('2020-01-02 03:04:05.123456', 'YYYY-MM-DD HH24:MI:SS.FF6')", MOMENT[1:27]),
        ("TRY_TO_TIMESTAMP('2020-01-02 03:04:05.123456789', 'YYYY-MM-DD HH24:MI:SS.FF9')", MOMENT[1:27]),
        ("TO_TIMESTAMP('9999-12-31T03:04:05.5Z', 'YYYY-MM-DDTHH24:MI:SS.FFZ')", "9999-12-31 03:04:05.5"),
        ("TO_DATE(TO_VARCHAR('2020-01-02'::DATE, 'DDMMYY'), 'DDMMYY')", "2020-01-02"),
    ],
)
def test_formats_of_dates(query: Query, expression: str, expected: str) -> None:
    assert query(f"SELECT {expression}") == [expected]


@pytest.mark.parametrize("digits", range(10))
def test_a_fraction_has_as_many_digits_as_its_format(query: Query, digits: int) -> None:
    assert query(f"SELECT TO_VARCHAR({MOMENT}, 'SS.FF{digits}')") == ["05." + "123456000"[:digits]]


@pytest.mark.parametrize(
    ("expression", "message"),
    [
        (f"TO_VARCHAR({MOMENT}, 'YYYY-MM-DD TZH:TZM')", '"YYYY-MM-DD TZH:TZM" of TO_VARCHAR has "TZH".*Known are YYYY'),
        (f"TO_CHAR({MOMENT}, 'DAY')", 'has "DAY"'),
        ("TO_DATE('x', 'AUTO')", 'has "AUTO"'),
        (f"TO_CHAR({MOMENT}, 'YYYY' || 'MM')", r"second argument of TO_CHAR is 'YYYY' \|\| 'MM'"),
        ("TO_DATE('x', $format)", "second argument of TO_DATE is"),
        ("TO_TIMESTAMP('1577836800', 3)", "must be one format"),
        ("DATE_PART(fortnight, '2020-01-01'::DATE)", 'DATE_PART has "fortnight".*Known are year'),
        ("DATEDIFF(dow, '2020-01-01', '2020-01-02')", 'DATEDIFF has "dow"'),
        ("SPLIT('a.b', '.')[0:1]", "subscript"),
        (r"'a\'", "does not end"),
    ],
)
def test_what_would_give_other_rows_is_an_error(query: Query, expression: str, message: str) -> None:
    with pytest.raises(SqlError, match=message):
        query(f"SELECT {expression}")


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("SPLIT('a.b', '.')[0]", '"a"'),
        ("x[0]::STRING FROM (SELECT SPLIT('a.b', '.') AS x)", "a"),
        ("SPLIT(UPPER('a.b'), '.') [ 2 - 1 ]::STRING", "B"),
        ("SPLIT(SPLIT('a.b,c', ',')[0], '.')[1]::STRING", "b"),
        ("SPLIT('a.b', '.')[-2]", None),
        ("SPLIT('a.b', '.')[2]", None),
        ("ARRAY_SIZE(SPLIT('a.b', '.'))", "2"),
        ("[1, 2]", "[1,2]"),
        ("SPLIT_PART('a.b', '.', 0)", "a"),
        ("SUBSTR('abc', 0, 2)", "ab"),
        ("SUBSTRING('abc', -2)", "bc"),
    ],
)
def test_positions(query: Query, expression: str, expected: str | None) -> None:
    assert query(f"SELECT {expression}") == [expected]


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("DATEDIFF(week, '2024-01-07', '2024-01-08')", "1"),
        ("DATEDIFF(wk, '2024-01-08', '2024-01-07')", "-1"),
        ("DATEDIFF(week, '2024-01-08', '2024-01-14')", "0"),
        ("DATE_PART(epoch_second, '2020-01-01'::DATE)", "1577836800"),
        ("DATE_PART('epoch_millisecond', '2020-01-01 00:00:00.123'::TIMESTAMP)", "1577836800123"),
        ("EXTRACT(epoch FROM '2020-01-01'::TIMESTAMP)", "1577836800"),
        ("DATE_PART(dayofweekiso, '2024-01-07'::DATE)", "7"),
        ("ADD_MONTHS('2024-02-29'::DATE, 1)", "2024-03-31"),
        ("ADD_MONTHS('2024-02-28 10:00:00'::TIMESTAMP, 1)", "2024-03-28 10:00:00"),
        ("MONTHNAME('2024-01-15'::DATE)", "Jan"),
        ("DAYNAME('2024-01-15'::DATE)", "Mon"),
    ],
)
def test_parts_of_dates(query: Query, expression: str, expected: str) -> None:
    assert query(f"SELECT {expression}") == [expected]


@pytest.mark.parametrize(
    ("aggregate", "expected"),
    [
        ("PERCENTILE_CONT(0.5) WITHIN GROUP (ORDER BY n)", "1.5"),
        ("LISTAGG(x) WITHIN GROUP (ORDER BY n DESC)", "ba"),
        ("LISTAGG(x, ', ') WITHIN GROUP (ORDER BY n)", "a, b"),
        ("ARRAY_AGG(x) WITHIN GROUP (ORDER BY n DESC)", '["b","a"]'),
    ],
)
def test_aggregates_within_an_order(query: Query, aggregate: str, expected: str) -> None:
    assert query(f"SELECT {aggregate} FROM (VALUES ('a', 1), ('b', 2)) AS t(x, n)") == [expected]
