"""What time it is for functions: the moment at which their job began, which a continued run must not move."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from contextvars import ContextVar

from penstock.foundation import clock

_moment: ContextVar[float | None] = ContextVar("moment", default=None)


def now() -> int:
    """A Unix time; that of the clock, unless somebody has fixed it."""
    moment = _moment.get()
    return int(clock.now().timestamp() if moment is None else moment)


@contextmanager
def fixed(moment: float) -> Generator[None]:
    """Inside, it is this Unix time."""
    token = _moment.set(moment)
    try:
        yield
    finally:
        _moment.reset(token)
