"""Times that clients send: unix seconds, or a text such as `-2 days` or `2026-01-31T10:00:00+00:00`."""

from __future__ import annotations

import re
from contextlib import suppress
from datetime import UTC, datetime

from penstock.foundation import clock
from penstock.foundation.strtotime.texts import strtotime

_EXACT = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\.[0-9]{6}\+00:00")
"""The precision in which jobs store the time of a table's import; all other texts have whole seconds."""


def read_time(text: str) -> datetime | None:
    """Return None for a text that is not a time, or one that a database cannot store."""
    text = text.strip()
    if _EXACT.fullmatch(text):
        with suppress(ValueError):
            return datetime.fromisoformat(text)
    seconds = int(text) if text.isdecimal() and len(text) < 12 else strtotime(text, int(clock.now().timestamp()))
    try:
        return None if seconds is None else datetime.fromtimestamp(seconds, UTC)
    except (ValueError, OverflowError, OSError):
        return None
