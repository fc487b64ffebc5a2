"""The loop of a worker: claims a job, performs it, claims the next; waits when there is none.

A service's worker says how a job is claimed and what is done with it. Everything that a job changes names its attempt
(change_claimed), so a worker may die at any point: the lease runs out, and another one performs the job again.
"""

from __future__ import annotations

import threading
from abc import ABC, abstractmethod
from contextlib import suppress
from datetime import datetime, timedelta
from typing import Generic, TypeVar

from penstock.foundation import clock
from penstock.foundation.database import Database
from penstock.foundation.errors import Unavailable
from penstock.foundation.jobs.change_poller import LOOK_SECONDS, POLL_SECONDS, ChangePoller
from penstock.foundation.jobs.change_watch import woken_by_changes
from penstock.foundation.jobs.claims import Claims, LeaseLost
from penstock.foundation.logging import Log

SAFETY_SECONDS = 5.0
"""A process that is killed may have written a job without telling others (PostgreSQL's notifications)."""


class WorkPoller:
    """Tells when a worker tries to claim a job. An idle one writes nothing, and reads only when something was written,
    or when a delay or a lease has ended."""

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


log = Log("jobs")

Job = TypeVar("Job")


class Worker(ABC, Generic[Job]):
    """One job at a time. stop() lets the running job end; interrupt() is called when that takes too long."""

    drain_seconds: float | None = None
    """How long a running job may go on after stop(); None is as long as it takes."""

    def __init__(self, database: Database, name: str, claims: Claims) -> None:
        self._database, self.name, self._claims = database, name, claims
        self._stopping, self._wakeup = threading.Event(), threading.Event()

    @abstractmethod
    def claim(self) -> Job | None:
        """The next job; None if there is nothing to do now."""

    @abstractmethod
    def perform(self, job: Job) -> None:
        """Do it, and record how it ended."""

    def prepare(self) -> None:
        """Called once, before the first job is claimed."""
        with suppress(Unavailable), self._database.writing() as tx:
            self._claims.expire_gone_workers(tx, clock.now())

    def interrupt(self) -> None:
        """The worker was told to stop, and its job has not ended within `drain_seconds`."""

    def run(self) -> None:
        """Run until stop() is called."""
        self.prepare()
        poller = WorkPoller(self._database, self._claims)
        with woken_by_changes(self._database, self.wake):
            while not self._stopping.is_set():
                if not self._should_claim(poller) or not self.run_one():
                    self._wakeup.wait(poller.seconds_to_wait())
                # Before stop() and the database are looked at again, so that no wake-up is lost.
                self._wakeup.clear()

    def _should_claim(self, poller: WorkPoller) -> bool:
        try:
            return poller.should_claim()
        except Unavailable as error:
            log.warning("poll for jobs failed", worker=self.name, reason=str(error))
        except Exception as error:
            log.error("poll for jobs failed", exception=error, worker=self.name)
        return False

    def run_one(self) -> bool:
        """Claim a job and perform it; whether there was one."""
        try:
            job = self.claim()
            if job is not None:
                self.perform(job)
        except (Unavailable, LeaseLost) as error:
            # Nothing was recorded: the lease runs out, and the job is claimed again.
            log.warning("record of a job failed", worker=self.name, reason=str(error))
            return False
        except Exception as error:
            # The next job has nothing to do with it.
            log.error("record of a job failed", exception=error, worker=self.name)
            return False
        return job is not None

    def wake(self) -> None:
        """There may be a job."""
        self._wakeup.set()

    def stop(self) -> None:
        """Claim nothing more. May be called from a signal handler."""
        self._stopping.set()
        self._wakeup.set()
        if self.drain_seconds is not None:
            timer = threading.Timer(self.drain_seconds, self.interrupt)
            timer.daemon = True
            timer.start()

    def pause(self, seconds: float) -> None:
        """Wait after a job that was put back; stop() ends the wait."""
        self._stopping.wait(seconds)
