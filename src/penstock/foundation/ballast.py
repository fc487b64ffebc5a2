"""A file that holds room for the moment when the disk is full.

A stack whose disk is full is read-only: new work is refused, and reading, terminating jobs, deleting and recording how
running jobs ended go on. SQLite needs a little room even to read, so the ballast shrinks by a step whenever there is
none left. It is made whole again when there is room.
"""

from __future__ import annotations

import os
from pathlib import Path

from penstock.foundation.errors import Unavailable
from penstock.foundation.logging import Log

log = Log("disk")

FILE = "ballast"
MOST_BYTES, LEAST_BYTES, SHARE = 64_000_000, 4_000_000, 20
"""A twentieth of the disk, within these bounds."""
STEPS = 4


class DiskFull(Unavailable):
    code = "diskFull"
    retry_after = 5

    def __init__(self) -> None:
        super().__init__(
            "The disk of the stack is full, so the stack is read-only now. Nothing was changed. "
            "Delete what is not needed, or try again when there is room."
        )


class Ballast:
    """Of one data folder; every process of the stack has its own of these, on the same file."""

    def __init__(self, folder: Path) -> None:
        self._folder, self._file = folder, folder / FILE

    def is_read_only(self) -> bool:
        """Whether there is less room than the whole ballast and some more; a disk that cannot be asked has room."""
        try:
            free, whole = self._measure()
        except OSError:
            return False
        return free + self._size() < whole + _low(whole)

    def ensure_room(self) -> None:
        """Give back a step of the ballast if nothing else is left. Never raises."""
        try:
            free, whole = self._measure()
            size = self._size() if free < _low(whole) else 0
            if size:
                os.truncate(self._file, max(0, size - whole // STEPS))
                log.warning("disk full; a part of the ballast was given back", left_bytes=self._size())
        except OSError as error:
            log.warning("ballast not given back", reason=str(error))

    def fill(self) -> None:
        """Make it whole, if there is room. Never raises."""
        try:
            _, whole = self._measure()
            size = self._size()
            if size < whole and not self.is_read_only():
                _allocate(self._file, whole, size)
        except OSError as error:
            log.warning("ballast not made", reason=str(error))

    def _measure(self) -> tuple[int, int]:
        """What is free on the disk, and how large the ballast should be."""
        found = os.statvfs(self._folder)
        total = found.f_blocks * found.f_frsize
        return found.f_bavail * found.f_frsize, max(LEAST_BYTES, min(MOST_BYTES, total // SHARE))

    def _size(self) -> int:
        """What it takes on the disk, which is what can be given back."""
        try:
            return self._file.stat().st_blocks * 512
        except OSError:
            return 0


def _low(whole: int) -> int:
    """With less than this, nothing more can be relied on."""
    return whole // STEPS // 2


def _allocate(file: Path, size: int, before: int) -> None:
    handle = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_NOFOLLOW, 0o600)
    try:
        if hasattr(os, "posix_fallocate"):
            os.posix_fallocate(handle, 0, size)
        else:
            for start in range(before, size, 1_000_000):
                os.pwrite(handle, bytes(min(1_000_000, size - start)), start)
    except OSError:
        os.ftruncate(handle, before)
        raise
    finally:
        os.close(handle)
