"""When a worker queries for a job to claim, or a request for the end of the job that it waits for: only if something
was written since the last query. To find that out takes microseconds, so it is done often."""

from __future__ import annotations

import time
from typing import Protocol

POLL_SECONDS = 0.1
LOOK_SECONDS = 0.5
"""A lease or a delay ends without a write."""


class CountsChanges(Protocol):
    def change_count(self) -> int | None: ...


class ChangePoller:
    """For one who waits. While the database cannot tell whether anything was written, it is always time to poll."""

    def __init__(self, database: CountsChanges, patience: float = LOOK_SECONDS) -> None:
        self._database, self._patience = database, patience
        self._count: int | None = None
        self._next = 0.0

    def should_poll(self) -> bool:
        """Whether a query may find something that the last one did not."""
        count, now = self._database.change_count(), time.monotonic()
        if count is not None and count == self._count and now < self._next:
            return False
        self._count, self._next = count, now + self._patience
        return True
