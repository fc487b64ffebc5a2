"""Jobs: run, follow, stop."""

from __future__ import annotations

import time
from typing import Annotated

import msgspec

from penstock.client import Client, Job, JobWish
from penstock.mcp.tool import Arguments, NotConfirmed
from penstock.mcp.tools.views import ComponentId, ConfigurationId, JobId, JobView, TaskView, log_view, summarize_job

_MIN_PAUSE, _MAX_PAUSE = 0.1, 2.0
MAX_LINES, MAX_SKIPPED, MAX_TASKS = 200, 800, 100

Wait = Annotated[int, msgspec.Meta(ge=0, le=50, description="How long to wait for the end, in seconds, up to 50.")]
Lines = Annotated[int, msgspec.Meta(ge=0, le=MAX_LINES, description="How many of the last lines of the log to show.")]


class NewJob(Arguments, frozen=True):
    component_id: ComponentId
    config_id: ConfigurationId
    row_ids: Annotated[list[str], msgspec.Meta(max_length=100, description="Only these rows of it.")] = []
    wait_seconds: Wait = 30
    log_lines: Lines = 20


class JobQuery(Arguments, frozen=True):
    job_id: JobId
    wait_seconds: Wait = 0
    log_lines: Lines = 20
    offset: Annotated[
        int, msgspec.Meta(ge=0, le=MAX_SKIPPED, description="How many of the newest lines to skip, for older ones.")
    ] = 0


class JobToStop(Arguments, frozen=True):
    job_id: JobId
    confirm: Annotated[bool, msgspec.Meta(description="True after the user agreed.")] = False


def run_job(client: Client, arguments: NewJob) -> JobView:
    """Run a configuration as a job, wait for it up to `wait_seconds`, and return its state, tables and last log lines.

    A job that goes on is followed with get_job. Example: {"component_id": "ex-generic-v2", "config_id":
    "sample-customers"}"""
    wish = JobWish(
        component=arguments.component_id, config=arguments.config_id, mode="run", config_row_ids=arguments.row_ids
    )
    job = _wait(client, client.jobs.create(wish), arguments.wait_seconds)
    return _view(client, job, arguments.log_lines, 0)


def get_job(client: Client, arguments: JobQuery) -> JobView:
    """State, written tables and last log lines of a job; waits for its end up to `wait_seconds`.

    Example: {"job_id": "123", "wait_seconds": 30}"""
    job = _wait(client, client.jobs.get(arguments.job_id), arguments.wait_seconds)
    return _view(client, job, arguments.log_lines, arguments.offset)


def stop_job(client: Client, arguments: JobToStop) -> JobView:
    """Stop a job that waits or runs; what it has not written yet is lost.

    Needs `confirm: true`, after the user agreed. Example: {"job_id": "123", "confirm": true}"""
    job = client.jobs.get(arguments.job_id)
    if not arguments.confirm:
        raise NotConfirmed(f"stop the job {job.id} of {job.component}/{job.config}, which is {job.status}")
    return _view(client, client.jobs.terminate(job.id), 0, 0)


def _wait(client: Client, job: Job, seconds: int) -> Job:
    deadline, pause = time.monotonic() + seconds, _MIN_PAUSE
    while not job.is_finished and time.monotonic() < deadline:
        time.sleep(min(pause, max(deadline - time.monotonic(), 0)))
        pause = min(pause * 1.5, _MAX_PAUSE)
        job = client.jobs.get(job.id)
    return job


def _view(client: Client, job: Job, lines: int, skipped: int) -> JobView:
    events = client.read_last_events(job.events_id, skipped + lines) if lines else []
    page = events[: max(len(events) - skipped, 0)]
    is_more = lines and len(events) == skipped + lines and skipped + lines <= MAX_SKIPPED
    return JobView(
        job=summarize_job(job),
        is_finished=job.is_finished,
        tables=[table.id for table in job.tables],
        tasks=[
            TaskView(name=task.name, status=task.status, job_id=task.job_id or "") for task in job.tasks[:MAX_TASKS]
        ],
        log=log_view(page),
        next={"job_id": job.id, "log_lines": lines, "offset": skipped + lines} if is_more else None,
        hint=_hint(job),
    )


def _hint(job: Job) -> str:
    if not job.is_finished:
        return f'Not finished. Follow it: get_job with {{"job_id": "{job.id}", "wait_seconds": 30}}'
    return "" if job.is_success else f'It did not succeed: explain_failure with {{"job_id": "{job.id}"}}'
