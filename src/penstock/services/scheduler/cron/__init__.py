"""Cron expressions, and the times at which they fire in a time zone.

fields.py      one field: numbers, names, lists, ranges, steps
expression.py  five fields, and the wall-clock times that they match
zones.py       a time zone by its IANA name or offset, and what its daylight saving does to a wall-clock time
timetable.py   an expression in a time zone: its slots, which are times in UTC
"""

from penstock.services.scheduler.cron.expression import Cron, read_cron
from penstock.services.scheduler.cron.timetable import Timetable, read_timetable
from penstock.services.scheduler.cron.zones import read_zone, to_utc

__all__ = ["Cron", "Timetable", "read_cron", "read_timetable", "read_zone", "to_utc"]
