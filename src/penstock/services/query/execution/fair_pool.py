"""Threads for work of all projects: a free one takes work of the project that has the fewest running.

Threads are started when there is work, and end after a while without any.
"""

from __future__ import annotations

import threading
from collections.abc import Callable

from penstock.foundation.jobs.fair_queue import FairQueue
from penstock.foundation.logging import Log

log = Log("query")

Work = Callable[[], None]
IDLE_SECONDS = 5.0


class FairPool:
    """`per_project` is how many threads one project may use at a time."""

    def __init__(self, threads: int, per_project: int) -> None:
        self._threads, self._per_project = threads, per_project
        self._changed = threading.Condition()
        self._queue = FairQueue[int, Work](per_project)
        self._started = self._idle = 0

    def has_room(self, project_id: int) -> bool:
        """Return whether work of this project would begin immediately."""
        with self._changed:
            busy = self._queue.count_used() + len(self._queue)
            own = self._queue.count_used(project_id) + self._queue.count_waiting(project_id)
            return busy < self._threads and own < self._per_project

    def submit(self, project_id: int, work: Work) -> None:
        with self._changed:
            self._queue.add(project_id, work)
            if len(self._queue) > self._idle and self._started < self._threads:
                self._started += 1
                threading.Thread(target=self._work, name="query", daemon=True).start()
            self._changed.notify()

    def _work(self) -> None:
        while taken := self._take():
            project_id, work = taken
            try:
                work()
            except Exception as error:
                log.error("record of a query job failed", exception=error)
            with self._changed:
                self._queue.release(project_id)
                # Work of this project may have waited for it, and other threads may be idle.
                self._changed.notify()

    def _take(self) -> tuple[int, Work] | None:
        """Return None if there was nothing to do for a while: then the thread ends."""
        with self._changed:
            is_notified = True
            while not (taken := self._queue.take()):
                if not is_notified:
                    self._started -= 1
                    return None
                self._idle += 1
                is_notified = self._changed.wait(IDLE_SECONDS)
                self._idle -= 1
            return taken
