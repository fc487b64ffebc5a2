"""What services have done every ten minutes, such as the removal of old rows: by one worker of the stack at a time."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence

from penstock.foundation.errors import AppError
from penstock.foundation.files import locks
from penstock.foundation.logging import Log
from penstock.foundation.stack import Stack

log = Log("maintenance")

MAINTENANCE_SECONDS = 600.0
LOCK = "upkeep.lock"

Task = Callable[[Stack], None]
"""One service's maintenance of its own tables and files."""


class Maintenance:
    """A loop beside those of the workers."""

    drain_seconds: float | None = None

    def __init__(self, stack: Stack, tasks: Sequence[Task]) -> None:
        self._stack, self._tasks = stack, tasks
        self._stopping = threading.Event()

    def run(self) -> None:
        """Until stop()."""
        while not self._stopping.wait(MAINTENANCE_SECONDS):
            _attempt("maintenance", self.run_once)

    def run_once(self) -> None:
        """Does nothing while another worker does it."""
        lock = locks.try_to_hold(self._stack.folder / LOCK)
        if lock:
            with lock:
                for task in self._tasks:
                    _attempt(task.__module__, lambda task=task: task(self._stack))

    def wake(self) -> None:
        """Maintenance does not wait for anything but the time."""

    def stop(self) -> None:
        """The running task ends first."""
        self._stopping.set()


def _attempt(name: str, work: Callable[[], None]) -> None:
    """What fails now is done the next time, and keeps no other task from being done."""
    try:
        work()
    except AppError as error:
        log.warning("maintenance not finished", task=name, reason=str(error))
    except Exception as error:
        log.error("maintenance failed", exception=error, task=name)
