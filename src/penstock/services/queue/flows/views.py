"""The phases and tasks of a flow, as its result shows them."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import Any

import msgspec

from penstock.foundation import clock
from penstock.services.queue.flows.tasks import TaskRun
from penstock.services.queue.flows.work import Work, read_result
from penstock.services.queue.models.jobs import Kind
from penstock.services.queue.models.views import duration_of, to_text
from penstock.services.queue.store import children
from penstock.services.queue.store.children import RanJob

Shown = dict[str, Any]


class TaskName(msgspec.Struct, frozen=True, kw_only=True):
    id: str
    name: str
    type: str = "job"
    phase: str
    component: str | None = None


def phase_view(phase_id: str, name: str, status: str, start: datetime | None, end: datetime | None) -> Shown:
    return {"id": phase_id, "name": name, "status": status, **_times_view(start, end)}


class Ran(msgspec.Struct, frozen=True):
    """The jobs of tasks, by their ids."""

    jobs: dict[int, RanJob]
    attempts: dict[int, list[RanJob]]
    """Of those that were tried more than once, or could have been."""

    def find_job(self, run: TaskRun) -> RanJob | None:
        return self.jobs.get(run.job_id) if run.job_id is not None else None

    def list_attempts(self, run: TaskRun) -> list[RanJob]:
        job = self.find_job(run)
        if not job:
            return []
        return self.attempts.get(job.id, []) if job.type is Kind.RETRY else [job]


def find_ran(work: Work, runs: Iterable[TaskRun]) -> Ran:
    """Return the jobs of all tasks together: there may be thousands."""
    tx, project_id = work.tx, work.job.project_id
    found = children.find_ran(tx, project_id, [run.job_id for run in runs if run.job_id is not None])
    attempts: dict[int, list[RanJob]] = {}
    for part in children.find_parts(tx, project_id, [job.id for job in found if job.type is Kind.RETRY]):
        attempts.setdefault(part.parent_id or 0, []).append(part)
    return Ran({job.id: job for job in found}, attempts)


def task_view(ran: Ran, task: TaskName, runs: list[TaskRun]) -> Shown:
    """`runs` are all of one task, more than one in a loop; the last one counts."""
    last = runs[-1]
    shown: Shown = {"id": task.id, "name": task.name, "type": task.type, "phase": task.phase, "status": last.status}
    if task.component:
        shown["component"] = task.component
    if last.job_id is not None:
        shown["jobId"] = str(last.job_id)
    if last.message:
        shown["message"] = last.message
    shown |= _times_view(last.start_time, last.end_time)
    return {**shown, "results": [_attempt_view(job) for run in runs for job in ran.list_attempts(run)]}


def _times_view(start: datetime | None, end: datetime | None) -> Shown:
    duration = int(((end or clock.now()) - start).total_seconds()) if start else 0
    return {"duration": duration, "startTime": to_text(start) if start else None}


def _attempt_view(job: RanJob) -> Shown:
    return {"jobId": str(job.id), "status": job.status, "duration": duration_of(job), "result": read_result(job)}
