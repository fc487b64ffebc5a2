"""Stops long work from another thread: a job that is cancelled, is past its deadline, or is no longer this worker's.

Whoever does the work is inside of `applied()`, usually in a worker. What takes long below it asks for `current()`:
loops call check() now and then, and statements of the engine are registered with during(), to be interrupted.

Effects stay all or nothing: once something is about to be committed, shield() decides. Either the work was stopped
before, and shield() raises, or nothing stops it any more.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Generator
from contextlib import contextmanager
from contextvars import ContextVar


class Interrupted(Exception):
    """Base of the reasons that are not errors of the user: whoever stopped the work handles them."""


class Interruption:
    """Of one piece of work that commits at most once.

    `is_held`: of work that was begun before, and may have been committed then. Nothing stops it until it has found out,
    and calls release().
    """

    def __init__(self, *, is_held: bool = False) -> None:
        self._reason: Exception | None = None
        self._is_shielded, self._is_held = False, is_held
        self._interrupts: list[Callable[[], None]] = []
        self._guard = threading.Lock()

    def stop(self, reason: Exception) -> None:
        """Call it again until the work has ended: the engine forgets an interrupt that comes between two statements."""
        with self._guard:
            if self._is_shielded:
                return
            self._reason = self._reason or reason
            for interrupt in () if self._is_held else self._interrupts:
                interrupt()

    def check(self) -> None:
        """Raise the reason to stop, if there is one."""
        if self._reason and not self._is_held:
            raise self._reason

    def release(self) -> None:
        """Nothing was committed before: from here on the work can be stopped, if it was not meanwhile."""
        self._is_held = False
        self.check()

    def shield(self) -> None:
        """To be called right before a commit: raises if the work was stopped; from here on it is not."""
        with self._guard:
            self.check()
            self._is_shielded = True

    def settle(self) -> None:
        """The work ends, in whatever way: what it still has to do, such as a rollback, is not interrupted."""
        with self._guard:
            self._is_shielded = True

    @contextmanager
    def during(self, interrupt: Callable[[], None]) -> Generator[None]:
        """While the block runs, `interrupt` is what makes it end early."""
        with self._guard:
            self.check()
            self._interrupts.append(interrupt)
        try:
            yield
        finally:
            with self._guard:
                self._interrupts.remove(interrupt)

    @contextmanager
    def applied(self) -> Generator[None]:
        """What this thread does in the block is stopped by this interruption."""
        token = _current.set(self)
        try:
            yield
        finally:
            _current.reset(token)


_current: ContextVar[Interruption | None] = ContextVar("interruption", default=None)


def current() -> Interruption:
    """That of the work which this thread does; where nobody can stop it, one that never stops anything."""
    return _current.get() or Interruption()
