"""Storage's background loop: claims a job, does it, claims the next."""

from __future__ import annotations

import threading
import time
from contextlib import suppress
from datetime import timedelta

import msgspec

from penstock.foundation import clock, locks
from penstock.foundation.callers import Caller
from penstock.foundation.change_poller import POLL_SECONDS, ChangePoller
from penstock.foundation.errors import AppError, Damaged, Unauthorized, Unavailable
from penstock.foundation.jobs.claims import MAX_LOST_LEASES, LeaseLost, share
from penstock.foundation.logging import Log
from penstock.foundation.stack import Stack
from penstock.services.management import interface as management
from penstock.services.storage.errors.jobs import JobCancelled
from penstock.services.storage.models.jobs import INTERNAL, UNAVAILABLE, JobError, JobRow, JobStatus
from penstock.services.storage.operations import tokens
from penstock.services.storage.operations.jobs import to_error
from penstock.services.storage.operations.maintenance import maintain_all
from penstock.services.storage.operations.work import Results, do
from penstock.services.storage.store import jobs
from penstock.services.storage.supervision import supervised
from penstock.web.idempotency import remove_old

log = Log("storage")

MAINTENANCE_SECONDS = 600.0
REMEMBERED = timedelta(days=9)
"""Buckets that were changed so lately are looked after: old versions of their tables go after seven days."""
ATTEMPTS, PATIENCE_SECONDS = 6, 0.5


class Worker:
    """One job at a time. stop() lets the running one end; if it cannot, the lease runs out and another takes over."""

    def __init__(self, stack: Stack, name: str) -> None:
        self._stack, self._name = stack, name
        self._stopping = threading.Event()
        self._wakeup = threading.Event()

    def run(self) -> None:
        with suppress(Unavailable), self._stack.database.writing() as tx:
            jobs.give_up_gone(tx, clock.now())
        next_maintenance, poller = time.monotonic() + MAINTENANCE_SECONDS, ChangePoller(self._stack.database)
        while not self._stopping.is_set():
            self._wakeup.clear()
            if time.monotonic() >= next_maintenance:
                self._maintain()
                next_maintenance = time.monotonic() + MAINTENANCE_SECONDS
            if not poller.should_poll() or not self.run_one():
                self._wakeup.wait(POLL_SECONDS)

    def _maintain(self) -> None:
        """One worker of the stack at a time; what cannot be done now is done next time."""
        try:
            lock = locks.try_to_hold(self._stack.folder / "upkeep.lock")
            if not lock:
                return
            with lock:
                maintain_all(self._stack, clock.now() - REMEMBERED)
                with self._stack.database.writing() as tx:
                    remove_old(tx, clock.now())
        except AppError as error:
            log.warning("upkeep not finished", reason=str(error))
        except Exception as error:
            log.error("upkeep failed", exception=error)

    def wake(self) -> None:
        """There is something to do."""
        self._wakeup.set()

    def stop(self) -> None:
        self._stopping.set()
        self._wakeup.set()

    def run_one(self) -> bool:
        """Do the next job, if there is one."""
        try:
            job = self._claim()
            if job:
                self._do(job)
        except (Unavailable, LeaseLost) as error:
            # Nothing was recorded: the lease runs out, and the job is taken up again.
            log.warning("job not recorded", worker=self._name, reason=str(error))
            return False
        except Exception as error:
            # Whatever it is, the next job has nothing to do with it.
            log.error("job not recorded", exception=error, worker=self._name)
            return False
        return job is not None

    def _claim(self) -> JobRow | None:
        with self._stack.database.reading() as tx:
            if not jobs.has_work(tx):
                return None
        is_read_only = self._stack.ballast.is_read_only()
        with self._stack.database.claiming() as tx:
            projects = management.count_projects(tx)
            limit = share(self._stack.storage_jobs_per_project, self._stack.workers, projects)
            return jobs.claim_job(tx, self._name, clock.now(), limit, is_read_only=is_read_only)

    def _do(self, job: JobRow) -> None:
        try:
            with supervised(self._stack, job):
                results, error = self._find_out(job)
        except Unavailable as unavailable:
            self._put_back(job, unavailable)
            return
        with self._stack.database.writing() as tx:
            jobs.change_claimed(
                tx,
                job,
                status=JobStatus.ERROR if error else JobStatus.SUCCESS,
                is_finished=True,
                end_time=clock.now(),
                lease_until=None,
                results=msgspec.json.encode(results) if results is not None else None,
                error=msgspec.json.encode(error) if error else None,
            )

    def _put_back(self, job: JobRow, reason: Unavailable) -> None:
        log.warning("job put back", job_id=job.id, attempt=job.attempt, reason=str(reason))
        with self._stack.database.writing() as tx:
            jobs.change_claimed(tx, job, status=JobStatus.WAITING, worker=None, lease_until=None)
        self._stopping.wait(job.attempt * PATIENCE_SECONDS)

    def _find_out(self, job: JobRow) -> tuple[Results, JobError | None]:
        """What came of it. What its user can fix is told in a sentence for them."""
        if job.lost_leases >= MAX_LOST_LEASES:
            return None, to_error(TriedTooOften())
        try:
            if job.is_cancelled and job.attempt == 1:
                raise JobCancelled
            return do(self._stack, _get_caller(self._stack, job), job), None
        except Unavailable as error:
            # It may be done by half: only who does it again can tell. Not for ever, since somebody waits.
            if job.attempt < ATTEMPTS and not isinstance(error, Damaged):
                raise
            return None, self._to_error(error, UNAVAILABLE)
        except LeaseLost:
            raise
        except AppError as error:
            return error.details, self._to_error(error)
        except Exception as error:
            log.error("job failed", exception=error, job_id=job.id, operation=job.operation)
            return None, to_error(NotYours())

    def _to_error(self, error: AppError, code: str | None = None) -> JobError:
        """As its user reads it: without paths of this machine."""
        found = to_error(error, code)
        return msgspec.structs.replace(found, message=self._stack.paths.hide(found.message))


def _get_caller(stack: Stack, job: JobRow) -> Caller:
    try:
        with stack.database.reading() as tx:
            caller = tokens.get_caller(tx, job.project_id, job.token_id)
    except Unauthorized as error:
        raise TokenGone from error
    # As it was when the job was made, whatever was turned on or off since.
    place = {"branch_id": job.branch_id, "has_storage_branches": job.has_storage_branches}
    return msgspec.structs.replace(caller, **place, run_id=job.run_id)


class TokenGone(AppError):
    code = "storage.tokenInvalid"

    def __init__(self) -> None:
        super().__init__("The token that started this job was revoked or has expired.")


class TriedTooOften(AppError):
    code = INTERNAL

    def __init__(self) -> None:
        super().__init__(f"The job was tried {MAX_LOST_LEASES} times, and each time its worker died.")


class NotYours(AppError):
    code = INTERNAL

    def __init__(self) -> None:
        super().__init__(
            "The stack could not finish this job, through no fault of yours. Its operator finds why in the log."
        )
