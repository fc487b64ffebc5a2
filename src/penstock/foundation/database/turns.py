"""A fair lock: projects whose threads wait take turns, and the threads of one project write in the order in which they
asked.

`threading.Lock` has no order: among many threads, one may wait until it times out.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Hashable


class Turns:
    def __init__(self) -> None:
        self._guard, self._is_taken = threading.Lock(), False
        self._queues: dict[Hashable, deque[threading.Event]] = {}
        """By project; the one that had no turn for longest comes first."""
        self._last: Hashable = None

    @property
    def waiting(self) -> int:
        with self._guard:
            return sum(map(len, self._queues.values()))

    def take(self, seconds: float, project: Hashable = None) -> bool:
        """Whether it is this thread's turn, after at most this many seconds."""
        with self._guard:
            if not self._is_taken:
                self._is_taken, self._last = True, project
                return True
            turn = threading.Event()
            self._queues.setdefault(project, deque()).append(turn)
        return turn.wait(seconds) or self._cancel(project, turn)

    def hand_over(self) -> bool:
        """End this turn for the next thread; False, and the turn goes on, if none waits."""
        with self._guard:
            return self._wake_next()

    def end(self) -> None:
        with self._guard:
            self._is_taken = self._wake_next()

    def _wake_next(self) -> bool:
        """A thread of another project than the last one, if there is one."""
        if not self._queues:
            return False
        project = next((each for each in self._queues if each != self._last), self._last)
        queue = self._queues.pop(project)
        queue.popleft().set()
        if queue:
            self._queues[project] = queue
        self._last = project
        return True

    def _cancel(self, project: Hashable, turn: threading.Event) -> bool:
        """Stop waiting. Return whether the turn came at the last moment."""
        with self._guard:
            if turn.is_set():
                return True
            self._queues[project].remove(turn)
            if not self._queues[project]:
                del self._queues[project]
            return False
