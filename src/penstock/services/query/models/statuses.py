"""The statuses of jobs and statements."""

from __future__ import annotations

from enum import StrEnum


class JobStatus(StrEnum):
    CREATED = "created"
    ENQUEUED = "enqueued"
    PROCESSING = "processing"
    COMPLETED = "completed"
    FAILED = "failed"
    CANCELED = "canceled"


class StatementStatus(StrEnum):
    WAITING = "waiting"
    PROCESSING = "processing"
    COMPLETED = "completed"
    FAILED = "failed"
    CANCELED = "canceled"
    NOT_EXECUTED = "notExecuted"
    """Skipped, since an earlier statement failed."""

    @property
    def is_finished(self) -> bool:
        return self not in (StatementStatus.WAITING, StatementStatus.PROCESSING)
