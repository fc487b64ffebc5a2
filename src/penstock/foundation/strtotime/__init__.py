"""Times as users write them: `-2 days`, `first day of last month`, `2026-01-31T10:00:00+00:00`.

texts.py      strtotime: evaluates a time expression
grammar.py    its tokens
parts.py      the effect of each token
formats.py    date: formats a time
days.py       the calendar
zones.py      names of time zones
clients.py    times in requests: such a text, or unix seconds
"""

from penstock.foundation.strtotime.clients import read_time
from penstock.foundation.strtotime.texts import strtotime

__all__ = ["read_time", "strtotime"]
