"""When expressions fire: compared with trying every minute, over changes of daylight saving, and in rare years."""

from __future__ import annotations

from calendar import monthrange
from datetime import UTC, datetime, timedelta
from itertools import islice, takewhile

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from penstock.services.scheduler.cron import expression, read_cron, read_timetable, read_zone
from penstock.services.scheduler.cron.timetable import COUNTED
from penstock.services.scheduler.errors import InvalidZone
from tests.unit.services.scheduler.cron.brute_force import LIMITS, changes, matches, slots, walls

pytestmark = pytest.mark.fuzz

ZONES = [
    *("Europe/Prague", "Europe/London", "America/New_York", "America/St_Johns"),
    *("Australia/Lord_Howe", "Pacific/Auckland", "America/Santiago", "Africa/Cairo"),
]
"""Changes of an hour and of half an hour, in the north and in the south, at night and at midnight."""
EXPRESSIONS = [
    "*/15 * * * *",
    "30 * * * *",
    "0 0,1,2,3 * * *",
    "30 2 * * *",
    "15 0 * * 0",
    "0 */6 L * 1-5",
    "59 23 * * *",
]


def parts(field: int) -> st.SearchStrategy[str]:
    low, high = LIMITS[field]
    number, step = st.integers(low, high), st.integers(1, 20)
    span = st.tuples(number, number).map(lambda pair: f"{min(pair)}-{max(pair)}")
    some = [st.just("*"), number.map(str), span, *([st.just("L")] if field == 2 else [])]
    stepped = st.tuples(st.one_of(st.just("*"), number.map(str), span), step).map(lambda pair: f"{pair[0]}/{pair[1]}")
    return st.lists(st.one_of(*some, stepped), min_size=1, max_size=3).map(",".join)


expressions = st.tuples(*(parts(field) for field in range(5))).map(" ".join)


@given(expressions, st.datetimes(datetime(2023, 1, 1), datetime(2029, 1, 1)))
@example("0 0 L * *", datetime(2024, 2, 28, 23, 59))
@example("0 0 13 * 5", datetime(2026, 3, 12, 23))
@example("0 0 */2 * 5", datetime(2026, 3, 12, 23))
def test_every_matching_minute_is_found_and_no_other(text: str, start: datetime) -> None:
    start = start.replace(second=0, microsecond=0)
    end = start + timedelta(days=3)
    found = list(takewhile(lambda time: time <= end, read_cron(text).times_after(start)))

    assert found == [wall for wall in walls(start + timedelta(minutes=1), end) if matches(text, wall)]


@pytest.mark.parametrize("name", ZONES)
def test_every_wall_clock_slot_fires_once_over_both_changes_of_daylight_saving(name: str) -> None:
    zone, found = read_zone(name), changes(read_zone(name), 2026)
    assert len(found) == 2
    for change in found:
        start, end = change - timedelta(hours=7), change + timedelta(hours=7)
        for text in EXPRESSIONS:
            fired = read_timetable(text, name).between(start + timedelta(minutes=1), end)
            assert fired == slots(text, zone, start, end), text


def test_a_time_that_is_skipped_fires_when_the_clock_goes_forward() -> None:
    # In Prague 02:00 is followed by 03:00 on this day, at 01:00 UTC.
    assert first("30 2 * * *", "Europe/Prague", "2026-03-28T12:00", 2) == ["2026-03-29T01:00", "2026-03-30T00:30"]
    assert first("*/30 * * * *", "Europe/Prague", "2026-03-29T00:00", 3) == [
        *("2026-03-29T00:30", "2026-03-29T01:00", "2026-03-29T01:30")
    ]


def test_a_time_that_comes_twice_fires_at_the_first() -> None:
    assert first("30 2 * * *", "Europe/Prague", "2026-10-24T12:00", 2) == ["2026-10-25T00:30", "2026-10-26T01:30"]
    assert first("0 * * * *", "Europe/Prague", "2026-10-24T23:30", 3) == [
        *("2026-10-25T00:00", "2026-10-25T02:00", "2026-10-25T03:00")
    ]


def test_a_day_that_an_island_skipped_is_one_slot() -> None:
    # Samoa had no December 30 in 2011; the 31st began at 10:00 UTC on the 30th.
    assert first("0 */6 30 12 *", "Pacific/Apia", "2011-12-01T00:00", 2) == ["2011-12-30T10:00", "2012-12-29T10:00"]


def test_an_offset_is_a_time_zone_without_daylight_saving() -> None:
    for name in ("+0530", "+05:30"):
        assert first("0 6 * * *", name, "2026-03-29T00:00", 2) == ["2026-03-29T00:30", "2026-03-30T00:30"]
    assert first("0 6 * * *", "-0300", "2026-03-29T00:00", 1) == ["2026-03-29T09:00"]


def test_rare_days_are_found_and_impossible_ones_are_not() -> None:
    assert first("0 0 29 2 */7", "UTC", "2026-01-01T00:00", 1) == ["2032-02-29T00:00"]
    assert first("0 0 30 2 *", "UTC", "2026-01-01T00:00", 1) == []
    assert first("0 0 1 1 *", "UTC", "9998-06-01T00:00", 5) == ["9999-01-01T00:00"]


def test_months_that_do_not_match_are_not_walked(monkeypatch: pytest.MonkeyPatch) -> None:
    looked_at = list[int]()
    monkeypatch.setattr(expression, "monthrange", lambda *each: looked_at.append(each[1]) or monthrange(*each))

    assert len(first("0 0 29 2 *", "UTC", "2026-01-01T00:00", 5)) == 5
    assert looked_at == [2] * 19


@pytest.mark.parametrize(
    "name", ["", "Prague", "+1", "+2500", "../../etc/passwd", "/etc/passwd", "Europe/Prague\n", "x" * 99]
)
def test_what_is_no_time_zone_is_refused(name: str) -> None:
    with pytest.raises(InvalidZone, match=r"is not a time zone\. Use a name of the IANA database, such as"):
        read_zone(name)


@given(expressions, st.integers(0, 3000))
def test_slots_between_two_times_are_the_last_ones(text: str, minutes: int) -> None:
    table, until = read_timetable(text, "Europe/Prague"), datetime(2026, 3, 30, 12, tzinfo=UTC)
    start = until - timedelta(minutes=minutes)
    every = list(takewhile(lambda slot: slot <= until, table.after(start - timedelta(seconds=1))))

    assert table.between(start, until) == every[-COUNTED:]


def test_years_of_minutes_are_counted_only_to_a_limit() -> None:
    until = datetime(2026, 1, 1, tzinfo=UTC)
    found = read_timetable("* * * * *", "UTC").between(datetime(2000, 1, 1, tzinfo=UTC), until)

    assert (len(found), found[-1]) == (COUNTED, until)


def first(text: str, zone: str, after: str, count: int) -> list[str]:
    found = islice(read_timetable(text, zone).after(datetime.fromisoformat(f"{after}+00:00")), count)
    return [slot.isoformat()[:16] for slot in found]
