"""One field of a cron expression: `*`, numbers, names, lists, ranges and steps; `L` is the last day of a month."""

from __future__ import annotations

import re

import msgspec

from penstock.services.scheduler.errors import InvalidCron

LAST = 0
"""`L` among the days of a month, which count from 1."""

_ITEM = re.compile(r"(\*|[0-9]{1,2}|[A-Za-z]{3})(?:-([0-9]{1,2}|[A-Za-z]{3}))?(?:/([0-9]{1,2}))?")
_MONTHS = ("JAN", "FEB", "MAR", "APR", "MAY", "JUN", "JUL", "AUG", "SEP", "OCT", "NOV", "DEC")
_WEEKDAYS = ("SUN", "MON", "TUE", "WED", "THU", "FRI", "SAT")


class Field(msgspec.Struct, frozen=True, kw_only=True):
    name: str
    lowest: int
    highest: int
    end: int
    """Where `*` and a start with a step (`5/10`) end: 7 is a Sunday, but `*` has it as 0 already."""
    names: dict[str, int] = {}
    allowed: str

    def number(self, text: str) -> int | None:
        value = int(text) if text.isdecimal() else self.names.get(text.upper())
        return value if value is not None and self.lowest <= value <= self.highest else None


MINUTE = Field(name="minute", lowest=0, highest=59, end=59, allowed="0-59")
HOUR = Field(name="hour", lowest=0, highest=23, end=23, allowed="0-23")
DAY = Field(name="day of month", lowest=1, highest=31, end=31, allowed="1-31, or L for the last day of the month")
MONTH = Field(
    name="month",
    lowest=1,
    highest=12,
    end=12,
    names={name: number for number, name in enumerate(_MONTHS, 1)},
    allowed="1-12 or JAN-DEC",
)
WEEKDAY = Field(
    name="day of week",
    lowest=0,
    highest=7,
    end=6,
    names={name: number for number, name in enumerate(_WEEKDAYS)},
    allowed="0-7 or SUN-SAT, where 0 and 7 are Sunday",
)
FIELDS = (MINUTE, HOUR, DAY, MONTH, WEEKDAY)


def read_field(field: Field, text: str) -> frozenset[int]:
    """The values that a field matches; LAST for `L`."""
    return frozenset(value for item in text.split(",") for value in _read_item(field, item, text))


def _read_item(field: Field, item: str, text: str) -> range:
    if field is DAY and item.upper() == "L":
        return range(LAST, LAST + 1)
    match = _ITEM.fullmatch(item)
    if not match:
        raise _invalid(field, text, f'"{item}" is not a number, a range or a step')
    first, last, step = match.groups()
    if first == "*":
        low, high = field.lowest, field.end
    else:
        low = _read_number(field, first, text)
        high = max(field.end, low) if step else low
    if last is not None:
        high = _read_end(field, first, last, text)
    if low > high:
        raise _invalid(field, text, f'the range "{item}" ends before it begins')
    return range(low, high + 1, _read_step(field, step, text))


def _read_end(field: Field, first: str, last: str, text: str) -> int:
    if first == "*":
        raise _invalid(field, text, "a range has a number on both sides")
    # A week may end with its Sunday: FRI-SUN.
    return 7 if field is WEEKDAY and last.upper() == "SUN" else _read_number(field, last, text)


def _read_number(field: Field, value: str, text: str) -> int:
    number = field.number(value)
    if number is None:
        raise _invalid(field, text, f'"{value}" is out of range' if value.isdecimal() else f'"{value}" is not a name')
    return number


def _read_step(field: Field, step: str | None, text: str) -> int:
    number = int(step) if step is not None else 1
    if number < 1:
        raise _invalid(field, text, "a step is at least 1")
    return number


def _invalid(field: Field, text: str, problem: str) -> InvalidCron:
    return InvalidCron(
        f'The field {field.name} is "{text}", and {problem}. '
        f"Allowed: {field.allowed}; * for every value, lists (1,2), ranges (1-5) and steps (*/5)."
    )
