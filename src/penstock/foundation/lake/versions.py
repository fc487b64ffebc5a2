"""Versions of catalogs: checks that each is as new as recorded, and tracks those that this process has changed."""

from __future__ import annotations

import threading
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import duckdb

from penstock.foundation.lake.errors import CatalogOutdated
from penstock.foundation.lake.session import Session

LeastVersion = Callable[[str], int]
"""The minimum version of a catalog, by the name of its folder."""
_Identity = tuple[int, int, int]


class Versions:
    """Thread-safe."""

    def __init__(self, least_version: LeastVersion) -> None:
        self._least_version = least_version
        self._checked: dict[Path, _Identity] = {}
        self._noted: dict[int, dict[str, int]] = {}
        self._guard = threading.Lock()

    def check(self, session: Session) -> None:
        """Once per catalog, and again when its file was replaced or written to."""
        file = session.home.catalog_file
        identity = _identify(file)
        if self._checked.get(file) == identity:
            return
        # Read before the catalog's version, which is increased first.
        least = self._least_version(session.home.folder.name)
        if least and (found := session.find_version()) < least:
            raise CatalogOutdated(session.home.folder, found, least)
        self._checked[file] = identity

    def note(self, session: Session) -> None:
        """Call after a commit. If the version cannot be read now, it is recorded after the next commit."""
        with suppress(duckdb.Error, OSError):
            home, version = session.home, session.version or session.find_version()
            self._follow(home.catalog_file)
            with self._guard:
                noted = self._noted.setdefault(home.bucket, {})
                noted[home.folder.name] = max(version, noted.get(home.folder.name, 0))

    def _follow(self, file: Path) -> None:
        """A checked file that is still the same has only been written to by this process."""
        before, now = self._checked.get(file), _identify(file)
        if before and before[:2] == now[:2]:
            self._checked[file] = now

    def of(self, bucket: int) -> dict[str, int]:
        """The catalogs of a bucket that this process has changed, by the names of their folders."""
        with self._guard:
            return dict(self._noted.get(bucket, {}))


def _identify(file: Path) -> _Identity:
    found = file.stat()
    return found.st_dev, found.st_ino, found.st_mtime_ns
