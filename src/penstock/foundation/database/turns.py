"""A fair lock: threads of one process write in the order in which they asked.

`threading.Lock` has no order: among many threads, one may wait until it times out.
"""

from __future__ import annotations

import threading
from collections import deque


class Turns:
    def __init__(self) -> None:
        self._guard, self._is_taken = threading.Lock(), False
        self._waiting: deque[threading.Event] = deque()

    def take(self, seconds: float) -> bool:
        """Whether it is this thread's turn, after at most this many seconds."""
        with self._guard:
            if not self._is_taken:
                self._is_taken = True
                return True
            mine = threading.Event()
            self._waiting.append(mine)
        return mine.wait(seconds) or self._give_up(mine)

    def hand_over(self) -> bool:
        """End this turn for the next thread; False, and the turn goes on, if none waits."""
        with self._guard:
            return self._wake_next()

    def end(self) -> None:
        with self._guard:
            self._is_taken = self._wake_next()

    def _wake_next(self) -> bool:
        if not self._waiting:
            return False
        self._waiting.popleft().set()
        return True

    def _give_up(self, mine: threading.Event) -> bool:
        """Whether the turn came at the last moment."""
        with self._guard:
            if mine.is_set():
                return True
            self._waiting.remove(mine)
            return False
