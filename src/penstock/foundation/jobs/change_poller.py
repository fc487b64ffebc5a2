"""When a worker looks for something to do, and whoever waits for a job looks whether it has ended: often they ask
whether anything was written since they last found nothing, which takes microseconds; the table of jobs only then.
"""

from __future__ import annotations

import time

from penstock.foundation.database import Database

POLL_SECONDS = 0.1
LOOK_SECONDS = 0.5
"""A lease or a delay ends although nobody writes anything."""


class ChangePoller:
    """Of one who waits. Where the database does not tell whether anything was written, looking is always due."""

    def __init__(self, database: Database, patience: float = LOOK_SECONDS) -> None:
        self._database, self._patience = database, patience
        self._version: int | None = None
        self._next = 0.0

    def should_poll(self) -> bool:
        """Whether looking may bring something that it did not bring the last time."""
        version, now = self._database.version(), time.monotonic()
        if version is not None and version == self._version and now < self._next:
            return False
        self._version, self._next = version, now + self._patience
        return True
