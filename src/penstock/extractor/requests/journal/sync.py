"""Syncs what was written about twice a second, in a thread, so that the run never waits for the disk."""

from __future__ import annotations

import os
import threading
from contextlib import suppress
from pathlib import Path

from penstock.foundation.files.durable import sync_path

SECONDS = 0.5


class Syncing:
    """Syncs an open file while it grows, and its folders once; the thread starts with the first `notify`."""

    def __init__(self, handle: int, *folders: Path) -> None:
        self._handle, self._folders = handle, folders
        self._is_dirty, self._is_over = threading.Event(), threading.Event()
        self._thread: threading.Thread | None = None

    def notify(self) -> None:
        """Notes that something was written."""
        self._is_dirty.set()
        if self._thread is None:
            self._thread = threading.Thread(target=self._work, name="journal", daemon=True)
            self._thread.start()

    def stop(self) -> None:
        """Stops syncing; the file may be closed afterwards."""
        self._is_over.set()
        if self._thread is not None:
            self._thread.join()

    def sync(self) -> None:
        """Syncs now."""
        self._is_dirty.clear()
        with suppress(OSError):  # the next write to a broken disk raises
            os.fsync(self._handle)
            for folder in self._folders:
                sync_path(folder)
            self._folders = ()

    def _work(self) -> None:
        while not self._is_over.wait(SECONDS):
            if self._is_dirty.is_set():
                self.sync()
