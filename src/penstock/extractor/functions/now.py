"""What time it is for functions: the moment at which their job began, which a continued run must not move."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from contextvars import ContextVar

from penstock.foundation import clock

_time: ContextVar[float | None] = ContextVar("moment", default=None)


def now() -> int:
    """A Unix time; that of the clock, unless somebody has fixed it."""
    moment = _time.get()
    return int(clock.now().timestamp() if moment is None else moment)


@contextmanager
def fixed(moment: float) -> Generator[None]:
    """Inside, it is this Unix time."""
    token = _time.set(moment)
    try:
        yield
    finally:
        _time.reset(token)
