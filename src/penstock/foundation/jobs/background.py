"""What runs in a worker process: loops that services declare, each in a thread of its own."""

from __future__ import annotations

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
        """Until stop()."""
        ...

    def wake(self) -> None:
        """There may be something to do."""
        ...

    def stop(self) -> None:
        """May be called from a signal handler."""
        ...


class WorkerContext(msgspec.Struct, frozen=True, kw_only=True):
    """What a worker process gives to the loops of services. The settings are those of the stack."""

    stack: Stack
    name: str
    """Of this worker, as it is recorded with the jobs that it claims."""
    find_storage_url: Callable[[], str] = lambda: ""
    """Where a program on this machine reaches Storage; empty if the stack runs elsewhere."""


MakeWorker = Callable[[WorkerContext], Background]
