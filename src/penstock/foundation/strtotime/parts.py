"""Evaluates a time expression token by token: the parts that it sets, and its relative moves."""

from __future__ import annotations

from penstock.foundation.strtotime.days import day_of_week_in_year
from penstock.foundation.strtotime.grammar import DIRECTIONS, MONTHS, ORDINALS, UNITS, WEEK_DAYS, Unreadable
from penstock.foundation.strtotime.zones import Zone, find_zone

Found = dict[str, str]
"""The parts of a token by name."""

MIDNIGHT = {"hour": 0, "minute": 0, "second": 0, "microsecond": 0}
SAME_WEEK = 2
"""The behaviour of `monday this week`: the day of the same week, be it before or after."""


class Parts:
    """The state so far; there is a method for every kind of token."""

    def __init__(self) -> None:
        self.named: dict[str, int] = {}
        self.moved: dict[str, int] = {"year": 0, "month": 0, "day": 0, **MIDNIGHT}
        self.zone: Zone | None = None
        self.edge = ""
        """`first` or `last`: of `first day of`."""
        self.week_day: int | None = None
        self.behaviour = 0
        """Whether a weekday that is today counts (1) or the next one is meant (0)."""
        self.working_days: int | None = None
        self.in_month = ""
        """`first` or `last`: from which end `second monday of` counts."""
        self.has_date = False
        self.clocks = 0
        self.zones = 0

    def read_nothing(self, found: Found) -> None:
        """`now`, and separators between tokens."""

    def read_midnight(self, found: Found) -> None:
        self.named |= MIDNIGHT
        self.clocks = 0

    def read_noon(self, found: Found) -> None:
        self.named |= {**MIDNIGHT, "hour": 12}
        self.clocks = 1

    def read_yesterday(self, found: Found) -> None:
        self.read_midnight(found)
        self.moved["day"] = -1

    def read_tomorrow(self, found: Found) -> None:
        self.read_midnight(found)
        self.moved["day"] = 1

    def read_timestamp(self, found: Found) -> None:
        self.read_midnight(found)
        self.has_date = False
        if self._is_first_zone():
            self.zone = find_zone("UTC")
            self.named |= {"year": 1970, "month": 1, "day": 1}
            self.moved["second"] += int(found["seconds"])
            is_negative = found["seconds"].startswith("-")
            self.moved["microsecond"] = _microseconds(found) * (-1 if is_negative else 1)

    def read_edge_of_month(self, found: Found) -> None:
        self.edge = found["edge"].lower()

    def read_quarter(self, found: Found) -> None:
        is_before = found["side"].lower() == "front"
        self.named |= {**MIDNIGHT, "hour": int(found["hour"]) - is_before, "minute": 45 if is_before else 15}
        self.named["hour"] += _half_day(found, self.named["hour"])
        self.clocks = 1

    def read_week_day_of_month(self, found: Found) -> None:
        self.read_midnight(found)
        which = _which(found)
        self.in_month = "first" if which > 0 else "last"
        self.working_days = None
        self._move_to_week_day(which, WEEK_DAYS[found["week_day"].lower()], int(which >= 0))

    def read_clock(self, found: Found) -> None:
        if self.clocks:
            raise Unreadable("two times of day")
        self.clocks = 1
        self.named |= {name: int(found.get(name, "0")) for name in MIDNIGHT}
        self.named["hour"] += _half_day(found, self.named["hour"])
        self.named["microsecond"] = _microseconds(found)
        if "zone" in found:
            self.zone = find_zone(found["zone"])

    def read_four_digits(self, found: Found) -> None:
        """A time of day; a year if there is already a time."""
        if self.clocks > 1:
            raise Unreadable("three times of day")
        if self.clocks:
            self.named["year"] = int(found["hour"] + found["minute"])
        else:
            self.named |= {"hour": int(found["hour"]), "minute": int(found["minute"]), "second": 0}
        self.clocks += 1

    def read_date(self, found: Found) -> None:
        if self.has_date:
            raise Unreadable("two dates")
        self.has_date = True
        if "year" in found:
            self.named["year"] = _year(found)
            self.named["day"] = 1
        if "month_name" in found or "month" in found:
            self.named["month"] = MONTHS[found["month_name"].lower()] if "month_name" in found else int(found["month"])
        if "day" in found:
            self.named["day"] = int(found["day"])

    def read_date_and_clock(self, found: Found) -> None:
        self.read_clock(found)
        self.read_date(found)

    def read_day_of_year(self, found: Found) -> None:
        self.read_date({**found, "month": "1", "day": found["day_of_year"]})

    def read_iso_week(self, found: Found) -> None:
        self.read_date({"year": found["year"], "month": "1", "day": "1"})
        day = int(found.get("day", "1"))
        self.moved["day"] = day_of_week_in_year(int(found["year"]), int(found["week"]), day)

    def read_year(self, found: Found) -> None:
        self.named["year"] = int(found["year"])

    def read_zone(self, found: Found) -> None:
        if self._is_first_zone():
            self.zone = find_zone(found["zone"])
            if self.zone is None:
                raise Unreadable("no such time zone")

    def read_ago(self, found: Found) -> None:
        # Fractions of a second are unchanged.
        self.moved = {unit: amount if unit == "microsecond" else -amount for unit, amount in self.moved.items()}
        if self.week_day is not None:
            self.week_day = -self.week_day or -7
        if self.working_days is not None:
            self.working_days = -self.working_days

    def read_week_day(self, found: Found) -> None:
        self.read_midnight(found)
        self.week_day = WEEK_DAYS.get(found["week_day"].lower(), 1)
        self.behaviour = max(self.behaviour, 1)

    def read_relative_week(self, found: Found) -> None:
        self.moved["day"] += 7 * _which(found)
        self.behaviour = SAME_WEEK
        if self.week_day is None:
            self.week_day = 1

    def read_relative_text(self, found: Found) -> None:
        which, unit = _which(found), found["unit"].lower()
        if unit not in UNITS:
            self.read_midnight(found)
        self._move(which, unit, int(which == 0))

    def read_relative(self, found: Found) -> None:
        sign = -1 if found["signs"].count("-") % 2 else 1
        self._move(sign * int(found["amount"]), found["unit"].lower(), 1)

    def _move(self, amount: int, unit: str, behaviour: int) -> None:
        if unit in UNITS:
            name, size = UNITS[unit]
            self.moved[name] += amount * size
        elif unit in WEEK_DAYS:
            self._move_to_week_day(amount, WEEK_DAYS[unit], behaviour)
        else:
            self.working_days, self.in_month = amount, ""

    def _move_to_week_day(self, amount: int, day: int, behaviour: int) -> None:
        self.moved["day"] += (amount - 1 if amount > 0 else amount) * 7
        self.week_day, self.behaviour = day, behaviour

    def _is_first_zone(self) -> bool:
        """A second zone is ignored, a third is an error."""
        self.zones += 1
        if self.zones > 2:
            raise Unreadable("three time zones")
        return self.zones == 1


def _which(found: Found) -> int:
    return {**ORDINALS, **DIRECTIONS}[found["which"].lower()]


def _year(found: Found) -> int:
    """Two digits mean the year nearest to 2000; there may be a sign."""
    year = int(found.get("sign", "") + found["year"])
    is_short = len(found["year"]) < 4 and year < 100
    return year + (2000 if year < 70 else 1900) if is_short else year


def _half_day(found: Found, hour: int) -> int:
    """What `am` and `pm` add: 12 am is midnight, 12 pm is noon."""
    half = found.get("half", "").lower()
    return -12 * (half == "a") if hour == 12 else 12 * (half == "p")


def _microseconds(found: Found) -> int:
    return int(found.get("fraction", "0")[:6].ljust(6, "0"))
