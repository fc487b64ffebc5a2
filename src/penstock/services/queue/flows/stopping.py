"""Terminates a job, and all its children with it.

One that has not begun is cancelled at once. One that runs is stopped by its worker, which checks for it regularly. A
flow terminates its children, and ends when all of them have ended.
"""

from __future__ import annotations

from typing import Any

import msgspec

from penstock.foundation import clock
from penstock.foundation.database import Transaction
from penstock.services.queue.models.jobs import JobRow, Kind
from penstock.services.queue.models.results import Result
from penstock.services.queue.models.statuses import Status
from penstock.services.queue.reports.job_events import add_event, caller_of, to_event
from penstock.services.queue.store import children, jobs
from penstock.services.storage import interface as storage

CANCELLED, TERMINATED = "The job was cancelled before it began.", "The job was terminated."


def stop_job(tx: Transaction, job: JobRow) -> JobRow:
    """Returns the changed job. If it has ended, the caller has to notify its parent."""
    if not job.status.is_killable:
        return job
    if job.status is not Status.PROCESSING and not _has_begun(job):
        return _end(tx, job, Status.CANCELLED, CANCELLED)
    job = jobs.change_job(tx, job, status=Status.TERMINATING, desired_status=Status.TERMINATING)
    stop_children(tx, job)
    if job.type is Kind.STANDARD or job.worker is not None or children.count_unfinished(tx, job):
        return job
    return _end(tx, job, Status.TERMINATED, TERMINATED)


def _has_begun(job: JobRow) -> bool:
    """Whether this is a flow that waits for a worker to continue it."""
    return job.type is not Kind.STANDARD and job.start_time is not None


def stop_children(tx: Transaction, job: JobRow) -> None:
    if job.type is Kind.STANDARD:
        return
    cancel_waiting(tx, job)
    for child in children.list_unfinished(tx, job):
        stop_job(tx, child)


def cancel_waiting(tx: Transaction, job: JobRow) -> None:
    """End the children that have not begun, together: there may be thousands."""
    cancelled = children.end_waiting(tx, job, **_ending(Status.CANCELLED, CANCELLED))
    events = [to_event(child, "warn", CANCELLED) for child in cancelled]
    storage.add_events(tx, caller_of(job), events)


def _end(tx: Transaction, job: JobRow, status: Status, message: str) -> JobRow:
    ended = jobs.change_job(tx, job, **_ending(status, message))
    add_event(tx, ended, "warn", message)
    return ended


def _ending(status: Status, message: str) -> dict[str, Any]:
    return {
        "status": status,
        "desired_status": Status.TERMINATING,
        "is_finished": True,
        "result": msgspec.json.encode(Result(message=message)),
        "end_time": clock.now(),
    }
