"""Items that wait, each with a key such as its project: the next one is of the key that has the fewest in use."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Hashable
from typing import Generic, TypeVar

Key = TypeVar("Key", bound=Hashable)
Item = TypeVar("Item")


class FairQueue(Generic[Key, Item]):
    """A key has at most `max_of_key` items in use. Several threads need a lock around each call."""

    def __init__(self, max_of_key: int) -> None:
        self._max_of_key = max_of_key
        self._used: Counter[Key] = Counter()
        self._waiting: dict[Key, deque[Item]] = {}
        """Of keys with as many in use, the first one is next."""
        self._size = 0

    def __len__(self) -> int:
        """Count the items that wait."""
        return self._size

    def add(self, key: Key, item: Item) -> None:
        self._waiting.setdefault(key, deque()).append(item)
        self._size += 1

    def take(self) -> tuple[Key, Item] | None:
        """Return the next item, now in use, and its key; None if no key that waits may have another one."""
        free = [key for key in self._waiting if not self.is_full(key)]
        if not free:
            return None
        key = min(free, key=self._used.__getitem__)
        # The rest of its items goes behind those of keys that have as few in use.
        items = self._waiting.pop(key)
        item = items.popleft()
        if items:
            self._waiting[key] = items
        self._size -= 1
        self.use(key)
        return key, item

    def remove(self, key: Key, item: Item) -> None:
        """Remove an item that waits."""
        self._waiting[key].remove(item)
        self._size -= 1
        if not self._waiting[key]:
            del self._waiting[key]

    def remove_last(self, key: Key) -> Item:
        item = self._waiting[key][-1]
        self.remove(key, item)
        return item

    def use(self, key: Key) -> None:
        """Count an item of this key that did not have to wait as used."""
        self._used[key] += 1

    def release(self, key: Key) -> None:
        """Count an item of this key as no longer in use."""
        self._used[key] -= 1
        if not self._used[key]:
            del self._used[key]

    def is_full(self, key: Key) -> bool:
        return self._used[key] >= self._max_of_key

    def count_waiting(self, key: Key) -> int:
        return len(self._waiting.get(key, ()))

    def count_used(self, key: Key | None = None) -> int:
        return self._used.total() if key is None else self._used[key]

    def find_longest(self) -> Key | None:
        """Return the key with the most items that wait."""
        return max(self._waiting, key=self.count_waiting, default=None)
