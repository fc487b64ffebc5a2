"""Moments that people write: `-2 days`, `first day of last month`, `2026-01-31T10:00:00+00:00`.

texts.py      strtotime: the parts of a text about time, added up
grammar.py    its words
parts.py      what each word says
days.py       the calendar
zones.py      names of time zones
"""

from penstock.foundation.moments.texts import strtotime

__all__ = ["strtotime"]
