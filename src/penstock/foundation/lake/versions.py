"""The versions of catalogs: whether one is as new as it must be, and how new those are that were changed here."""

from __future__ import annotations

import threading
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import duckdb

from penstock.foundation.lake.errors import CatalogOutdated
from penstock.foundation.lake.session import Session

LeastVersion = Callable[[str], int]
"""What a catalog must have at least, by the name of its folder."""
_Identity = tuple[int, int, int]


class Versions:
    """Safe to share between threads."""

    def __init__(self, least_version: LeastVersion) -> None:
        self._least_version = least_version
        self._checked: dict[Path, _Identity] = {}
        self._noted: dict[int, dict[str, int]] = {}
        self._guard = threading.Lock()

    def check(self, session: Session) -> None:
        """Once for each catalog, and again when another file is in its place, or it was written to."""
        file = session.home.catalog_file
        identity = _identify(file)
        if self._checked.get(file) == identity:
            return
        # Asked before the catalog is: that has grown first.
        least = self._least_version(session.home.folder.name)
        if least and (found := session.find_version()) < least:
            raise CatalogOutdated(session.home.folder, found, least)
        self._checked[file] = identity

    def note(self, session: Session) -> None:
        """After a commit. What cannot be found out now is noted after the next one."""
        with suppress(duckdb.Error, OSError):
            home, version = session.home, session.version or session.find_version()
            self._follow(home.catalog_file)
            with self._guard:
                noted = self._noted.setdefault(home.bucket, {})
                noted[home.folder.name] = max(version, noted.get(home.folder.name, 0))

    def _follow(self, file: Path) -> None:
        """A file that was checked, and is still the same, has only been written to by this process itself."""
        before, now = self._checked.get(file), _identify(file)
        if before and before[:2] == now[:2]:
            self._checked[file] = now

    def of(self, bucket: int) -> dict[str, int]:
        """Of the catalogs of a bucket that this process has changed, by the names of their folders."""
        with self._guard:
            return dict(self._noted.get(bucket, {}))


def _identify(file: Path) -> _Identity:
    found = file.stat()
    return found.st_dev, found.st_ino, found.st_mtime_ns
