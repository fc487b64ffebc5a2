"""How much memory request bodies take until their responses are sent.

A body is complete before its request waits for a thread, and a client may take hours for its last byte. So each
project, and each network of requests without a token, holds only so much; a body that would be more is refused.
"""

from __future__ import annotations

from collections.abc import Generator, Hashable
from contextlib import contextmanager
from contextvars import ContextVar

from penstock.foundation.memory_shares import Held, MemoryShares
from penstock.web.fair_threads import TooBusy

UNCOUNTED_BYTES = 16_000
OF_PROJECTS, OF_NETWORKS = (256_000_000, 64_000_000), (64_000_000, 24_000_000)
"""The most of all together, and of one."""

_current: ContextVar[Held | None] = ContextVar("penstock.body", default=None)
"""Of the request that is handled; each is a task with its own context."""


@contextmanager
def counting(shares: MemoryShares, key: Hashable) -> Generator[None]:
    """Count the body that is read in this block, until its end."""
    body = Held(shares, key, UNCOUNTED_BYTES)
    token = _current.set(body)
    try:
        yield
    finally:
        _current.reset(token)
        body.end()


def grow_body(size: int) -> None:
    """Raise TooBusy if the body of the current request must not take so much more memory."""
    body = _current.get()
    if body and not body.grow(size):
        raise TooBusy
