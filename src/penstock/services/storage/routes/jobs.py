"""Storage's own jobs over HTTP, and how other routes answer with one."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec

from penstock.foundation.callers import Right
from penstock.foundation.errors import AppError, Conflict
from penstock.foundation.stacks import STORAGE
from penstock.services.storage.models.jobs import (
    INTERNAL,
    UNAVAILABLE,
    Job,
    JobError,
    JobQuery,
    JobRow,
    JobStatus,
    job_view,
)
from penstock.services.storage.operations import jobs
from penstock.web.requests import Later, Request, Wait
from penstock.web.routing import Route, get, post

SHORT_SECONDS = 8.0
"""Clients ask for a new job at once, and then only after seconds: most are done by then. They wait for a response for
at least twenty."""
LONG_SECONDS = 25.0

OURS = {
    INTERNAL: 500,
    UNAVAILABLE: 503,
    "diskFull": 503,
    "storage.tables.lost": 503,
    "storage.tables.damaged": 503,
}
"""Codes of failures that are the stack's own, and their statuses: what was asked for was right."""


class JobFailed(AppError):
    """What went wrong in a job, for whoever waits for it in a request."""

    def __init__(self, error: JobError) -> None:
        super().__init__(error.message)
        self.code = error.code
        self.status = OURS.get(error.code, self.status)


def routes() -> list[Route]:
    return [
        get("/v2/storage/jobs", list_jobs, query=JobQuery, returns=list[Job], needs=Right.TOKEN),
        get("/v2/storage/jobs/{job_id}", get_job, returns=Job, needs=Right.TOKEN),
        post(
            "/v2/storage/jobs/{job_id}/cancel",
            cancel_job,
            returns=Job,
            status=202,
            needs=Right.TOKEN,
            works_on_full_disk=True,
        ),
    ]


def list_jobs(request: Request) -> list[Job]:
    """Newest first."""
    with request.reading() as tx:
        rows = jobs.list_jobs(tx, request.caller, request.query)
    return [job_view(row, request.addresses.url_of(STORAGE)) for row in rows]


def get_job(request: Request) -> Job:
    with request.reading() as tx:
        row = jobs.get_job(tx, request.caller, request.path["job_id"])
    return job_view(row, request.addresses.url_of(STORAGE))


def cancel_job(request: Request) -> Job:
    """It ends in an error that says so, and changes nothing; one that has committed already ends well."""
    with request.writing() as tx:
        row = jobs.cancel_job(tx, request.caller, request.path["job_id"])
    return job_view(row, request.addresses.url_of(STORAGE))


def accept(request: Request, job: JobRow) -> Job:
    """Answer with a job that was just created: as it was then, and when a short one has ended."""
    request.waits.append(Wait(lambda: jobs.has_ended(request.stack, job), SHORT_SECONDS, request.stack.notify_workers))
    return job_view(job, request.addresses.url_of(STORAGE))


def finish(request: Request, job: JobRow, show: Callable[[Any], Any] = lambda results: results) -> Later:
    """Answer with the results of a job, as they are to be shown, or with what went wrong in it."""
    request.commit()
    wait = Wait(lambda: jobs.has_ended(request.stack, job), LONG_SECONDS, request.stack.notify_workers)
    return Later(wait, lambda: show(_get_results(request, job)))


def _get_results(request: Request, job: JobRow) -> Any:
    ended = jobs.find_ended(request.stack, job)
    if not ended:
        raise StillRunning(job.id)
    if ended.status == JobStatus.ERROR and ended.error:
        raise JobFailed(msgspec.json.decode(ended.error, type=JobError))
    return msgspec.json.decode(ended.results) if ended.results else None


class StillRunning(Conflict):
    """It goes on, so clients must not send it again, as they do after a 5xx."""

    code = "storage.jobs.stillRunning"

    def __init__(self, job_id: int) -> None:
        super().__init__(
            f"This takes longer than {LONG_SECONDS:.0f} seconds and goes on as job {job_id}: look there how it ends, "
            "and use the asynchronous form of this call next time."
        )
