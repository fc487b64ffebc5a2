"""Queue's background loop: claims a job, runs it, claims the next. Runs in a process of its own."""

from __future__ import annotations

import threading
from contextlib import suppress

from penstock.foundation import clock
from penstock.foundation.claims import LeaseLost
from penstock.foundation.errors import Unavailable
from penstock.foundation.logging import Log
from penstock.foundation.stack import Stack
from penstock.runtime.data_folder import DataFolder
from penstock.services.queue import leases, store
from penstock.services.queue.execution import Execution
from penstock.services.queue.feed import Feed, Stopped
from penstock.services.queue.models import JobRow

log = Log("worker")

POLL_SECONDS = 0.1
DRAIN_SECONDS = 6.0


class Worker:
    """One job at a time. stop() lets the running job end if it does so soon, and gives it back otherwise."""

    def __init__(self, stack: Stack, name: str) -> None:
        self._stack, self._name = stack, name
        self._stopping = threading.Event()
        self._feed: Feed | None = None

    def run(self) -> None:
        remove_leftovers(self._stack)
        with suppress(Unavailable), self._stack.database.writing() as tx:
            store.give_up_gone(tx, clock.now())
        while not self._stopping.is_set():
            try:
                job = leases.claim_job(self._stack, self._name)
            except (Unavailable, LeaseLost):
                job = None
            if job:
                self._run(job)
            else:
                self._stopping.wait(POLL_SECONDS)

    def stop(self) -> None:
        """Called from a signal handler: claims nothing more, and ends the running job if it takes too long."""
        self._stopping.set()
        patience = threading.Timer(DRAIN_SECONDS, self._interrupt)
        patience.daemon = True
        patience.start()

    def _interrupt(self) -> None:
        if self._feed:
            self._feed.stop(Stopped())

    def _run(self, job: JobRow) -> None:
        log.info("job started", job_id=job.id, component=job.component, config=job.config, attempt=job.attempt)
        try:
            with Feed(self._stack, leases.caller_of(job), job) as self._feed:
                Execution(self._stack, job, self._feed).run()
        except Stopped:
            self._give_back(job)
        except LeaseLost:
            # Told here, because it may be found out by the renewal or by whoever records the end.
            log.warning("lease lost", job_id=job.id, attempt=job.attempt)
            return
        except Unavailable as error:
            # Nothing was recorded: the lease runs out and the job is taken up again.
            log.error("job interrupted", exception=error, job_id=job.id)
        finally:
            self._feed = None
        log.info("job ended", job_id=job.id)

    def _give_back(self, job: JobRow) -> None:
        with suppress(LeaseLost, Unavailable):
            leases.release_job(self._stack, job)


def remove_leftovers(stack: Stack) -> None:
    """Folders of jobs that have ended; a kill can leave them behind."""
    folders = list(stack.jobs_folder.iterdir()) if stack.jobs_folder.exists() else []
    # Asked after looking: a job that began meanwhile has its folder in neither list.
    with stack.database.reading() as tx:
        unfinished = store.list_unfinished_ids(tx)
    for folder in folders:
        if not folder.name.isdecimal() or int(folder.name) not in unfinished:
            DataFolder(folder).remove()
