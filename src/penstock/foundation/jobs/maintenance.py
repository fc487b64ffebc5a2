"""What services have done every ten minutes, such as the removal of old rows: by one worker of the stack at a time."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from penstock.foundation.errors import AppError
from penstock.foundation.files import locks
from penstock.foundation.jobs.background import PeriodicLoop
from penstock.foundation.logging import Log
from penstock.foundation.stack import Stack

log = Log("maintenance")

MAINTENANCE_SECONDS = 600.0
LOCK = "upkeep.lock"

Task = Callable[[Stack], None]
"""One service's maintenance of its own tables and files."""


class Maintenance(PeriodicLoop):
    """A loop in each worker process."""

    def __init__(self, stack: Stack, tasks: Sequence[Task]) -> None:
        super().__init__(MAINTENANCE_SECONDS)
        self._stack, self._tasks = stack, tasks

    def run_once(self) -> None:
        """Carry out the tasks, unless another worker does."""
        _attempt("maintenance", self._run_tasks)

    def _run_tasks(self) -> None:
        lock = locks.try_to_hold(self._stack.folder / LOCK)
        if lock:
            with lock:
                for task in self._tasks:
                    _attempt(task.__module__, lambda task=task: task(self._stack))


def _attempt(name: str, work: Callable[[], None]) -> None:
    """What fails now is done the next time, and keeps no other task from being done."""
    try:
        work()
    except AppError as error:
        log.warning("maintenance not finished", task=name, reason=str(error))
    except Exception as error:
        log.error("maintenance failed", exception=error, task=name)
