"""Expressions of a small grammar, whose value Snowflake's documentation defines and Python computes."""

from __future__ import annotations

from datetime import date, timedelta
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.examples import examples
from tests.unit.sql.dialect.session import Session

Known = tuple[str, Any]
"""An expression and its value."""
LETTERS = "abcXYZ 'é\\%_"


@pytest.fixture(scope="module")
def session() -> Session:
    return Session()


def literal(text: str | None) -> str:
    return "NULL::VARCHAR" if text is None else "'" + text.replace("\\", "\\\\").replace("'", "''") + "'"


TEXTS: st.SearchStrategy[Known] = st.recursive(
    st.one_of(st.none(), st.text(LETTERS, max_size=6)).map(lambda text: (literal(text), text)),
    lambda inner: st.one_of(
        inner.map(lambda a: (f"UPPER({a[0]})", a[1] and a[1].upper())),
        inner.map(lambda a: (f"REVERSE({a[0]})", a[1] and a[1][::-1])),
        inner.map(lambda a: (f"({a[0]})::VARCHAR", a[1])),
        st.tuples(inner, inner).map(lambda ab: (f"{ab[0][0]} || {ab[1][0]}", joined(ab[0][1], ab[1][1]))),
        st.tuples(inner, inner).map(lambda ab: (f"CONCAT({ab[0][0]}, {ab[1][0]})", joined(ab[0][1], ab[1][1]))),
        st.tuples(inner, inner).map(lambda ab: (f"NVL({ab[0][0]}, {ab[1][0]})", first(ab[0][1], ab[1][1]))),
        st.tuples(inner, st.integers(0, 8)).map(lambda an: (f"LEFT({an[0][0]}, {an[1]})", cut(an[0][1], 0, an[1]))),
        st.tuples(inner, st.integers(0, 5), st.integers(0, 5)).map(
            lambda ain: (f"SUBSTR({ain[0][0]}, {ain[1]}, {ain[2]})", cut(ain[0][1], max(ain[1], 1) - 1, ain[2]))
        ),
        st.tuples(inner, inner).map(
            lambda ab: (f"DECODE({ab[0][0]}, {ab[1][0]}, 'same', 'other')", "same" if ab[0][1] == ab[1][1] else "other")
        ),
    ),
    max_leaves=6,
)
NUMBERS: st.SearchStrategy[Known] = st.recursive(
    st.one_of(st.none(), st.integers(-1000, 1000)).map(lambda n: ("NULL::INT" if n is None else f"({n})", n)),
    lambda inner: st.one_of(
        st.tuples(inner, inner).map(lambda ab: (f"({ab[0][0]} + {ab[1][0]})", added(ab[0][1], ab[1][1]))),
        inner.map(lambda a: (f"ZEROIFNULL({a[0]})", a[1] or 0)),
        inner.map(lambda a: (f"ABS({a[0]})", None if a[1] is None else abs(a[1]))),
        inner.map(lambda a: (f"({a[0]})::STRING::INT", a[1])),
        inner.map(lambda a: (f"PARSE_JSON('{{}}'):none::INT + {a[0]}", None)),
        inner.map(lambda a: (f"OBJECT_CONSTRUCT('k', {a[0]}):k::INT", a[1])),
        inner.map(lambda a: (f"ARRAY_CONSTRUCT(1, {a[0]})[1]::INT", a[1])),
        st.tuples(inner, inner).map(lambda ab: (f"GREATEST({ab[0][0]}, {ab[1][0]})", largest(ab[0][1], ab[1][1]))),
        st.tuples(inner, inner, inner).map(
            lambda abc: (f"IFF({abc[0][0]} > 0, {abc[1][0]}, {abc[2][0]})", abc[1 if (abc[0][1] or 0) > 0 else 2][1])
        ),
    ),
    max_leaves=6,
)


def joined(one: str | None, two: str | None) -> str | None:
    return None if one is None or two is None else one + two


def first(one: str | None, two: str | None) -> str | None:
    return two if one is None else one


def cut(text: str | None, start: int, count: int) -> str | None:
    return None if text is None else text[start : start + count]


def added(one: int | None, two: int | None) -> int | None:
    return None if one is None or two is None else one + two


def largest(one: int | None, two: int | None) -> int | None:
    return None if one is None or two is None else max(one, two)


@given(TEXTS)
@examples(400, deadline=None)
def test_texts_are_what_they_are_in_snowflake(session: Session, known: Known) -> None:
    expression, value = known

    assert session.value(f"{expression} AS x") == value


@given(NUMBERS)
@examples(400, deadline=None)
def test_numbers_are_what_they_are_in_snowflake(session: Session, known: Known) -> None:
    expression, value = known

    assert session.value(f"{expression} AS x") == (None if value is None else str(value))


@given(st.dates(date(1950, 1, 1), date(2150, 1, 1)), st.integers(-5000, 5000))
@examples(200, deadline=None)
def test_days_and_weeks_are_added_and_counted(session: Session, day: date, days: int) -> None:
    later = day + timedelta(days)

    assert session.value(f"DATEADD(day, {days}, '{day}'::DATE) AS x") == str(later)
    assert session.value(f"DATEDIFF(dd, '{day}'::DATE, '{later}'::DATE) AS x") == str(days)
    assert session.value(f"DAYOFWEEKISO(TO_DATE('{day:%d.%m.%Y}', 'DD.MM.YYYY')) AS x") == str(day.isoweekday())


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers(-9, 9) | st.text('ab"\\é ', max_size=3), st.lists, max_leaves=6
    )
)
@examples(200, deadline=None)
def test_json_is_the_same_json_again(session: Session, value: Any) -> None:
    text = msgspec.json.encode(value).decode()
    found = session.value(f"TO_JSON(PARSE_JSON({literal(text)})) AS x")

    assert found is not None
    assert msgspec.json.decode(found) == value
