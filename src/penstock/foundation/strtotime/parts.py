"""Evaluates a time expression token by token: the parts that it sets, and its relative moves."""

from __future__ import annotations

from penstock.foundation.strtotime.days import day_of_week_in_year
from penstock.foundation.strtotime.grammar import DIRECTIONS, MONTHS, ORDINALS, UNITS, WEEK_DAYS, Unreadable
from penstock.foundation.strtotime.zones import Zone, find_zone

Groups = dict[str, str]
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

    def read_nothing(self, groups: Groups) -> None:
        """`now`, and separators between tokens."""

    def read_midnight(self, groups: Groups) -> None:
        self.named |= MIDNIGHT
        self.clocks = 0

    def read_noon(self, groups: Groups) -> None:
        self.named |= {**MIDNIGHT, "hour": 12}
        self.clocks = 1

    def read_yesterday(self, groups: Groups) -> None:
        self.read_midnight(groups)
        self.moved["day"] = -1

    def read_tomorrow(self, groups: Groups) -> None:
        self.read_midnight(groups)
        self.moved["day"] = 1

    def read_timestamp(self, groups: Groups) -> None:
        self.read_midnight(groups)
        self.has_date = False
        if self._is_first_zone():
            self.zone = find_zone("UTC")
            self.named |= {"year": 1970, "month": 1, "day": 1}
            self.moved["second"] += int(groups["seconds"])
            is_negative = groups["seconds"].startswith("-")
            self.moved["microsecond"] = _microseconds(groups) * (-1 if is_negative else 1)

    def read_edge_of_month(self, groups: Groups) -> None:
        self.edge = groups["edge"].lower()

    def read_quarter(self, groups: Groups) -> None:
        is_before = groups["side"].lower() == "front"
        self.named |= {**MIDNIGHT, "hour": int(groups["hour"]) - is_before, "minute": 45 if is_before else 15}
        self.named["hour"] += _half_day(groups, self.named["hour"])
        self.clocks = 1

    def read_week_day_of_month(self, groups: Groups) -> None:
        self.read_midnight(groups)
        which = _which(groups)
        self.in_month = "first" if which > 0 else "last"
        self.working_days = None
        self._move_to_week_day(which, WEEK_DAYS[groups["week_day"].lower()], int(which >= 0))

    def read_clock(self, groups: Groups) -> None:
        if self.clocks:
            raise Unreadable("two times of day")
        self.clocks = 1
        self.named |= {name: int(groups.get(name, "0")) for name in MIDNIGHT}
        self.named["hour"] += _half_day(groups, self.named["hour"])
        self.named["microsecond"] = _microseconds(groups)
        if "zone" in groups:
            self.zone = find_zone(groups["zone"])

    def read_four_digits(self, groups: Groups) -> None:
        """A time of day; a year if there is already a time."""
        if self.clocks > 1:
            raise Unreadable("three times of day")
        if self.clocks:
            self.named["year"] = int(groups["hour"] + groups["minute"])
        else:
            self.named |= {"hour": int(groups["hour"]), "minute": int(groups["minute"]), "second": 0}
        self.clocks += 1

    def read_date(self, groups: Groups) -> None:
        if self.has_date:
            raise Unreadable("two dates")
        self.has_date = True
        if "year" in groups:
            self.named["year"] = _year(groups)
            self.named["day"] = 1
        if "month_name" in groups or "month" in groups:
            self.named["month"] = (
                MONTHS[groups["month_name"].lower()] if "month_name" in groups else int(groups["month"])
            )
        if "day" in groups:
            self.named["day"] = int(groups["day"])

    def read_date_and_clock(self, groups: Groups) -> None:
        self.read_clock(groups)
        self.read_date(groups)

    def read_day_of_year(self, groups: Groups) -> None:
        self.read_date({**groups, "month": "1", "day": groups["day_of_year"]})

    def read_iso_week(self, groups: Groups) -> None:
        self.read_date({"year": groups["year"], "month": "1", "day": "1"})
        day = int(groups.get("day", "1"))
        self.moved["day"] = day_of_week_in_year(int(groups["year"]), int(groups["week"]), day)

    def read_year(self, groups: Groups) -> None:
        self.named["year"] = int(groups["year"])

    def read_zone(self, groups: Groups) -> None:
        if self._is_first_zone():
            self.zone = find_zone(groups["zone"])
            if self.zone is None:
                raise Unreadable("no such time zone")

    def read_ago(self, groups: Groups) -> None:
        # Fractions of a second are unchanged.
        self.moved = {unit: amount if unit == "microsecond" else -amount for unit, amount in self.moved.items()}
        if self.week_day is not None:
            self.week_day = -self.week_day or -7
        if self.working_days is not None:
            self.working_days = -self.working_days

    def read_week_day(self, groups: Groups) -> None:
        self.read_midnight(groups)
        self.week_day = WEEK_DAYS.get(groups["week_day"].lower(), 1)
        self.behaviour = max(self.behaviour, 1)

    def read_relative_week(self, groups: Groups) -> None:
        self.moved["day"] += 7 * _which(groups)
        self.behaviour = SAME_WEEK
        if self.week_day is None:
            self.week_day = 1

    def read_relative_text(self, groups: Groups) -> None:
        which, unit = _which(groups), groups["unit"].lower()
        if unit not in UNITS:
            self.read_midnight(groups)
        self._move(which, unit, int(which == 0))

    def read_relative(self, groups: Groups) -> None:
        sign = -1 if groups["signs"].count("-") % 2 else 1
        self._move(sign * int(groups["amount"]), groups["unit"].lower(), 1)

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


def _which(groups: Groups) -> int:
    return {**ORDINALS, **DIRECTIONS}[groups["which"].lower()]


def _year(groups: Groups) -> int:
    """Two digits mean the year nearest to 2000; there may be a sign."""
    year = int(groups.get("sign", "") + groups["year"])
    is_short = len(groups["year"]) < 4 and year < 100
    return year + (2000 if year < 70 else 1900) if is_short else year


def _half_day(groups: Groups, hour: int) -> int:
    """What `am` and `pm` add: 12 am is midnight, 12 pm is noon."""
    half = groups.get("half", "").lower()
    return -12 * (half == "a") if hour == 12 else 12 * (half == "p")


def _microseconds(groups: Groups) -> int:
    return int(groups.get("fraction", "0")[:6].ljust(6, "0"))
