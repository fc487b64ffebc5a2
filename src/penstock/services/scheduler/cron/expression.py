"""A cron expression: five fields, and the wall-clock times that they match."""

from __future__ import annotations

from calendar import monthrange
from collections.abc import Iterator
from datetime import MAXYEAR, date, datetime, time

import msgspec

from penstock.services.scheduler.cron.fields import FIELDS, LAST, read_field
from penstock.services.scheduler.errors import InvalidCron

MAX_LENGTH = 500
YEARS = 40
"""February 29 on a given day of the week returns after at most this many years."""


class Cron(msgspec.Struct, frozen=True, kw_only=True):
    minutes: list[int]
    hours: list[int]
    """Both ascending."""
    days: frozenset[int]
    """Of the month, from 1; LAST is its last day."""
    months: frozenset[int]
    weekdays: frozenset[int]
    """Sunday is 0."""
    is_any_day: bool
    is_any_weekday: bool
    """Whether the field begins with `*`; if neither does, a day has to match only one of them."""

    def times_after(self, wall: datetime) -> Iterator[datetime]:
        """The wall-clock times that match, ascending, without a time zone; those of the next YEARS years."""
        today = wall.date()
        for day in self._days_from(today):
            yield from (each for each in self._times_of(day, wall.hour if day == today else 0) if each > wall)

    def _days_from(self, first: date) -> Iterator[date]:
        start = first.year * 12 + first.month - 1
        for number in range(start, min(start + YEARS * 12, MAXYEAR * 12 + 11) + 1):
            year, month = number // 12, number % 12 + 1
            if month in self.months:
                yield from (day for day in self._days_of(year, month) if day >= first)

    def _days_of(self, year: int, month: int) -> Iterator[date]:
        """The days of a month that match, ascending."""
        first_weekday, length = monthrange(year, month)  # Monday is 0
        days = {length if number == LAST else number for number in self.days}
        is_both = self.is_any_day or self.is_any_weekday
        for number in sorted(days) if is_both else range(1, length + 1):
            is_weekday = (first_weekday + number) % 7 in self.weekdays
            if number <= length and (is_weekday if is_both else is_weekday or number in days):
                yield date(year, month, number)

    def _times_of(self, day: date, first_hour: int) -> Iterator[datetime]:
        hours = (hour for hour in self.hours if hour >= first_hour)
        return (datetime.combine(day, time(hour, minute)) for hour in hours for minute in self.minutes)


def read_cron(text: str) -> Cron:
    """Raises InvalidCron, whose message names the field and what it may hold."""
    given = text.split() if len(text) <= MAX_LENGTH else []
    if len(given) != len(FIELDS):
        raise InvalidCron(
            f'"{text[:50]}" has {len(text.split())} fields, and a cron expression has five: '
            "minute, hour, day of month, month, day of week. Example: 0 6 * * *"
        )
    minutes, hours, days, months, weekdays = map(read_field, FIELDS, given)
    return Cron(
        minutes=sorted(minutes),
        hours=sorted(hours),
        days=days,
        months=months,
        weekdays=frozenset(number % 7 for number in weekdays),
        is_any_day=given[2].startswith("*"),
        is_any_weekday=given[4].startswith("*"),
    )
