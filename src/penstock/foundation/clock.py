"""The current time: always UTC, and replaceable in tests."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime


def _system() -> datetime:
    return datetime.now(UTC)


source: Callable[[], datetime] = _system
"""The source of the time; a test may replace it."""


def now() -> datetime:
    return source()
