"""The current time for functions: when their job began, which is the same in a resumed run."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from contextvars import ContextVar

from penstock.foundation import clock

_time: ContextVar[float | None] = ContextVar("moment", default=None)


def now() -> int:
    """A Unix time: that of the clock, unless it is fixed."""
    moment = _time.get()
    return int(clock.now().timestamp() if moment is None else moment)


@contextmanager
def fixed(moment: float) -> Generator[None]:
    """Inside the block, now() returns this Unix time."""
    token = _time.set(moment)
    try:
        yield
    finally:
        _time.reset(token)
