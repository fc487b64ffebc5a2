"""What time it is: always UTC, and replaceable in tests."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime


def _system() -> datetime:
    return datetime.now(UTC)


source: Callable[[], datetime] = _system
"""Where the time comes from; a test may put its own function here."""


def now() -> datetime:
    return source()
