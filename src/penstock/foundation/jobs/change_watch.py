"""One thread for all workers of a process that wait: it polls whether anything was written, and wakes them.

A worker process has a dozen loops. If each polled by itself, an idle stack would use a percent of a processor.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Generator
from contextlib import contextmanager

from penstock.foundation.jobs.change_poller import POLL_SECONDS, CountsChanges
from penstock.foundation.logging import Log

log = Log("jobs")

Wake = Callable[[], None]


class _Watch(threading.Thread):
    """Polls one database while workers are registered."""

    def __init__(self, database: CountsChanges) -> None:
        super().__init__(name="changes", daemon=True)
        self._database, self.ended = database, threading.Event()
        self.wakes: list[Wake] = []

    def run(self) -> None:
        """Wakes all workers when the count has changed, or is unknown."""
        last: int | None = None
        while not self.ended.wait(POLL_SECONDS):
            count = self._count()
            if count is None or count != last:
                for wake in list(self.wakes):
                    wake()
            last = count

    def _count(self) -> int | None:
        try:
            return self._database.change_count()
        except Exception as error:
            log.error("count of changes failed", exception=error)
            return None


_LOCK = threading.Lock()
_WATCHES: dict[CountsChanges, _Watch] = {}


@contextmanager
def woken_by_changes(database: CountsChanges, wake: Wake) -> Generator[None]:
    """Calls `wake` in another thread, within POLL_SECONDS after any process has written something."""
    _add(database, wake)
    try:
        yield
    finally:
        _remove(database, wake)


def _add(database: CountsChanges, wake: Wake) -> None:
    with _LOCK:
        if database not in _WATCHES:
            _WATCHES[database] = _Watch(database)
            _WATCHES[database].start()
        _WATCHES[database].wakes.append(wake)


def _remove(database: CountsChanges, wake: Wake) -> None:
    with _LOCK:
        watch = _WATCHES[database]
        watch.wakes.remove(wake)
        if not watch.wakes:
            watch.ended.set()
            del _WATCHES[database]
