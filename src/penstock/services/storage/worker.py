"""Storage's worker: claims its jobs and records how they end."""

from __future__ import annotations

import time
from collections.abc import Generator
from contextlib import contextmanager

import msgspec

from penstock.foundation import clock
from penstock.foundation.callers import Caller
from penstock.foundation.errors import AppError, Damaged, Unauthorized, Unavailable
from penstock.foundation.interruption import Interruption
from penstock.foundation.jobs import worker as jobs_worker
from penstock.foundation.jobs.change_poller import ChangePoller
from penstock.foundation.jobs.claims import MAX_LOST_LEASES, NO_LIMIT, LeaseLost
from penstock.foundation.jobs.lease import Lease
from penstock.foundation.logging import Log
from penstock.foundation.stack import Stack
from penstock.services.storage.errors.jobs import JobCancelled, JobTooLong
from penstock.services.storage.models.jobs import INTERNAL, UNAVAILABLE, JobError, JobRow, JobStatus
from penstock.services.storage.operations.authentication import get_caller
from penstock.services.storage.operations.jobs import to_error
from penstock.services.storage.operations.work import Results, do
from penstock.services.storage.store import jobs

log = Log("storage")

ATTEMPTS, PATIENCE_SECONDS = 6, 0.5


class Worker(jobs_worker.Worker[JobRow]):
    """stop() lets the running job finish; if it cannot, its lease expires and another worker takes over."""

    def __init__(self, stack: Stack, name: str) -> None:
        super().__init__(stack.database, name, jobs.CLAIMS)
        self._stack = stack

    def claim(self) -> JobRow | None:
        is_read_only = self._stack.ballast.is_read_only()
        limit = self._stack.settings.storage_jobs_per_project or NO_LIMIT
        with self._stack.database.claiming() as tx:
            return jobs.claim_job(tx, self.name, clock.now(), limit, is_read_only=is_read_only)

    def perform(self, job: JobRow) -> None:
        try:
            with supervised(self._stack, job):
                results, error = self._find_outcome(job)
        except Unavailable as unavailable:
            self._put_back(job, unavailable)
            return
        with self._stack.database.writing(job.project_id) as tx:
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
        log.warning("job requeued", job_id=job.id, attempt=job.attempt, reason=str(reason))
        with self._stack.database.writing(job.project_id) as tx:
            jobs.change_claimed(tx, job, status=JobStatus.WAITING, worker=None, lease_until=None)
        self.pause(job.attempt * PATIENCE_SECONDS)

    def _find_outcome(self, job: JobRow) -> tuple[Results, JobError | None]:
        """The results or the error of a job. Errors that users can fix have a message for them."""
        if job.lost_leases >= MAX_LOST_LEASES:
            return None, self._to_error(job, TriedTooOften())
        try:
            if job.is_cancelled and job.attempt == 1:
                raise JobCancelled
            return do(self._stack, _get_caller(self._stack, job), job), None
        except Unavailable as error:
            # It may be half done, which only the next attempt can find out. The number of attempts is limited, since a
            # client waits.
            if job.attempt < ATTEMPTS and not isinstance(error, Damaged):
                raise
            return None, self._to_error(job, error, UNAVAILABLE)
        except LeaseLost:
            raise
        except AppError as error:
            return error.details, self._to_error(job, error)
        except Exception as error:
            return None, self._to_error(job, InternalError(), cause=error)

    def _to_error(
        self, job: JobRow, error: AppError, code: str | None = None, cause: Exception | None = None
    ) -> JobError:
        """The error as the user reads it, without paths of this machine; it is logged under the id that they see."""
        found = to_error(error, code)
        shown = msgspec.structs.replace(found, message=self._stack.paths.hide(found.message))
        facts = {"job_id": job.id, "operation": job.operation, "exception_id": shown.exception_id}
        if shown.code in (INTERNAL, UNAVAILABLE):
            log.error("job failed", exception=cause, **facts, reason=shown.message)
        else:
            log.info("job failed", **facts, reason=shown.message)
        return shown


def _get_caller(stack: Stack, job: JobRow) -> Caller:
    try:
        with stack.database.reading() as tx:
            caller = get_caller(tx, job.project_id, job.token_id)
    except Unauthorized as error:
        raise TokenGone from error
    # The setting at the time the job was created, whichever features were changed since.
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


class InternalError(AppError):
    code = INTERNAL

    def __init__(self) -> None:
        super().__init__(
            "The stack could not finish this job, through no fault of yours. Its operator finds the reason in the log."
        )


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
