"""Time zones in time expressions: `+02:00`, `CEST`, `Z`, `Europe/Prague`."""

from __future__ import annotations

from datetime import datetime, timedelta
from functools import cache
from zoneinfo import ZoneInfo, available_timezones

Zone = timedelta | ZoneInfo

_HOURS: dict[float, str] = {
    -12: "y",
    -11: "x sst",
    -10: "w hst",
    -9: "v akst hdt",
    -8: "u pst akdt",
    -7: "t mst pdt",
    -6: "s cst mdt",
    -5: "r est cdt",
    -4: "q ast edt",
    -3.5: "nst",
    -3: "p adt",
    -2.5: "ndt",
    -2: "o",
    -1: "n",
    0: "z utc gmt uct wet",
    1: "a cet wat bst west",
    2: "b eet cat sast cest ist",
    3: "c msk eat eest idt",
    4: "d msd",
    5: "e pkt",
    6: "f",
    7: "g wib",
    8: "h awst hkt sgt wita",
    9: "i jst kst wit",
    9.5: "acst",
    10: "k aest",
    10.5: "acdt",
    11: "l aedt",
    12: "m nzst",
    13: "nzdt",
}
"""Ambiguous abbreviations are resolved: `cst` is America's and `ist` is Israel's; single letters are the military
zones."""

_OFFSETS = {name: timedelta(hours=hours) for hours, names in _HOURS.items() for name in names.split()}


def find_zone(name: str) -> Zone | None:
    name = name.strip("()")
    if (offset := _correction(name.removeprefix("GMT"))) is not None:
        return offset
    if name.lower() in _OFFSETS:
        return _OFFSETS[name.lower()]
    return find_place(name)


def find_place(name: str) -> ZoneInfo | None:
    """A time zone of the IANA database, such as Europe/Prague."""
    place = _places().get(name.lower())
    return ZoneInfo(place) if place else None


@cache
def _places() -> dict[str, str]:
    """Looked up in a set, because Python would search its files and modules for any name."""
    return {name.lower(): name for name in available_timezones()}


def offset_at(zone: Zone, year: int, seconds: int) -> int:
    """Seconds east of Greenwich, at this many seconds of local time into the year."""
    if isinstance(zone, timedelta):
        return int(zone.total_seconds())
    # Python supports the years 1 to 9999; beyond them the nearest rules are used.
    local = datetime(min(max(year, 2), 9998), 1, 1, tzinfo=zone) + timedelta(seconds=seconds)
    offset = local.utcoffset()
    return int(offset.total_seconds()) if offset is not None else 0


def _correction(text: str) -> timedelta | None:
    """`+2`, `+02`, `+0230`, `+2:30`; three digits are hour and minutes: `+230`."""
    if text[:1] not in ("+", "-"):
        return None
    digits = text[1:]
    hours, _, minutes = digits.partition(":")
    if ":" not in digits and len(digits) > 2:
        hours, minutes = digits[:-2], digits[-2:]
    offset = timedelta(hours=int(hours), minutes=int(minutes or 0))
    return -offset if text[0] == "-" else offset
