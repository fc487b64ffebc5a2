"""The loops that services declare; a worker process runs each in its own thread."""

from __future__ import annotations

import threading
from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Protocol

import msgspec

from penstock.foundation.stack import Stack


class Background(Protocol):
    """A loop in a worker process."""

    @property
    def drain_seconds(self) -> float | None:
        """How long its work may go on after stop(); None is as long as it takes, if the process is given the time."""
        ...

    def run(self) -> None:
        """Run until stop() is called."""
        ...

    def wake(self) -> None:
        """There may be something to do."""
        ...

    def stop(self) -> None:
        """May be called from a signal handler."""
        ...


class PeriodicLoop(ABC):
    """Calls run_once() again and again, after a pause."""

    drain_seconds: float | None = None

    def __init__(self, pause_seconds: float) -> None:
        self._pause_seconds = pause_seconds
        self._stopping = threading.Event()

    @abstractmethod
    def run_once(self) -> None:
        """Do the work, and raise nothing."""

    def run(self) -> None:
        """Run until stop() is called."""
        while not self._stopping.wait(self._pause_seconds):
            self.run_once()

    def wake(self) -> None:  # noqa: B027 - it waits for nothing but the time
        """Do nothing: the loop waits only for the time."""

    def stop(self) -> None:
        """End the loop when the work of run_once() has ended."""
        self._stopping.set()


class WorkerContext(msgspec.Struct, frozen=True, kw_only=True):
    """What a worker process gives to the loops of services. The settings are those of the stack."""

    stack: Stack
    name: str
    """Of this worker, as it is recorded with the jobs that it claims."""
    find_storage_url: Callable[[], str] = lambda: ""
    """Where a program on this machine reaches Storage; empty if the stack runs elsewhere."""


MakeWorker = Callable[[WorkerContext], Background]
