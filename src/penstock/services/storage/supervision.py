"""Looks after a job of Storage while a worker does it: renews its lease, and stops it when somebody cancels it, when it
takes longer than it may, or when another worker has it."""

from __future__ import annotations

import threading
import time
from collections.abc import Generator
from contextlib import contextmanager, suppress

from penstock.foundation import clock
from penstock.foundation.change_poller import ChangePoller
from penstock.foundation.errors import Unavailable
from penstock.foundation.interruption import Interruption
from penstock.foundation.jobs.claims import RENEW_SECONDS, LeaseLost
from penstock.foundation.stack import Stack
from penstock.services.storage.errors.jobs import JobCancelled, JobTooLong
from penstock.services.storage.models.jobs import JobRow
from penstock.services.storage.store import jobs

LOOK_SECONDS = 0.25


@contextmanager
def supervised(stack: Stack, job: JobRow) -> Generator[None]:
    """What is done in the block can be stopped, until it has committed something."""
    supervisor, work = _Supervisor(stack, job), Interruption(is_held=job.attempt > 1)
    if job.is_cancelled:
        work.stop(JobCancelled())
    thread = threading.Thread(target=supervisor.run, args=(work,), daemon=True)
    thread.start()
    try:
        with work.applied():
            yield
    finally:
        supervisor.is_over.set()
        thread.join()


class _Supervisor:
    def __init__(self, stack: Stack, job: JobRow) -> None:
        self._stack, self._job = stack, job
        self._began = time.monotonic()
        self._renew_at = self._began + RENEW_SECONDS
        self._poller = ChangePoller(stack.database)
        self._reason: Exception | None = None
        self.is_over = threading.Event()

    def run(self, work: Interruption) -> None:
        while not self.is_over.wait(LOOK_SECONDS):
            # What cannot be looked at now is looked at the next time.
            with suppress(Unavailable):
                self._reason = self._reason or self._renew() or self._find_reason()
            if self._reason:
                work.stop(self._reason)

    def _renew(self) -> LeaseLost | None:
        if time.monotonic() < self._renew_at:
            return None
        self._renew_at = time.monotonic() + RENEW_SECONDS
        try:
            with self._stack.database.writing() as tx:
                jobs.renew(tx, self._job, clock.now())
        except LeaseLost as lost:
            return lost
        return None

    def _find_reason(self) -> Exception | None:
        if time.monotonic() - self._began > self._stack.storage_job_timeout:
            return JobTooLong(self._stack.storage_job_timeout)
        if not self._poller.should_poll():
            return None
        with self._stack.database.reading() as tx:
            return JobCancelled() if jobs.is_cancelled(tx, self._job) else None
