"""Why a job failed: its messages, what changed since it last succeeded, and what to look at."""

from __future__ import annotations

import re

from penstock.client import Client, Job
from penstock.client.errors import RequestRefused
from penstock.mcp.tool import Arguments, Output
from penstock.mcp.tools.views import JobId, JobSummary, LogLine, log_view, summarize_job

EVENTS, MAX_LINES, MAX_TASKS, MAX_VERSIONS = 500, 20, 5, 10

ADVICE = (
    (r"\b(401|403)\b|unauthori[sz]ed|forbidden|credential", "The other system refused the credentials: check them."),
    (r"\b404\b|not found", "Something is not there: check addresses, ids and names in the configuration."),
    (r"\b429\b|too many requests|rate limit", "The other system limits requests: send fewer, or later."),
    (r"\b5\d\d\b", "The other system failed: try again later, and tell its operator if it lasts."),
    (
        r"resolve|connect|refused|unreachable|certificate",
        "A host cannot be reached: check its address and certificate.",
    ),
    (r"timed? ?out|time limit", "It took too long: read less at once, or raise its time limit."),
    (r"memory|disk|no space", "It needed more memory or disk than it has: read less at once."),
    (r"column|type|primary key|cast|convert", "The data does not fit the table: compare its columns and types."),
)
"""What errors say, and what follows from that."""


class FailedJob(Arguments, frozen=True):
    job_id: JobId


class VersionView(Output, frozen=True):
    version: int
    created: str
    change_description: str


class FailureView(Output, frozen=True):
    job: JobSummary
    explanation: str
    errors: list[LogLine] = []
    failed_tasks: list[JobSummary] = []
    """Of a flow."""
    last_success: JobSummary | None = None
    changes_since: list[VersionView] = []
    """Versions of the configuration since it last succeeded."""
    advice: list[str] = []


def explain_failure(client: Client, arguments: FailedJob) -> FailureView:
    """Why a job failed: its errors, failed tasks, the last success, what was changed since then, and what to check.

    Example: {"job_id": "123"}"""
    job = client.jobs.get(arguments.job_id)
    if not job.is_finished or job.is_success:
        return FailureView(job=summarize_job(job), explanation=f"The job did not fail: it is {job.status}.")
    events = client.read_last_events(job.events_id, EVENTS)
    errors = [event for event in events if event.type in ("error", "warn")][-MAX_LINES:]
    before = _last_success(client, job)
    text = " ".join([job.message, *(event.message for event in errors)])
    return FailureView(
        job=summarize_job(job),
        explanation=_explain(job, before),
        errors=log_view(errors),
        failed_tasks=[summarize_job(client.jobs.get(job_id)) for job_id in _failed_tasks(job)],
        last_success=summarize_job(before) if before else None,
        changes_since=_changes(client, job, before),
        advice=[sentence for pattern, sentence in ADVICE if re.search(pattern, text, re.IGNORECASE)],
    )


def _explain(job: Job, before: Job | None) -> str:
    ended = f"The job ended with {job.status}"
    history = f"it last succeeded at {before.end_time}" if before else "no job of this configuration succeeded before"
    return f"{ended}; its message is in `job.message`. Of this configuration: {history}."


def _failed_tasks(job: Job) -> list[str]:
    failed = [task.job_id for task in job.tasks if task.job_id and task.status not in ("success", "skipped")]
    return failed[:MAX_TASKS]


def _last_success(client: Client, job: Job) -> Job | None:
    if not job.config:
        return None
    filters: dict[str, str | int | list[str]] = {"componentId": job.component, "configId": job.config}
    jobs = client.jobs.search({**filters, "status": "success", "limit": 20})
    return next((each for each in jobs if (each.created_time or "") < (job.created_time or "")), None)


def _changes(client: Client, job: Job, before: Job | None) -> list[VersionView]:
    if not job.config or not before:
        return []
    try:
        versions = client.configurations.list_versions(job.component, job.config, MAX_VERSIONS)
    except RequestRefused:  # it was deleted since
        return []
    since = before.created_time or ""
    return [
        VersionView(version=each.version, created=each.created, change_description=each.change_description)
        for each in versions
        if each.created > since
    ]
