from __future__ import annotations

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from penstock.foundation.strtotime import strtotime
from penstock.foundation.strtotime.formats import date

BASE = 1_715_778_123
"""Wednesday, 2024-05-15 13:02:03."""

KNOWN = {
    "now": "2024-05-15 13:02:03",
    "-0 second": "2024-05-15 13:02:03",
    " \t": "2024-05-15 13:02:03",
    "today": "2024-05-15 00:00:00",
    "MIDNIGHT": "2024-05-15 00:00:00",
    "noon": "2024-05-15 12:00:00",
    "yesterday noon": "2024-05-14 12:00:00",
    "tomorrow 11:00": "2024-05-16 11:00:00",
    "11:00 tomorrow": "2024-05-16 00:00:00",
    "@1234567890": "2009-02-13 23:31:30",
    "@-5": "1969-12-31 23:59:55",
    "@1.5 +500 msec": "1970-01-01 00:00:02",
    "@86400 +1 day": "1970-01-03 00:00:00",
    "2018-05-30": "2018-05-30 00:00:00",
    " 2018-05-30 10:20 ": "2018-05-30 10:20:00",
    "2018-05-30 +3 days": "2018-06-02 00:00:00",
    "+3 days 2018-05-30": "2018-06-02 00:00:00",
    "2019-05-31 -1 month": "2019-05-01 00:00:00",
    "2016-02-29 +1 year": "2017-03-01 00:00:00",
    "2017-02-30": "2017-03-02 00:00:00",
    "2017-10": "2017-10-01 00:00:00",
    "17-10-05": "2017-10-05 00:00:00",
    "2017-1-2": "2017-01-02 00:00:00",
    "2020-01-01T10:00:00Z": "2020-01-01 10:00:00",
    "2020-01-01t10:00:00z": "2020-01-01 10:00:00",
    "2020-01-01T10:00:00+02:00": "2020-01-01 08:00:00",
    "2020-01-01T10:00:00.123456-0530": "2020-01-01 15:30:00",
    "2020-01-01T10:00:00.123Z": "2020-01-01 10:00:00",
    "2020-01-01 10:00:00.9 +200 ms": "2020-01-01 10:00:01",
    "2020-01-01T10:00": "2020-01-01 10:00:00",
    "20200101": "2020-01-01 00:00:00",
    "20200101T101530": "2020-01-01 10:15:30",
    "20200101T10:15:30": "2020-01-01 10:15:30",
    "20080701223807": "2008-07-01 22:38:07",
    "2008:08:07 18:11:31": "2008-08-07 18:11:31",
    "2020/1/2": "2020-01-02 00:00:00",
    "2020/01/02 3:04am": "2020-01-02 03:04:00",
    "1/2/2020": "2020-01-02 00:00:00",
    "1/2/69": "2069-01-02 00:00:00",
    "1/2/70": "1970-01-02 00:00:00",
    "1/2": "2024-01-02 00:00:00",
    "5-10-2017": "2017-10-05 00:00:00",
    "5.10.2017": "2017-10-05 00:00:00",
    "25.10.17": "2017-10-25 00:00:00",
    "5.10.17": "2024-05-15 05:10:17",
    "2008.197": "2008-07-15 00:00:00",
    "2008197": "2008-07-15 00:00:00",
    "May-09-78": "1978-05-09 00:00:00",
    "1814-MAY-17": "1814-05-17 00:00:00",
    "21 oct 2017 9:16pm": "2017-10-21 21:16:00",
    "21st October 2017": "2017-10-21 00:00:00",
    "21-Oct-2017": "2017-10-21 00:00:00",
    "21oct2017": "2017-10-21 00:00:00",
    "21 X 2017": "2017-10-21 00:00:00",
    "Oct 21, 2017": "2017-10-21 00:00:00",
    "October 21st, 2017 10:00:01": "2017-10-21 10:00:01",
    "October 2017": "2017-10-01 00:00:00",
    "2017 oct": "2017-10-01 00:00:00",
    "oct 21": "2024-10-21 00:00:00",
    "oct 21 10:30": "2024-10-21 10:30:00",
    "oct 21 10:30:05 pm": "2024-10-21 22:30:05",
    "15 sept": "2024-09-15 00:00:00",
    "june": "2024-06-15 00:00:00",
    "Wed, 01 Jan 2020 00:00:00 +0000": "2020-01-01 00:00:00",
    "Wed, 01 Jan 2020 00:00:00 GMT": "2020-01-01 00:00:00",
    "Thu, 01 Jan 2020 00:00:00 +0000": "2020-01-02 00:00:00",
    "10/Oct/2000:13:55:36 -0700": "2000-10-10 20:55:36",
    "2024W101": "2024-03-04 00:00:00",
    "2024-W10-1": "2024-03-04 00:00:00",
    "2024W10": "2024-03-04 00:00:00",
    "2020-W53-7": "2021-01-03 00:00:00",
    "10:30": "2024-05-15 10:30:00",
    "T10:30:15": "2024-05-15 10:30:15",
    "10pm": "2024-05-15 22:00:00",
    "10 p.m.": "2024-05-15 22:00:00",
    "12am": "2024-05-15 00:00:00",
    "12pm": "2024-05-15 12:00:00",
    "24:00": "2024-05-16 00:00:00",
    "1030": "2024-05-15 10:30:00",
    "103015": "2024-05-15 10:30:15",
    "10:00 2017": "2017-05-15 10:00:00",
    "1960": "1960-05-15 13:02:03",
    "back of 7pm": "2024-05-15 19:15:00",
    "front of 5am": "2024-05-15 04:45:00",
    "monday": "2024-05-20 00:00:00",
    "wednesday": "2024-05-15 00:00:00",
    "this wednesday": "2024-05-15 00:00:00",
    "next wednesday": "2024-05-22 00:00:00",
    "last wednesday": "2024-05-08 00:00:00",
    "previous mon": "2024-05-13 00:00:00",
    "next friday": "2024-05-17 00:00:00",
    "saturday 10:00": "2024-05-18 10:00:00",
    "monday this week": "2024-05-13 00:00:00",
    "sunday this week": "2024-05-19 00:00:00",
    "monday next week": "2024-05-20 00:00:00",
    "sunday last week": "2024-05-12 00:00:00",
    "this week": "2024-05-13 13:02:03",
    "2024-05-19 monday this week": "2024-05-13 00:00:00",
    "+2 mondays": "2024-05-27 13:02:03",
    "first day of last month": "2024-04-01 13:02:03",
    "first day of next month midnight": "2024-06-01 00:00:00",
    "last day of": "2024-05-31 13:02:03",
    "last day of february 2024": "2024-02-29 00:00:00",
    "2024-01-31 last day of next month": "2024-02-29 00:00:00",
    "first monday of january 2025": "2025-01-06 00:00:00",
    "first sat of July 2008": "2008-07-05 00:00:00",
    "second tuesday of next month": "2024-06-11 00:00:00",
    "last friday of next month": "2024-06-28 00:00:00",
    "last friday of may 2024 10:00": "2024-05-31 10:00:00",
    "+1 week 2 days": "2024-05-24 13:02:03",
    "+1 week 2 days 4 hours 2 seconds": "2024-05-24 17:02:05",
    "-3 months": "2024-02-15 13:02:03",
    "2 days ago": "2024-05-13 13:02:03",
    "1 month 1 day ago": "2024-04-14 13:02:03",
    "+1 month -1 day": "2024-06-14 13:02:03",
    "next month": "2024-06-15 13:02:03",
    "last year": "2023-05-15 13:02:03",
    "third day": "2024-05-18 13:02:03",
    "+1 fortnight": "2024-05-29 13:02:03",
    "+ 90 mins": "2024-05-15 14:32:03",
    "--1 day": "2024-05-16 13:02:03",
    "-1 msec": "2024-05-15 13:02:02",
    "+2 weekdays": "2024-05-17 13:02:03",
    "+3 weekdays": "2024-05-20 13:02:03",
    "3 weekdays ago": "2024-05-10 13:02:03",
    "2024-05-18 -1 weekday": "2024-05-17 00:00:00",
    "2020-07-01 10:00 CEST": "2020-07-01 08:00:00",
    "2020-01-01 EST": "2020-01-01 05:00:00",
    "2020-01-01 10:00 (PST)": "2020-01-01 18:00:00",
    "2020-01-01 00:00:00 GMT+0200": "2019-12-31 22:00:00",
    "2020-01-01 00:00:00 +2": "2019-12-31 22:00:00",
    "2020-01-01 00:00:00 -9:30": "2020-01-01 09:30:00",
    "2020-01-01 00:00 UTC +05:00": "2020-01-01 00:00:00",
    "-0001-11-30": "-0001-11-30 00:00:00",
}
UNREADABLE = [
    *(
        "",
        "garbage",
        "2",
        "10",
        "1577836800",
        "2020-13-45x",
        "oct oct",
        "fortnight",
        "first week",
        "2020-01-01 2020-01-02",
    ),
    *(
        "10:00 11:00",
        "21 oct 9:16pm",
        "yesterdayish",
        "1 day UTC UTC UTC",
        "ž",
        "2020-01-01T1",
        "@",
        "+",
        "Nowhere/Land",
    ),
    *("@99999999999999999999", "+99999999999999999999 days", "10:00 Nope", "(", "next", "2024w10"),
]


@pytest.mark.parametrize(("text", "moment"), KNOWN.items())
def test_texts_name_the_moments_that_they_name_in_php(text: str, moment: str):
    found = strtotime(text, BASE)

    assert found is not None
    assert date("Y-m-d H:i:s", found) == moment


@pytest.mark.parametrize("text", UNREADABLE)
def test_what_is_not_about_time_is_nothing(text: str):
    assert strtotime(text, BASE) is None


@pytest.mark.parametrize(
    "text",
    [
        "1" + " " * 100_000,
        "+" * 100_000,
        "Aa" + "/a" * 50_000,
        "@" + "9" * 10_000,
        "1" * 10_000,
        "jan" + " " * 9999 + "jan",
    ],
)
def test_a_hostile_text_is_nothing_at_once(text: str):
    assert strtotime(text, BASE) is None


def test_durations_are_moments_after_the_epoch():
    assert strtotime("10 minutes", 0) == 600
    assert strtotime("1 day 1 hour", 0) == 90_000


def test_a_place_has_its_own_clock_winter_and_summer():
    assert strtotime("2020-01-01 10:00 Europe/Prague", BASE) == strtotime("2020-01-01 09:00", BASE)
    assert strtotime("2020-07-01 10:00 America/New_York", BASE) == strtotime("2020-07-01 14:00", BASE)
    assert strtotime("2020-03-29 02:30 Europe/Prague", BASE) == strtotime("2020-03-29 01:30", BASE)


@given(
    st.integers(-62_000_000_000, 250_000_000_000),
    st.sampled_from(["c", "r", "\\@U", "Ymd\\THis", "j F Y H:i:s", "Y-z"]),
)
def test_what_date_shows_is_read_back(unix: int, template: str):
    if template == "Y-z":
        shown = date("Y.", unix) + f"{int(date('z', unix)) + 1:03d}" + date(" H:i:s", unix)
    else:
        shown = date(template, unix)

    assert strtotime(shown, BASE) == unix


@given(st.integers(0, 4_000_000_000), st.integers(-500, 500), st.integers(-500, 500), st.integers(-500, 500))
def test_days_hours_and_seconds_add_up(base: int, days: int, hours: int, seconds: int):
    text = f"{days:+d} days {hours:+d} hours {seconds:+d} seconds"
    expected = datetime.fromtimestamp(base, UTC) + timedelta(days=days, hours=hours, seconds=seconds)

    assert strtotime(text, base) == int(expected.timestamp())


@given(st.integers(0, 4_000_000_000), st.integers(-60, 60), st.integers(-60, 60))
def test_months_and_years_add_up_on_the_first_of_a_month(base: int, months: int, years: int):
    first = strtotime("first day of this month midnight", base)
    assert first is not None

    moved = strtotime(f"{months:+d} months {years:+d} years", first)

    assert moved is not None
    ahead = (int(date("Y", moved)) - int(date("Y", first))) * 12 + int(date("n", moved)) - int(date("n", first))
    assert ahead == months + 12 * years
    assert date("j H:i:s", moved) == "1 00:00:00"


@given(st.integers(0, 4_000_000_000), st.sampled_from(["Sunday", "Monday", "Thursday", "Saturday"]))
def test_week_days_are_within_a_week(base: int, name: str):
    today = strtotime("today", base)
    after, before = strtotime(f"next {name}", base), strtotime(f"last {name}", base)
    assert today is not None
    assert after is not None
    assert before is not None

    assert date("l", after) == date("l", before) == name
    assert 1 <= (after - today) // 86_400 <= 7
    assert 1 <= (today - before) // 86_400 <= 7


@given(st.integers(0, 2_000_000_000), st.sampled_from(["Europe/Prague", "America/New_York", "Asia/Tokyo"]))
def test_places_are_those_of_python(unix: int, name: str):
    local = datetime.fromtimestamp(unix, ZoneInfo(name))

    expected = int(local.replace(fold=0).timestamp())
    assert strtotime(f"{local:%Y-%m-%d %H:%M:%S} {name}", BASE) == expected


@given(st.text(st.sampled_from("0123456789 :-+.,/@TZWadehmnorstuy"), max_size=25), st.integers(-(2**63), 2**63 - 1))
def test_any_text_is_a_moment_or_nothing(text: str, base: int):
    found = strtotime(text, base)

    assert found is None or -(2**63) <= found < 2**63
