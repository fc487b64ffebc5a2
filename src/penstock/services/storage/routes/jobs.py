"""Storage's own jobs over HTTP, and helpers for routes that respond with a job."""

from __future__ import annotations

import time
from functools import partial
from typing import TypeVar

from penstock.foundation.callers import Right
from penstock.foundation.errors import Conflict
from penstock.foundation.stacks import STORAGE
from penstock.services.storage.models.jobs import ENDED, Job, JobQuery, JobRow, JobStatus, job_view
from penstock.services.storage.operations import jobs
from penstock.web.requests import Later, Request, Wait
from penstock.web.routing import Route, get, post

T = TypeVar("T")

SHORT_SECONDS = 8.0
"""Clients poll a new job at once and then only after seconds, so a short wait saves most of them a poll. They wait at
least twenty seconds for a response."""
QUEUED_SECONDS = 0.2
"""How long a response is held back for a job that no worker has begun: then others are before it."""
LONG_SECONDS = 25.0


def routes() -> list[Route]:
    one = "/v2/storage/jobs/{job_id}"
    return [
        get("/v2/storage/jobs", list_jobs, needs=Right.TOKEN, title="List Storage jobs"),
        get(one, get_job, needs=Right.TOKEN, title="Get a Storage job"),
        post(
            f"{one}/cancel",
            cancel_job,
            needs=Right.TOKEN,
            status=202,
            works_on_full_disk=True,
            title="Cancel a Storage job",
        ),
    ]


def list_jobs(request: Request, query: JobQuery) -> list[Job]:
    """Newest first."""
    with request.reading() as tx:
        rows = jobs.list_jobs(tx, request.caller, query)
    return [job_view(row, request.addresses.url_of(STORAGE)) for row in rows]


def get_job(request: Request, job_id: str) -> Job:
    with request.reading() as tx:
        row = jobs.get_job(tx, request.caller, job_id)
    return job_view(row, request.addresses.url_of(STORAGE))


def cancel_job(request: Request, job_id: str) -> Job:
    """Cancel a job. It ends with an error and changes nothing; one that has already committed succeeds."""
    with request.writing() as tx:
        row = jobs.cancel_job(tx, request.caller, job_id)
    return job_view(row, request.addresses.url_of(STORAGE))


def accept(request: Request, job: JobRow) -> Job:
    """Respond with a new job, as it was created; a short one has usually finished by then, unless it is in a queue."""
    since = time.monotonic()

    def is_over() -> bool:
        status = jobs.find_status(request.stack, job)
        is_queued = status == JobStatus.WAITING and time.monotonic() - since > QUEUED_SECONDS
        return is_queued or status in ENDED

    request.waits.append(Wait(is_over, SHORT_SECONDS, partial(request.stack.notify_workers, STORAGE)))
    return job_view(job, request.addresses.url_of(STORAGE))


def finish(request: Request, job: JobRow, into: type[T]) -> Later[T]:
    """Respond with the results of a job, decoded as this type, or with its error."""
    request.commit()
    wait = Wait(
        lambda: jobs.find_status(request.stack, job) in ENDED,
        LONG_SECONDS,
        partial(request.stack.notify_workers, STORAGE),
    )
    return Later(wait, lambda: _get_results(request, job, into))


def _get_results(request: Request, job: JobRow, into: type[T]) -> T:
    ended = jobs.find_ended(request.stack, job)
    if not ended:
        raise StillRunning(job.id)
    return jobs.read_results(ended, into)


class StillRunning(Conflict):
    """The job is still running. Not a 5xx, after which clients would retry the request."""

    code = "storage.jobs.stillRunning"

    def __init__(self, job_id: int) -> None:
        super().__init__(
            f"This takes longer than {LONG_SECONDS:.0f} seconds and continues as job {job_id}: look there how it ends, "
            "and use the asynchronous form of this call next time."
        )
