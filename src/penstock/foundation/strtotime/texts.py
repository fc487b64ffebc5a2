"""`strtotime`: the time that a text denotes, `21 oct 2017 9:16pm` or `first day of last month`, in unix seconds.

Dates and times set parts; relative expressions move them, wherever they are in the text. Parts that are not set are
those of the base. Months that are too short carry over: a month before the 31st of May is the 1st of May.
"""

from __future__ import annotations

import msgspec

from penstock.foundation.strtotime.days import add_working_days, calendar_day, day_number, week_day
from penstock.foundation.strtotime.grammar import Unreadable, words
from penstock.foundation.strtotime.parts import MIDNIGHT, SAME_WEEK, Parts
from penstock.foundation.strtotime.zones import offset_at

DAY = 86_400
_SPACE = " \t\n\r\v\f"


def strtotime(text: str, base: int) -> int | None:
    """Return None for a text that cannot be parsed; parts that it does not set are those of the base."""
    if not text:
        return None
    parts = Parts()
    try:
        for kind, found in words(text.strip(_SPACE)):
            getattr(parts, f"read_{kind}")(found)
    except Unreadable:
        return None
    moment = _time(parts, base)
    return moment if -(2**63) <= moment < 2**63 else None


class _Wall(msgspec.Struct, frozen=True):
    """Local date and time; parts out of range carry over."""

    year: int
    month: int
    day: int
    seconds: int

    def settled(self) -> _Wall:
        days, seconds = divmod(self.seconds, DAY)
        return _Wall(*calendar_day(self.number + days), seconds)

    @property
    def number(self) -> int:
        return day_number(self.year, self.month, self.day)


def _time(parts: Parts, base: int) -> int:
    wall = _in_month(_named(parts, base), parts)
    wall = _on_week_day(wall, parts).settled()
    wall = _moved(wall, parts)
    number = wall.number
    if parts.working_days is not None:
        number = add_working_days(number, parts.working_days)
    local = number * DAY + wall.seconds
    if parts.zone is None:
        return local
    year = calendar_day(number)[0]
    return local - offset_at(parts.zone, year, local - day_number(year, 1, 1) * DAY)


def _named(parts: Parts, base: int) -> _Wall:
    number, seconds = divmod(base, DAY)
    year, month, day = calendar_day(number)
    known = {"year": year, "month": month, "day": day}
    known |= {"hour": seconds // 3600, "minute": seconds // 60 % 60, "second": seconds % 60}
    known |= parts.named
    if parts.has_date and not parts.clocks:
        known |= MIDNIGHT
    return _Wall(known["year"], known["month"], known["day"], _seconds(known))


def _seconds(units: dict[str, int]) -> int:
    return units["hour"] * 3600 + units["minute"] * 60 + units["second"]


def _in_month(wall: _Wall, parts: Parts) -> _Wall:
    """The start for counting from an end of the month; months are moved before weekdays."""
    if parts.in_month:
        months = parts.moved["month"] + (parts.in_month == "last")
        wall = _Wall(wall.year, wall.month + months, 1, wall.seconds)
    return _at_edge(wall, parts).settled()


def _at_edge(wall: _Wall, parts: Parts) -> _Wall:
    if parts.edge == "first":
        return _Wall(wall.year, wall.month, 1, wall.seconds)
    return _Wall(wall.year, wall.month + 1, 0, wall.seconds) if parts.edge else wall


def _on_week_day(wall: _Wall, parts: Parts) -> _Wall:
    if parts.week_day is None:
        return wall
    today = week_day(wall.number)
    find = _day_of_same_week if parts.behaviour == SAME_WEEK else _day_from_today
    return _Wall(wall.year, wall.month, wall.day + find(parts, parts.week_day, today), wall.seconds)


def _day_of_same_week(_parts: Parts, day: int, today: int) -> int:
    """A week ends on Sunday."""
    if today == 0 and day != 0:
        day -= 7
    return (7 if day == 0 and today != 0 else day) - today


def _day_from_today(parts: Parts, day: int, today: int) -> int:
    if day < 0:
        return -(7 - (abs(day) - today))
    is_back = parts.moved["day"] < 0
    is_past = day < today if is_back else day - today <= -parts.behaviour
    return day - today + 7 * is_past


def _moved(wall: _Wall, parts: Parts) -> _Wall:
    moved = parts.moved
    months = 0 if parts.in_month else moved["month"]
    fractions = (parts.named.get("microsecond", 0) + moved["microsecond"]) // 1_000_000
    seconds = wall.seconds + _seconds(moved) + fractions
    further = _Wall(wall.year + moved["year"], wall.month + months, wall.day + moved["day"], seconds)
    return _at_edge(further, parts).settled()
