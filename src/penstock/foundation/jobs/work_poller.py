"""When a worker tries to claim a job. An idle one writes nothing, and reads only when something was written, or when a
delay or a lease has ended."""

from __future__ import annotations

from datetime import datetime, timedelta

from penstock.foundation import clock
from penstock.foundation.database import Database
from penstock.foundation.jobs.change_poller import LOOK_SECONDS, POLL_SECONDS, ChangePoller
from penstock.foundation.jobs.claims import Claims

SAFETY_SECONDS = 5.0
"""A process that is killed may have written a job without telling others (PostgreSQL's notifications)."""


class WorkPoller:
    def __init__(self, database: Database, claims: Claims) -> None:
        self._database, self._claims = database, claims
        self._changes = ChangePoller(database, SAFETY_SECONDS)
        self._due: datetime | None = None

    def should_claim(self) -> bool:
        """Whether a claim may find a job that the last one did not."""
        now = clock.now()
        is_due = self._due is not None and self._due <= now
        if not self._changes.should_poll() and not is_due:
            return False
        # Checked again soon if this fails, or if what is found cannot be claimed now.
        self._due = now + timedelta(seconds=LOOK_SECONDS)
        with self._database.reading() as tx:
            due = self._claims.find_due_time(tx, now)
        if due is not None and due <= now:
            return True
        self._due = due
        return False

    def seconds_to_wait(self) -> float:
        """Return the time until should_claim() may be true again, if nothing is written."""
        left = (self._due - clock.now()).total_seconds() if self._due else SAFETY_SECONDS
        return min(max(left, POLL_SECONDS), SAFETY_SECONDS)
