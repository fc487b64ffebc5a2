"""Times as people write them: `-2 days`, `first day of last month`, `2026-01-31T10:00:00+00:00`.

texts.py      strtotime: the parts of a text about time, added up
grammar.py    its words
parts.py      what each word says
formats.py    date: a moment as the letters of a format say
days.py       the calendar
zones.py      names of time zones
clients.py    what clients send: such a text, or a number of seconds
"""

from penstock.foundation.strtotime.clients import read_time
from penstock.foundation.strtotime.texts import strtotime

__all__ = ["read_time", "strtotime"]
