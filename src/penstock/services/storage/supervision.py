"""Supervises a job of Storage while it runs: renews its lease, and stops it when it is cancelled or takes too long."""

from __future__ import annotations

import time
from collections.abc import Generator
from contextlib import contextmanager

from penstock.foundation import clock
from penstock.foundation.interruption import Interruption
from penstock.foundation.jobs.change_poller import ChangePoller
from penstock.foundation.jobs.lease import Lease
from penstock.foundation.stack import Stack
from penstock.services.storage.errors.jobs import JobCancelled, JobTooLong
from penstock.services.storage.models.jobs import JobRow
from penstock.services.storage.store import jobs


@contextmanager
def supervised(stack: Stack, job: JobRow) -> Generator[None]:
    """The work in the block can be stopped until it has committed something."""
    work, deadline = Interruption(is_held=job.attempt > 1), time.monotonic() + stack.settings.storage_job_timeout
    poller = ChangePoller(stack.database)
    if job.is_cancelled:
        work.stop(JobCancelled())

    def renew() -> None:
        with stack.database.writing(job.project_id) as tx:
            jobs.renew(tx, job, clock.now())

    def check() -> Exception | None:
        if time.monotonic() > deadline:
            return JobTooLong(stack.settings.storage_job_timeout)
        if not poller.should_poll():
            return None
        with stack.database.reading() as tx:
            return JobCancelled() if jobs.is_cancelled(tx, job) else None

    with Lease(renew, check, work.stop), work.applied():
        yield
