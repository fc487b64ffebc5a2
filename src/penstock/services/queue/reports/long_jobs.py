"""Looks every half minute for jobs that take longer than usual, and tells Notification.

Usual is the average of the last successful runs of the same configuration, or of the same phase of a flow. Each job is
reported once to each subscription: when the filters of the subscription hold for the first time.
"""

from __future__ import annotations

from datetime import datetime
from typing import Any

from penstock.foundation import clock
from penstock.foundation.database import Transaction
from penstock.foundation.errors import Unavailable
from penstock.foundation.jobs.background import PeriodicLoop
from penstock.foundation.logging import Log
from penstock.foundation.stack import Stack
from penstock.services.notification import interface as notification
from penstock.services.queue.models.jobs import JobRow, Kind
from penstock.services.queue.models.statuses import Status
from penstock.services.queue.reports.notifications import PHASE, describe_phase, is_part, make_payload
from penstock.services.queue.store import durations, jobs

log = Log("queue")

CHECK_SECONDS = 30.0
RUNS = 20
"""How many earlier runs the average is of."""
LONG = "job-processing-long"


class LongJobs(PeriodicLoop):
    """A loop in each worker process. What another one has reported already is not reported again."""

    def __init__(self, stack: Stack) -> None:
        super().__init__(CHECK_SECONDS)
        self._stack = stack

    def run_once(self) -> None:
        try:
            report_long_jobs(self._stack)
        except Unavailable as error:
            log.warning("check for long jobs failed", reason=str(error))
        except Exception as error:
            # The next look has nothing to do with it.
            log.error("check for long jobs failed", exception=error)


def report_long_jobs(stack: Stack) -> None:
    if stack.ballast.is_read_only():
        return
    with stack.database.reading() as tx:
        projects = notification.list_watched(tx, [LONG, PHASE + LONG])
    for project_id in projects:
        try:
            _report_project(stack, project_id)
        except Unavailable:
            raise
        except Exception as error:
            # Other projects have nothing to do with it.
            log.error("check for long jobs failed", exception=error, project_id=project_id)


def _report_project(stack: Stack, project_id: int) -> None:
    """Writes only if there is somebody to notify."""
    with stack.database.reading() as tx:
        late = [each for each in list_late(tx, project_id, clock.now()) if _is_awaited(tx, *each)]
    if late:
        with stack.database.writing(project_id) as tx:
            for job, average in late:
                report_late(tx, job, average)


def list_late(tx: Transaction, project_id: int, now: datetime) -> list[tuple[JobRow, float]]:
    """Running jobs that have run longer than the average of earlier ones, with that average."""
    found: list[tuple[JobRow, float]] = []
    for job in durations.list_running(tx, project_id):
        average = durations.find_average(tx, job, RUNS)
        if average is not None and _measure(job, now) > average and not is_part(tx, job):
            found.append((job, average))
    return found


def _is_awaited(tx: Transaction, job: JobRow, average: float) -> bool:
    message = _describe(tx, job, average, clock.now())
    return message is not None and notification.is_awaited(tx, job.project_id, *message)


def report_late(tx: Transaction, job: JobRow, average: float) -> None:
    """Unless it has ended since it was found."""
    current = jobs.find_job(tx, job.project_id, job.id)
    if not current or current.status is not Status.PROCESSING:
        return
    if message := _describe(tx, current, average, clock.now()):
        notification.send_event(tx, job.project_id, *message)


def _describe(tx: Transaction, job: JobRow, average: float, now: datetime) -> tuple[str, dict[str, Any]] | None:
    """The name of the event and its payload; None for a phase whose flow is gone."""
    current = _measure(job, now)
    times: dict[str, Any] = {
        "averageDuration": round(average, 3),
        "currentDuration": round(current, 3),
        "durationOvertimePercentage": round(current / average - 1, 4) if average else current,
        "uniqueId": str(job.id),
    }
    if job.type is not Kind.PHASE:
        return LONG, make_payload(tx, job) | times
    flow = jobs.find_job(tx, job.project_id, job.parent_id or 0)
    return (PHASE + LONG, make_payload(tx, flow) | {"phase": describe_phase(job)} | times) if flow else None


def _measure(job: JobRow, now: datetime) -> float:
    return (now - (job.start_time or now)).total_seconds()
