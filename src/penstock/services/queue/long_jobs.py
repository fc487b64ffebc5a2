"""Looks every half minute for jobs that take longer than usual, and tells Notification.

Usual is the average of the last successful runs of the same configuration, or of the same phase of a flow. Each job is
reported once to each subscription: when the filters of the subscription hold for the first time.
"""

from __future__ import annotations

import threading
from datetime import datetime

from penstock.foundation import clock
from penstock.foundation.database import Transaction
from penstock.foundation.errors import Unavailable
from penstock.foundation.logging import Log
from penstock.foundation.stack import Stack
from penstock.services.notification import interface as notification
from penstock.services.queue.models.jobs import JobRow, Kind
from penstock.services.queue.notifications import PHASE, describe_phase, is_part, make_payload
from penstock.services.queue.store import durations, jobs

log = Log("queue")

CHECK_SECONDS = 30.0
RUNS = 20
"""How many earlier runs the average is of."""
LONG = "job-processing-long"


class LongJobs:
    """A loop in each worker process. What another one has reported already is not reported again."""

    drain_seconds: float | None = None

    def __init__(self, stack: Stack) -> None:
        self._stack, self._stopping = stack, threading.Event()

    def run(self) -> None:
        """Until stop()."""
        while not self._stopping.wait(CHECK_SECONDS):
            try:
                report_long_jobs(self._stack)
            except Unavailable as error:
                log.warning("long jobs not looked for", reason=str(error))
            except Exception as error:
                # The next look has nothing to do with it.
                log.error("long jobs not looked for", exception=error)

    def wake(self) -> None:
        """It waits only for the time."""

    def stop(self) -> None:
        self._stopping.set()


def report_long_jobs(stack: Stack) -> None:
    if stack.ballast.is_read_only():
        return
    with stack.database.reading() as tx:
        projects = notification.list_watched(tx, [LONG, PHASE + LONG])
        late = {project: _list_late(tx, project, clock.now()) for project in projects}
    for project_id, found in late.items():
        if found:
            with stack.database.writing(project_id) as tx:
                for job, average in found:
                    _report(tx, job, average, clock.now())


def _list_late(tx: Transaction, project_id: int, now: datetime) -> list[tuple[JobRow, float]]:
    """Running jobs that have run longer than the average of earlier ones, with that average."""
    found: list[tuple[JobRow, float]] = []
    for job in durations.list_running(tx, project_id):
        average = durations.find_average(tx, job, RUNS)
        if average is not None and _measure(job, now) > average and not is_part(tx, job):
            found.append((job, average))
    return found


def _report(tx: Transaction, job: JobRow, average: float, now: datetime) -> None:
    current = _measure(job, now)
    durations_now = {
        "averageDuration": round(average, 3),
        "currentDuration": round(current, 3),
        "durationOvertimePercentage": round(current / average - 1, 4) if average else current,
        "uniqueId": str(job.id),
    }
    if job.type is not Kind.PHASE:
        notification.send_event(tx, job.project_id, LONG, make_payload(tx, job) | durations_now)
    elif flow := jobs.find_job(tx, job.project_id, job.parent_id or 0):
        payload = make_payload(tx, flow) | {"phase": describe_phase(job)} | durations_now
        notification.send_event(tx, job.project_id, PHASE + LONG, payload)


def _measure(job: JobRow, now: datetime) -> float:
    return (now - (job.start_time or now)).total_seconds()
