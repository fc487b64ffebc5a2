"""Times that clients send: unix seconds, or a text such as `-2 days` or `2026-01-31T10:00:00+00:00`."""

from __future__ import annotations

from datetime import UTC, datetime

from penstock.foundation import clock
from penstock.foundation.moments import strtotime


def read_moment(text: str) -> datetime | None:
    """None for a text that names no time that a database can hold."""
    text = text.strip()
    seconds = int(text) if text.isdecimal() and len(text) < 12 else strtotime(text, int(clock.now().timestamp()))
    try:
        return None if seconds is None else datetime.fromtimestamp(seconds, UTC)
    except (ValueError, OverflowError, OSError):
        return None
