"""A fair lock: threads of one process write in the order in which they asked.

`threading.Lock` has no order: among many threads, one may wait until it times out.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Generator
from contextlib import contextmanager


class Turns:
    def __init__(self) -> None:
        self._guard, self._is_taken = threading.Lock(), False
        self._waiting: deque[threading.Event] = deque()

    @contextmanager
    def take(self, seconds: float) -> Generator[bool]:
        """Whether it is this thread's turn, after at most this many seconds; the turn ends with the block."""
        is_mine = self._acquire(seconds)
        try:
            yield is_mine
        finally:
            if is_mine:
                self._pass_on()

    def _acquire(self, seconds: float) -> bool:
        with self._guard:
            if not self._is_taken:
                self._is_taken = True
                return True
            mine = threading.Event()
            self._waiting.append(mine)
        return mine.wait(seconds) or self._give_up(mine)

    def _give_up(self, mine: threading.Event) -> bool:
        """Whether the turn came at the last moment."""
        with self._guard:
            if mine.is_set():
                return True
            self._waiting.remove(mine)
            return False

    def _pass_on(self) -> None:
        with self._guard:
            if self._waiting:
                self._waiting.popleft().set()
            else:
                self._is_taken = False
