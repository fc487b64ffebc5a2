"""Cron expressions by trying every minute, to compare with."""

from __future__ import annotations

import calendar
from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta, tzinfo
from functools import cache

MINUTE = timedelta(minutes=1)
LIMITS = ((0, 59), (0, 23), (1, 31), (1, 12), (0, 7))


def matches(expression: str, wall: datetime) -> bool:
    minute, hour, day, month, weekday = expression.split()
    others = ((minute, wall.minute, 0), (hour, wall.hour, 1), (month, wall.month, 3))
    return all(has(*each) for each in others) and is_day(day, weekday, wall.date())


@cache
def is_day(day: str, weekday: str, date: date) -> bool:
    is_last = "L" in day.split(",") and date.day == calendar.monthrange(date.year, date.month)[1]
    of_month, number = has(day, date.day, 2) or is_last, date.isoweekday()
    of_week = has(weekday, number, 4) or (number == 7 and has(weekday, 0, 4))
    return (of_month and of_week) if "*" in (day[0], weekday[0]) else (of_month or of_week)


@cache
def has(text: str, value: int, field: int) -> bool:
    """Whether a field without names has a value."""
    return any(_has(part, value, field) for part in text.split(",") if part != "L")


def _has(part: str, value: int, field: int) -> bool:
    span, _, step = part.partition("/")
    low, high = LIMITS[field]
    if span != "*":
        first, _, last = span.partition("-")
        low, high = int(first), int(last or (max(int(first), 6 if field == 4 else high) if step else first))
    return low <= value <= high and (value - low) % int(step or 1) == 0


def walls(first: datetime, last: datetime) -> Iterator[datetime]:
    while first <= last:
        yield first
        first += MINUTE


def slots(expression: str, zone: tzinfo, first: datetime, last: datetime) -> list[datetime]:
    """Between two times in UTC: the first minute at which the wall shows each matching time, or a later one if it is
    skipped."""
    minutes = list(walls(first - timedelta(hours=3), last + timedelta(hours=3)))
    shown = [minute.astimezone(zone).replace(tzinfo=None) for minute in minutes]
    found = set[datetime]()
    latest, at = datetime.min, 0
    for wall in walls(shown[0], shown[-1]):
        while at < len(shown) and max(latest, shown[at]) < wall:
            latest, at = max(latest, shown[at]), at + 1
        if at < len(shown) and matches(expression, wall):
            found.add(minutes[at])
    return sorted(slot for slot in found if first < slot <= last)


def changes(zone: tzinfo, year: int) -> list[datetime]:
    """The hours of a year after which the offset is another."""
    hours = [datetime(year, 1, 1, tzinfo=UTC) + timedelta(hours=number) for number in range(365 * 24)]
    offsets = [hour.astimezone(zone).utcoffset() for hour in hours]
    return [hour for number, hour in enumerate(hours[:-1]) if offsets[number] != offsets[number + 1]]
