"""Days counted from 1970-01-01, and the calendar: for every year, including those that Python's dates do not
support."""

from __future__ import annotations

ERA_YEARS, ERA_DAYS = 400, 146_097
"""The calendar repeats after this many years, weekdays included."""
_TO_1970 = 719_468
_LENGTHS = (31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)


def day_number(year: int, month: int, day: int) -> int:
    """Months and days out of range carry over into the next or previous ones."""
    year, month = year + (month - 1) // 12, (month - 1) % 12 + 1
    # Counted from March, so that the leap day is the last of its year.
    year, month = (year, month - 3) if month > 2 else (year - 1, month + 9)
    era, year = divmod(year, ERA_YEARS)
    in_era = year * 365 + year // 4 - year // 100 + (153 * month + 2) // 5 + day - 1
    return era * ERA_DAYS + in_era - _TO_1970


def calendar_day(number: int) -> tuple[int, int, int]:
    """Year, month and day."""
    era, day = divmod(number + _TO_1970, ERA_DAYS)
    year = (day - day // 1460 + day // 36_524 - day // 146_096) // 365
    day -= year * 365 + year // 4 - year // 100
    month = (5 * day + 2) // 153
    day -= (153 * month + 2) // 5
    year += era * ERA_YEARS
    return (year, month + 3, day + 1) if month < 10 else (year + 1, month - 9, day + 1)


def week_day(number: int) -> int:
    """0 is Sunday, 6 is Saturday."""
    return (number + 4) % 7


def is_leap(year: int) -> bool:
    return year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)


def month_length(year: int, month: int) -> int:
    return 29 if month == 2 and is_leap(year) else _LENGTHS[month - 1]


def week_of(number: int) -> tuple[int, int]:
    """The ISO year and the ISO week: those of the week's Thursday."""
    thursday = number - (week_day(number) - 1) % 7 + 3
    year = calendar_day(thursday)[0]
    return year, (thursday - day_number(year, 1, 1)) // 7 + 1


def day_of_week_in_year(year: int, week: int, day: int) -> int:
    """How many days after the 1st of January an ISO week's day is; day 0 is the Sunday before the week."""
    first = week_day(day_number(year, 1, 1))
    return (week - 1) * 7 + day - (first - 7 if first > 4 else first)


def add_working_days(number: int, count: int) -> int:
    """Monday to Friday; with zero days to add, a weekend moves forward."""
    step = 1 if count > 0 else -1
    weeks, rest = divmod(max(abs(count) - 1, 0), 5)
    number += step * weeks * 7
    for _ in range(rest + 1 if count else 0):
        number = _working_day(number + step, step)
    return number if count else _working_day(number, 1)


def _working_day(number: int, step: int) -> int:
    while week_day(number) in (0, 6):
        number += step
    return number
