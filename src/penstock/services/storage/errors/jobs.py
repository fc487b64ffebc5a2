"""Errors of Storage's own jobs."""

from __future__ import annotations

from penstock.foundation.errors import AppError, Invalid, NotFound

OURS = {
    "storage.internalError": 500,
    "storage.unavailable": 503,
    "diskFull": 503,
    "tooBusy": 503,
    "storage.tables.lost": 503,
    "storage.tables.damaged": 503,
    "sql.engineStopped": 503,
    "sql.engineUnavailable": 503,
}
"""Error codes of failures of the stack itself, with their statuses: the request was valid."""


class JobNotFound(NotFound):
    def __init__(self, job_id: str) -> None:
        super().__init__(f'Job "{job_id}" not found')


class JobFailed(AppError):
    """The error of a job, for the request that waits for it."""

    def __init__(self, message: str, code: str) -> None:
        super().__init__(message)
        self.code = code
        self.status = OURS.get(code, self.status)


class JobFinished(Invalid):
    code = "storage.jobs.finished"

    def __init__(self, job_id: str) -> None:
        super().__init__(f'Job "{job_id}" has ended already, so it cannot be cancelled.')


class JobCancelled(AppError):
    """The error of a cancelled job."""

    code = "storage.jobs.cancelled"

    def __init__(self) -> None:
        super().__init__("The job was cancelled. It changed nothing.")


class JobTooLong(AppError):
    """The error of a job that runs longer than the stack allows."""

    code = "storage.jobs.tooLong"

    def __init__(self, seconds: int) -> None:
        super().__init__(
            f"The job took longer than the {seconds:,} seconds that the stack allows, and was stopped. It changed "
            "nothing. Load or export less at a time, or ask the operator of the stack to raise the setting "
            "`storage_job_timeout`."
        )
