"""A cron expression in a time zone: its slots, each the time in UTC at which it fires once."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta, tzinfo
from itertools import takewhile

import msgspec

from penstock.services.scheduler.cron.expression import Cron, read_cron
from penstock.services.scheduler.cron.zones import read_zone, to_utc

COUNTED = 1000
"""How many missed slots are counted; there may be half a million in a year."""
_MOMENT = timedelta(microseconds=1)
_FIRST_SPAN = timedelta(minutes=COUNTED)


class Timetable(msgspec.Struct, frozen=True):
    cron: Cron
    zone: tzinfo

    def after(self, moment: datetime) -> Iterator[datetime]:
        """Yield its slots after a moment, ascending; none if the expression never matches. Wall-clock times that a
        clock skips are one slot, and one with what is at the end of the gap."""
        last = moment
        # Later wall-clock times are never earlier slots, so these alone can be after the moment.
        wall = moment.astimezone(self.zone).replace(tzinfo=None, second=0, microsecond=0, fold=0)
        for each in self.cron.times_after(wall):
            slot = to_utc(each, self.zone)
            if slot > last:
                yield slot
                last = slot

    def between(self, first: datetime, until: datetime) -> list[datetime]:
        """Return its slots from one moment to another, both included; the last COUNTED of them if there are more."""
        span = _FIRST_SPAN
        while True:
            start = max(first, until - span)
            found = list(takewhile(lambda slot: slot <= until, self.after(start - _MOMENT)))
            if len(found) >= COUNTED or start == first:
                return found[-COUNTED:]
            span *= 10


def read_timetable(cron_tab: str, zone: str) -> Timetable:
    return Timetable(read_cron(cron_tab), read_zone(zone))
