"""Threads for work of all projects: a free one takes work of the project that has the fewest running.

Threads are started when there is work, and end after a while without any.
"""

from __future__ import annotations

import threading
from collections import Counter, deque
from collections.abc import Callable

from penstock.foundation.logging import Log

log = Log("query")

Work = Callable[[], None]
IDLE_SECONDS = 5.0


class FairPool:
    """`per_project` is how many threads one project may use at a time."""

    def __init__(self, threads: int, per_project: int) -> None:
        self._threads, self._per_project = threads, per_project
        self._changed = threading.Condition()
        self._waiting: dict[int, deque[Work]] = {}
        self._running: Counter[int] = Counter()
        self._started = self._idle = 0

    def has_room(self, project_id: int) -> bool:
        """Whether work of this project would begin at once."""
        with self._changed:
            busy = self._running.total() + sum(map(len, self._waiting.values()))
            mine = self._running[project_id] + len(self._waiting.get(project_id, ()))
            return busy < self._threads and mine < self._per_project

    def submit(self, project_id: int, work: Work) -> None:
        with self._changed:
            self._waiting.setdefault(project_id, deque()).append(work)
            waiting = sum(map(len, self._waiting.values()))
            if waiting > self._idle and self._started < self._threads:
                self._started += 1
                threading.Thread(target=self._work, name="query", daemon=True).start()
            self._changed.notify()

    def _work(self) -> None:
        while found := self._take():
            project_id, work = found
            try:
                work()
            except Exception as error:
                log.error("query job not recorded", exception=error)
            with self._changed:
                self._running[project_id] -= 1
                if not self._running[project_id]:
                    del self._running[project_id]
                # Work of this project may have waited for it, and other threads may be idle.
                self._changed.notify()

    def _take(self) -> tuple[int, Work] | None:
        """None if there was nothing to do for a while: then the thread ends."""
        with self._changed:
            while (project_id := self._next_project()) is None:
                self._idle += 1
                is_notified = self._changed.wait(IDLE_SECONDS)
                self._idle -= 1
                if not is_notified and self._next_project() is None:
                    self._started -= 1
                    return None
            # The rest of its work goes behind that of projects that have as few running.
            queue = self._waiting.pop(project_id)
            work = queue.popleft()
            if queue:
                self._waiting[project_id] = queue
            self._running[project_id] += 1
            return project_id, work

    def _next_project(self) -> int | None:
        free = [each for each in self._waiting if self._running[each] < self._per_project]
        return min(free, key=self._running.__getitem__) if free else None
