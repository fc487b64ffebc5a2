from __future__ import annotations

from datetime import date, timedelta

from hypothesis import given
from hypothesis import strategies as st

from penstock.foundation.strtotime.days import (
    add_working_days,
    calendar_day,
    day_number,
    day_of_week_in_year,
    is_leap,
    month_length,
    week_day,
    week_of,
)

EPOCH = date(1970, 1, 1)
FAR = st.integers(-(10**12), 10**12)


@given(st.dates())
def test_the_calendar_is_that_of_python(day: date):
    number = (day - EPOCH).days

    assert day_number(day.year, day.month, day.day) == number
    assert calendar_day(number) == (day.year, day.month, day.day)
    assert week_day(number) == day.isoweekday() % 7
    assert week_of(number) == day.isocalendar()[:2]


@given(FAR)
def test_every_day_has_a_number_and_back(number: int):
    year, month, day = calendar_day(number)

    assert day_number(year, month, day) == number
    assert 1 <= month <= 12
    assert 1 <= day <= month_length(year, month)


@given(FAR, FAR, FAR)
def test_months_and_days_run_over(year: int, month: int, day: int):
    assert day_number(year, month, day) == day_number(year, month, 1) + day - 1
    assert day_number(year, month + 12, day) == day_number(year + 1, month, day)


@given(st.integers(-4000, 4000))
def test_a_leap_year_has_a_day_more(year: int):
    assert day_number(year + 1, 1, 1) - day_number(year, 1, 1) == 365 + is_leap(year)


@given(st.integers(1900, 2100), st.integers(1, 52), st.integers(1, 7))
def test_days_of_weeks_are_those_of_iso(year: int, week: int, day: int):
    expected = date.fromisocalendar(year, week, day)

    assert date(year, 1, 1) + timedelta(days=day_of_week_in_year(year, week, day)) == expected


@given(st.integers(-10_000, 10_000), st.integers(-60, 60).filter(bool))
def test_working_days_are_counted_one_by_one(number: int, count: int):
    step = 1 if count > 0 else -1
    expected, left = number, abs(count)
    while left:
        expected += step
        left -= week_day(expected) not in (0, 6)

    assert add_working_days(number, count) == expected


def test_no_working_days_leave_the_weekend_forwards():
    saturday = day_number(2024, 5, 18)

    assert [add_working_days(saturday + after, 0) - saturday for after in range(3)] == [2, 2, 2]
