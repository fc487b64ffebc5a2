"""How much memory of one kind is held, by whom: a limit for each, and equal shares once there is a lot altogether."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable


class MemoryShares:
    """Used by one event loop. Once `most` bytes are held altogether, a key holds at most its equal share."""

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


class Held:
    """What one request or message holds. Its first bytes are not counted, so that small ones are not refused because
    of large ones."""

    def __init__(self, shares: MemoryShares, key: Hashable, uncounted: int) -> None:
        self._shares, self._key, self._uncounted = shares, key, uncounted
        self._size = self._counted = 0

    def grow(self, size: int) -> bool:
        """Return whether there was room for so many more bytes."""
        self._size += size
        more = max(0, self._size - self._uncounted) - self._counted
        if more and self._shares.is_full(self._key, more):
            return False
        self._counted += more
        self._shares.add(self._key, more)
        return True

    def end(self) -> None:
        self._shares.add(self._key, -self._counted)
        self._size = self._counted = 0
