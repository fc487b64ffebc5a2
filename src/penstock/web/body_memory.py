"""How much memory request bodies take until their responses are sent.

A body is complete before its request waits for a thread, and a client may take hours for its last byte. So each
project, and each network of requests without a token, holds only so much; a body that would be more is refused.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Generator, Hashable
from contextlib import contextmanager
from contextvars import ContextVar

from penstock.web.fair_threads import TooBusy

UNCOUNTED_BYTES = 16_000
"""Of each body: small requests are not refused because of large ones."""
OF_PROJECTS, OF_NETWORKS = (256_000_000, 64_000_000), (64_000_000, 24_000_000)
"""The most of all together, and of one."""


class BodyMemory:
    """Used by one event loop. Once there is `most` altogether, a key holds at most its equal share."""

    def __init__(self, most: int, most_of_key: int) -> None:
        self._most, self._most_of_key = most, most_of_key
        self._held: Counter[Hashable] = Counter()

    @property
    def total(self) -> int:
        return self._held.total()

    def is_full(self, key: Hashable, size: int) -> bool:
        """Tell whether `size` more bytes are too many for the key."""
        is_much = self.total + size > self._most
        share = self._most // len({*self._held, key}) if is_much else self._most_of_key
        return self._held[key] + size > min(share, self._most_of_key)

    def add(self, key: Hashable, size: int) -> None:
        self._held[key] += size
        if not self._held[key]:
            del self._held[key]


class Body:
    """The memory that the body of one request takes."""

    def __init__(self, memory: BodyMemory, key: Hashable) -> None:
        self._memory, self._key = memory, key
        self._size = self._counted = 0

    def grow(self, size: int) -> None:
        """Raise TooBusy if there is no room for so many more bytes."""
        self._size += size
        more = max(0, self._size - UNCOUNTED_BYTES) - self._counted
        if more and self._memory.is_full(self._key, more):
            raise TooBusy
        self._counted += more
        self._memory.add(self._key, more)

    def end(self) -> None:
        self._memory.add(self._key, -self._counted)
        self._counted = 0


_current: ContextVar[Body | None] = ContextVar("penstock.body", default=None)
"""Of the request that is handled; each is a task with its own context."""


@contextmanager
def counting(memory: BodyMemory, key: Hashable) -> Generator[None]:
    """Count the body that is read in this block, until its end."""
    body = Body(memory, key)
    token = _current.set(body)
    try:
        yield
    finally:
        _current.reset(token)
        body.end()


def grow_body(size: int) -> None:
    """Raise TooBusy if the body of the current request must not take so much more memory."""
    if body := _current.get():
        body.grow(size)
