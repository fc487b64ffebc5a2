"""Which slots of a schedule are to run: those that have no run yet, whatever the clock did.

A slot is a time in UTC. After a time in which nothing was running, only the latest slot runs, and the others are
counted. When the clock was set back, slots come again that have run already: these are passed over.
"""

from __future__ import annotations

from datetime import datetime, timedelta

import msgspec

from penstock.foundation.database import Transaction
from penstock.services.scheduler import store
from penstock.services.scheduler.cron import read_timetable
from penstock.services.scheduler.models import ScheduleRow

CLOCK_TOLERANCE = timedelta(minutes=1)
"""How far the clocks of machines may be apart. A schedule that was planned later than that from now was planned before
the clock was set back."""


class DueSlot(msgspec.Struct, frozen=True):
    slot: datetime
    missed: int
    """How many slots before it were not run; COUNTED - 1 if there were more."""


def find_next(tx: Transaction, row: ScheduleRow, now: datetime) -> datetime | None:
    """The first slot after now that has not run; None if the expression never matches."""
    done = store.list_slots(tx, row.id, now)
    return next((slot for slot in read_timetable(row.cron_tab, row.timezone).after(now) if slot not in done), None)


def find_due(tx: Transaction, row: ScheduleRow, now: datetime) -> DueSlot | None:
    """The latest slot that has come and has not run; None if there is none."""
    if row.next_time is None or row.next_time > now:
        return None
    done = store.list_slots(tx, row.id, row.next_time)
    # Without one, the rules of the time zone have changed since it was planned.
    come = read_timetable(row.cron_tab, row.timezone).between(row.next_time, now) or [row.next_time]
    left = [slot for slot in come if slot not in done]
    return DueSlot(left[-1], len(left) - 1) if left else None


def is_from_the_future(row: ScheduleRow, now: datetime) -> bool:
    """Whether it was planned when the clock was ahead."""
    return row.planned_time > now + CLOCK_TOLERANCE
