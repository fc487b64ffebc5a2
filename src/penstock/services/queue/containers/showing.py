"""The phases and tasks of a flow, as its result shows them."""

from __future__ import annotations

from datetime import datetime
from typing import Any

import msgspec

from penstock.foundation import clock
from penstock.services.queue.containers.work import Work, read_result
from penstock.services.queue.flows.course import TaskRun
from penstock.services.queue.models.jobs import JobRow, Kind
from penstock.services.queue.models.showing import duration_of, to_text
from penstock.services.queue.store import children

Shown = dict[str, Any]


class TaskName(msgspec.Struct, frozen=True, kw_only=True):
    id: str
    name: str
    type: str = "job"
    phase: str
    component: str | None = None


def show_phase(phase_id: str, name: str, status: str, start: datetime | None, end: datetime | None) -> Shown:
    return {"id": phase_id, "name": name, "status": status, **_show_times(start, end)}


def show_task(work: Work, task: TaskName, runs: list[TaskRun]) -> Shown:
    """`runs` are all of one task, more than one in a loop; the last one counts."""
    last = runs[-1]
    shown: Shown = {"id": task.id, "name": task.name, "type": task.type, "phase": task.phase, "status": last.status}
    if task.component:
        shown["component"] = task.component
    if last.job_id is not None:
        shown["jobId"] = str(last.job_id)
    if last.message:
        shown["message"] = last.message
    shown |= _show_times(last.start_time, last.end_time)
    return {**shown, "results": [_show_attempt(job) for run in runs for job in _list_attempts(work, run)]}


def _show_times(start: datetime | None, end: datetime | None) -> Shown:
    duration = int(((end or clock.now()) - start).total_seconds()) if start else 0
    return {"duration": duration, "startTime": to_text(start) if start else None}


def _list_attempts(work: Work, run: TaskRun) -> list[JobRow]:
    job = work.find_job(run.job_id) if run.job_id is not None else None
    if not job:
        return []
    return children.list_children(work.tx, job) if job.type is Kind.RETRY else [job]


def _show_attempt(job: JobRow) -> Shown:
    return {"jobId": str(job.id), "status": job.status, "duration": duration_of(job), "result": read_result(job)}
