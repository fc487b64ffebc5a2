"""Stops long work from another thread: a job that was cancelled, exceeded its deadline, or was lost to another worker.

The work runs inside `applied()`, usually in a worker. Long operations use `current()`: loops call check() regularly,
and statements of the engine are registered with during(), to be interrupted.

Effects stay all or nothing: before a commit, shield() decides. Either the work was stopped before, and shield() raises,
or it can no longer be stopped.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Generator
from contextlib import contextmanager
from contextvars import ContextVar


class Interrupted(Exception):
    """Base of the reasons that are not errors of the user; the code that stopped the work handles them."""


class Interruption:
    """Interrupts one piece of work that commits at most once.

    `is_held`: the work was started before, and may have committed then. It cannot be stopped until it has found out,
    and calls release().
    """

    def __init__(self, *, is_held: bool = False) -> None:
        self._reason: Exception | None = None
        self._is_shielded, self._is_held = False, is_held
        self._interrupts: list[Callable[[], None]] = []
        self._guard = threading.Lock()

    def stop(self, reason: Exception) -> None:
        """Call it repeatedly until the work has ended: the engine ignores an interrupt between two statements."""
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
        """Nothing was committed before: from here on the work can be stopped; raises if it already was."""
        self._is_held = False
        self.check()

    def shield(self) -> None:
        """Call right before a commit: raises if the work was stopped; afterwards it cannot be stopped."""
        with self._guard:
            self.check()
            self._is_shielded = True

    def settle(self) -> None:
        """The work is ending: its cleanup, such as a rollback, must not be interrupted."""
        with self._guard:
            self._is_shielded = True

    @contextmanager
    def during(self, interrupt: Callable[[], None]) -> Generator[None]:
        """While the block runs, `interrupt` is called to end it early."""
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
        """Work of this thread in the block is stopped by this interruption."""
        token = _current.set(self)
        try:
            yield
        finally:
            _current.reset(token)


_current: ContextVar[Interruption | None] = ContextVar("interruption", default=None)


def current() -> Interruption:
    """The interruption of this thread's work; a dummy that never stops anything if there is none."""
    return _current.get() or Interruption()
