"""Tells Notification how jobs and phases of flows ended.

The end of a job is published only if a subscription of its project is for it. Jobs that others are only parts of, such
as rows of a configuration and attempts of a task, are not reported by themselves: the job that has them is. Jobs that
were cancelled or terminated are not reported, since somebody did that.
"""

from __future__ import annotations

from typing import Any

import msgspec

from penstock.components.catalogue import find_component
from penstock.foundation.database import Transaction
from penstock.foundation.events import on, publish
from penstock.services.management import interface as management
from penstock.services.notification import interface as notification
from penstock.services.queue.models.events import JobEnded, PhaseEnded
from penstock.services.queue.models.jobs import JobRow, Kind
from penstock.services.queue.models.statuses import Status
from penstock.services.queue.models.views import to_text
from penstock.services.queue.store import jobs
from penstock.services.storage import interface as storage

EVENTS: dict[str, str] = {
    Status.ERROR: "job-failed",
    Status.SUCCESS: "job-succeeded",
    Status.WARNING: "job-succeeded-with-warning",
}
PHASE = "phase-"
"""The names of events about phases begin with it."""
PARTS_OF = (Kind.CONTAINER, Kind.RETRY)


class _Message(msgspec.Struct):
    message: str = ""


class _Phase(msgspec.Struct):
    name: str = ""


def publish_end(tx: Transaction, job: JobRow) -> None:
    """Call in the transaction in which the job ends."""
    if job.type is Kind.PHASE and job.parent_id is not None:
        phase = describe_phase(job)
        ended = PhaseEnded(
            project_id=job.project_id,
            job_id=job.parent_id,
            phase_id=phase["id"],
            phase_name=phase["name"],
            status=job.status,
            message=_read_message(job),
        )
        publish_phase(tx, ended)
    elif (event := EVENTS.get(job.status)) and notification.is_watched(tx, job.project_id, event):
        publish(tx, JobEnded(project_id=job.project_id, job_id=job.id))


def publish_phase(tx: Transaction, ended: PhaseEnded) -> None:
    event = EVENTS.get(ended.status)
    if event and notification.is_watched(tx, ended.project_id, f"{PHASE}{event}"):
        publish(tx, ended)


def report_job(tx: Transaction, event: JobEnded) -> None:
    job = jobs.find_job(tx, event.project_id, event.job_id)
    if not job or is_part(tx, job):
        return
    payload = make_payload(tx, job) | _describe_error(job.status, _read_message(job))
    notification.send_event(tx, job.project_id, EVENTS[job.status], payload)


def report_phase(tx: Transaction, event: PhaseEnded) -> None:
    if flow := jobs.find_job(tx, event.project_id, event.job_id):
        phase = {"id": event.phase_id, "name": event.phase_name}
        payload = make_payload(tx, flow) | {"phase": phase} | _describe_error(event.status, event.message)
        notification.send_event(tx, flow.project_id, f"{PHASE}{EVENTS[event.status]}", payload)


def is_part(tx: Transaction, job: JobRow) -> bool:
    """Whether the job is only a part of one that is reported."""
    parent = jobs.find_job(tx, job.project_id, job.parent_id) if job.parent_id is not None else None
    return parent is not None and parent.type in PARTS_OF


def make_payload(tx: Transaction, job: JobRow) -> dict[str, Any]:
    """What every event says; Notification adds the address of the job."""
    component, project = find_component(job.component), management.get_project(tx, job.project_id)
    shown: dict[str, Any] = {
        "id": str(job.id),
        "tasks": [],
        "component": {"id": job.component, "name": component.name if component else job.component},
    }
    if job.config is not None:
        name = storage.find_configuration_name(tx, job.project_id, job.branch_id, job.component, job.config)
        shown["configuration"] = {"id": job.config, "name": name or job.config}
    times = {"startTime": job.start_time, "endTime": job.end_time}
    shown |= {key: to_text(time) for key, time in times.items() if time}
    return {
        "job": shown,
        "project": {"id": str(project.id), "name": project.name},
        "branch": {"id": str(job.branch_id)},
    }


def describe_phase(job: JobRow) -> dict[str, str]:
    """The phase that this job is."""
    name = msgspec.json.decode(job.config_data or b"{}", type=_Phase).name
    return {"id": job.orchestration_phase_id or "", "name": name}


def _read_message(job: JobRow) -> str:
    return msgspec.json.decode(job.result, type=_Message).message


def _describe_error(status: str, message: str) -> dict[str, str]:
    return {} if status == Status.SUCCESS else {"errorMessage": message}


REACTIONS = [
    on(JobEnded, report_job, name="queue.reportJob"),
    on(PhaseEnded, report_phase, name="queue.reportPhase"),
]
