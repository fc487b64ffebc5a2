"""Reserves disk space in a file, to be released when the disk is full.

A stack whose disk is full is read-only: new work is refused, while reading, terminating jobs, deleting and recording
the results of running jobs continue. SQLite needs some space even to read, so the file shrinks by a step whenever none
is left. It is refilled when there is space again.
"""

from __future__ import annotations

import os
from pathlib import Path

from penstock.foundation.errors import Unavailable
from penstock.foundation.logging import Log

log = Log("disk")

FILE = "ballast"
MAX_BYTES, MIN_BYTES, SHARE = 64_000_000, 4_000_000, 20
"""A twentieth of the disk, within these bounds."""
STEPS = 4


class DiskFull(Unavailable):
    code = "diskFull"
    retry_after = 5

    def __init__(self) -> None:
        super().__init__(
            "The disk of the stack is full, so the stack is read-only now. Nothing was changed. "
            "Delete what is not needed, or try again when there is space."
        )


class Ballast:
    """The reserve of one data folder; each process of the stack has its own instance for the same file."""

    def __init__(self, folder: Path) -> None:
        self._folder, self._file = folder, folder / FILE

    def is_read_only(self) -> bool:
        """Whether there is less space than the full ballast and a margin; a disk whose free space cannot be determined
        counts as free."""
        try:
            free, whole = self._measure()
        except OSError:
            return False
        return free + self._size() < whole + _low(whole)

    def ensure_room(self) -> None:
        """Release a step of the ballast if no space is left. Never raises."""
        try:
            free, whole = self._measure()
            size = self._size() if free < _low(whole) else 0
            if size:
                os.truncate(self._file, max(0, size - whole // STEPS))
                log.warning("disk full; a part of the ballast was released", left_bytes=self._size())
        except OSError as error:
            log.warning("release of the ballast failed", reason=str(error))

    def fill(self) -> None:
        """Refill it, if there is space. Never raises."""
        try:
            _, whole = self._measure()
            size = self._size()
            if size < whole and not self.is_read_only():
                _allocate(self._file, whole, size)
        except OSError as error:
            log.warning("creation of the ballast failed", reason=str(error))

    def _measure(self) -> tuple[int, int]:
        """The free space of the disk, and the intended size of the ballast."""
        found = os.statvfs(self._folder)
        total = found.f_blocks * found.f_frsize
        return found.f_bavail * found.f_frsize, max(MIN_BYTES, min(MAX_BYTES, total // SHARE))

    def _size(self) -> int:
        """Return its allocated size on disk, which is what can be released."""
        try:
            return self._file.stat().st_blocks * 512
        except OSError:
            return 0


def _low(whole: int) -> int:
    """Return the free space below which writes may fail."""
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
