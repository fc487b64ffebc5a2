"""A cron expression: five fields, and the wall-clock times that they match."""

from __future__ import annotations

from calendar import monthrange
from collections.abc import Iterator
from datetime import date, datetime, time, timedelta

import msgspec

from penstock.services.scheduler.cron.fields import FIELDS, LAST, read_field
from penstock.services.scheduler.errors import InvalidCron

LONGEST = 500
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

    def matches_day(self, day: date) -> bool:
        if day.month not in self.months:
            return False
        is_last = LAST in self.days and day.day == monthrange(day.year, day.month)[1]
        of_month, of_week = day.day in self.days or is_last, day.isoweekday() % 7 in self.weekdays
        if self.is_any_day or self.is_any_weekday:
            return of_month and of_week
        return of_month or of_week

    def times_after(self, wall: datetime) -> Iterator[datetime]:
        """The wall-clock times that match, ascending, without a time zone; those of the next YEARS years."""
        for day in _days_from(wall.date()):
            if self.matches_day(day):
                first = wall.hour if day == wall.date() else 0
                yield from (each for each in self._times_of(day, first) if each > wall)

    def _times_of(self, day: date, first_hour: int) -> Iterator[datetime]:
        hours = (hour for hour in self.hours if hour >= first_hour)
        return (datetime.combine(day, time(hour, minute)) for hour in hours for minute in self.minutes)


def read_cron(text: str) -> Cron:
    """Raises InvalidCron, whose message names the field and what it may hold."""
    given = text.split() if len(text) <= LONGEST else []
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


def _days_from(first: date) -> Iterator[date]:
    end = min(first.toordinal() + YEARS * 366, date.max.toordinal())
    return (first + timedelta(days=number) for number in range(end - first.toordinal() + 1))
