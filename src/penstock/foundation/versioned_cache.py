"""What was read from the database, remembered for as long as nothing in the database changes, or nothing that counts.

Who asks looks at that version first, reads if nothing is remembered for it, and keeps what it read under the
version it saw before it read. So a change that comes in between makes what was kept worthless, never wrong.
"""

from __future__ import annotations

import threading
from collections.abc import Hashable
from typing import Generic, TypeVar

T = TypeVar("T")

MOST = 1000


class VersionedCache(Generic[T]):
    """Of one version of the database; the next one empties it. Full, it forgets what it has kept the longest."""

    def __init__(self, most: int = MOST) -> None:
        self._most = most
        self._version: int | None = None
        self._kept: dict[Hashable, T] = {}
        self._lock = threading.Lock()

    def recall(self, version: int | None, key: Hashable) -> T | None:
        """What was kept for this very version, if anything; an unknown version has nothing."""
        with self._lock:
            return self._kept.get(key) if version is not None and version == self._version else None

    def keep(self, version: int | None, key: Hashable, value: T) -> None:
        """`version` is what it was before the value was read."""
        with self._lock:
            if version is None or (self._version is not None and version < self._version):
                return
            if version != self._version:
                self._kept.clear()
                self._version = version
            if len(self._kept) >= self._most and key not in self._kept:
                del self._kept[next(iter(self._kept))]
            self._kept[key] = value
