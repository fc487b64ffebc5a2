"""A cache of values read from the database, valid as long as the database, or the relevant part of it, does not change.

The reader gets the version first, reads if there is no value for it, and stores the value under the version it got
before reading. So a change in between makes the stored value useless, never wrong.
"""

from __future__ import annotations

import threading
from collections.abc import Hashable
from typing import Generic, TypeVar

T = TypeVar("T")

MAX_ENTRIES = 1000


class VersionedCache(Generic[T]):
    """Holds values of one version of the database; a new version empties it. When full, it evicts the oldest value."""

    def __init__(self, most: int = MAX_ENTRIES) -> None:
        self._most = most
        self._version: int | None = None
        self._kept: dict[Hashable, T] = {}
        self._lock = threading.Lock()

    def get(self, version: int | None, key: Hashable) -> T | None:
        """The value stored for exactly this version, if any; an unknown version (None) has none."""
        with self._lock:
            return self._kept.get(key) if version is not None and version == self._version else None

    def put(self, version: int | None, key: Hashable, value: T) -> None:
        """`version` is the one from before the value was read."""
        with self._lock:
            if version is None or (self._version is not None and version < self._version):
                return
            if version != self._version:
                self._kept.clear()
                self._version = version
            if len(self._kept) >= self._most and key not in self._kept:
                del self._kept[next(iter(self._kept))]
            self._kept[key] = value
