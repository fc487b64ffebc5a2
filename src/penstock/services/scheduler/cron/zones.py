"""Time zones of schedules: IANA names and offsets, and which time in UTC a wall-clock time is."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta, timezone, tzinfo

from penstock.foundation.strtotime.zones import find_place
from penstock.services.scheduler.errors import InvalidZone

_OFFSET = re.compile(r"([+-])([01][0-9]):?([0-5][0-9])")
_SECOND = timedelta(seconds=1)


def read_zone(name: str) -> tzinfo:
    """`Europe/Prague`, `UTC`, `+0100` or `+01:00`."""
    if match := _OFFSET.fullmatch(name):
        offset = timedelta(hours=int(match[2]), minutes=int(match[3]))
        return timezone(-offset if match[1] == "-" else offset)
    if place := find_place(name):
        return place
    raise InvalidZone(name)


def to_utc(wall: datetime, zone: tzinfo) -> datetime:
    """When a clock on the wall shows this time. One that it shows twice is the first; one that it skips is the moment
    at which it goes forward."""
    found = wall.replace(tzinfo=zone, fold=0).astimezone(UTC)
    is_there = found.astimezone(zone).replace(tzinfo=None, fold=0) == wall
    return found if is_there else _find_jump(wall, zone)


def _find_jump(wall: datetime, zone: tzinfo) -> datetime:
    """The end of the gap in which a wall-clock time is: between the times that it would be with either offset."""
    before, after = (wall.replace(tzinfo=zone, fold=fold).astimezone(UTC) for fold in (1, 0))
    offset = before.astimezone(zone).utcoffset()
    while after - before > _SECOND:
        middle = before + timedelta(seconds=(after - before) // _SECOND // 2)
        if middle.astimezone(zone).utcoffset() == offset:
            before = middle
        else:
            after = middle
    return after
