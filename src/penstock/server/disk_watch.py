"""Watches the disk of a running stack: logs when the stack becomes read-only and when it is writable again."""

from __future__ import annotations

import threading

from penstock.foundation.files.ballast import Ballast
from penstock.foundation.logging import Log

log = Log("disk")

LOOK_SECONDS = 1.0
FULL = "the disk is full: the stack is read-only until there is space"


class DiskWatch:
    def __init__(self, ballast: Ballast) -> None:
        self._ballast = ballast
        self._is_read_only = False
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._watch, daemon=True)

    def start(self) -> None:
        self._look()
        self._thread.start()

    def stop(self) -> None:
        self._stopping.set()

    def _watch(self) -> None:
        while not self._stopping.wait(LOOK_SECONDS):
            self._look()

    def _look(self) -> None:
        is_read_only = self._ballast.is_read_only()
        if is_read_only and not self._is_read_only:
            log.error(FULL)
        elif self._is_read_only and not is_read_only:
            log.warning("there is space on the disk again: the stack accepts all requests")
        self._is_read_only = is_read_only
        self._ballast.fill()
