"""Queue over HTTP."""

from __future__ import annotations

from datetime import datetime

import msgspec

from penstock.foundation import clock
from penstock.foundation.callers import Right
from penstock.foundation.stacks import PORTAL
from penstock.services.queue import operations
from penstock.services.queue.models import Job, JobRow, NewJob, ProjectRef, TokenRef
from penstock.web.errors import with_status_code
from penstock.web.requests import Request
from penstock.web.routing import Route, get, post
from penstock.web.service import Service


def service() -> Service:
    return Service(id="queue", name="Queue API", routes=routes(), errors=with_status_code)


def routes() -> list[Route]:
    return [
        post("/jobs", create_job, body=NewJob, returns=Job, status=201, needs=Right.CREATE_JOBS),
        get("/jobs/{job_id}", get_job, returns=Job, needs=Right.TOKEN),
        get("/", describe, returns=dict[str, str], needs=Right.PUBLIC),
        get("/health-check", check_health, returns=dict[str, str], needs=Right.PUBLIC),
    ]


def create_job(request: Request) -> Job:
    """Run a component with a configuration; the answer is the job, which is then polled."""
    with request.writing() as tx:
        job = operations.create_job(tx, request.caller, request.stack.cipher, request.body)
        return _show(request, job, operations.get_project_name(tx, job))


def get_job(request: Request) -> Job:
    """A job as it stands now; its log is in Storage's events with `runId` = its id."""
    with request.reading() as tx:
        job = operations.get_job(tx, request.caller, request.path["job_id"])
        return _show(request, job, operations.get_project_name(tx, job))


def describe(request: Request) -> dict[str, str]:
    return {"api": "queue", "documentation": f"{request.addresses.url_of(PORTAL)}/"}


def check_health(request: Request) -> dict[str, str]:
    """Alive, with its database."""
    with request.reading() as tx:
        operations.check_health(tx)
    return {"status": "ok"}


def _show(request: Request, job: JobRow, project_name: str) -> Job:
    return Job(
        id=str(job.id),
        run_id=job.run_id,
        parent_run_id=job.run_id.rpartition(".")[0],
        project=ProjectRef(str(job.project_id), project_name),
        token=TokenRef(str(job.token_id), job.token_description),
        status=job.status,
        mode=job.mode,
        component=job.component,
        config=job.config,
        config_data=msgspec.Raw(job.config_data or b"{}"),
        created_time=_to_text(job.created_time),
        start_time=_to_text(job.start_time) if job.start_time else None,
        end_time=_to_text(job.end_time) if job.end_time else None,
        duration_seconds=_duration(job),
        result=msgspec.Raw(job.result),
        is_finished=job.is_finished,
        url=f"{request.addresses.url_of('queue')}/jobs/{job.id}",
        branch_id=str(job.branch_id),
    )


def _duration(job: JobRow) -> int:
    if not job.start_time:
        return 0
    return int(((job.end_time or clock.now()) - job.start_time).total_seconds())


def _to_text(moment: datetime) -> str:
    """Queue writes the offset with a colon, unlike Storage."""
    return moment.isoformat(timespec="seconds")
