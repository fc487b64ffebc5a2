"""The loop that fires schedules, in every worker process. An idle one writes nothing, and reads only when something was
written or a slot has come."""

from __future__ import annotations

from datetime import datetime, timedelta

from penstock.foundation import clock
from penstock.foundation.errors import Unavailable
from penstock.foundation.jobs.background import PeriodicLoop
from penstock.foundation.jobs.change_poller import ChangePoller
from penstock.foundation.logging import Log
from penstock.foundation.stack import Stack
from penstock.services.scheduler import firing, store

log = Log("scheduler")

POLL_SECONDS = 0.5
SAFETY_SECONDS = 5.0
"""It looks at least this often: the clock may have been set, or a change may have been committed unnoticed."""
RETRY = timedelta(seconds=SAFETY_SECONDS)


class Worker(PeriodicLoop):
    def __init__(self, stack: Stack) -> None:
        super().__init__(POLL_SECONDS)
        self._stack = stack
        self._changes = ChangePoller(stack.database, SAFETY_SECONDS)
        self._due: datetime | None = None

    def run_once(self) -> None:
        """Fire what is due. On a full disk nothing is fired: what is missed is made up for later."""
        is_due = self._due is not None and self._due <= clock.now()
        if not (self._changes.should_poll() or is_due) or self._stack.ballast.is_read_only():
            return
        try:
            self._fire()
        except Unavailable as error:
            self._due = clock.now() + RETRY
            log.warning("firing of schedules failed", reason=str(error))
        except Exception as error:
            self._due = clock.now() + RETRY
            log.error("firing of schedules failed", exception=error)

    def _fire(self) -> None:
        firing.fire_all_due(self._stack, self._stopping.is_set)
        with self._stack.database.reading() as tx:
            now = clock.now()
            first, following = store.find_next_time(tx), store.find_next_time(tx, now)
        # What is due still could not be fired.
        is_left = first is not None and first <= now
        self._due = min(following or now + RETRY, now + RETRY) if is_left else following
