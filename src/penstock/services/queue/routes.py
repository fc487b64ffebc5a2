"""Queue over HTTP."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from typing import Any

from penstock.foundation.callers import Right
from penstock.foundation.database import Transaction
from penstock.foundation.stacks import QUEUE, STORAGE
from penstock.services.queue import termination
from penstock.services.queue.models.jobs import JobRow
from penstock.services.queue.models.parsing import parse_job
from penstock.services.queue.models.requests import NewJob
from penstock.services.queue.models.searching import ConfigurationsSearch, GroupedSearch, JobSearch
from penstock.services.queue.models.totals import JobTotals, TotalsQuery, sum_statuses
from penstock.services.queue.models.views import Job, JobGroup, job_view
from penstock.services.queue.operations import creation, lineage, plans, reading, searching, totals
from penstock.web.health import description, health_check
from penstock.web.requests import Request, Wait
from penstock.web.routing import Route, get, post


def routes() -> list[Route]:
    return [
        post("/jobs", create_job, needs=Right.CREATE_JOBS, status=201),
        get("/jobs/{job_id}", get_job, needs=Right.TOKEN),
        post(
            "/jobs/{job_id}/kill",
            terminate_job,
            needs=Right.CREATE_JOBS,
            status=202,
            works_on_full_disk=True,
            title="Stop a job",
        ),
        get("/search/jobs", search_jobs, needs=Right.TOKEN),
        get("/search/grouped-jobs", search_groups, needs=Right.TOKEN, title="Search jobs by group"),
        get("/jobs", list_jobs, needs=Right.TOKEN),
        get(
            "/configurations-jobs", list_newest_jobs, needs=Right.TOKEN, title="List the newest jobs of configurations"
        ),
        get(
            "/latest-configurations-jobs",
            list_latest_jobs,
            needs=Right.TOKEN,
            title="List the latest job of each configuration",
        ),
        get("/orchestration-rerun-plan/{job_id}", plan_rerun, needs=Right.TOKEN, title="Plan the rerun of a flow"),
        get("/stats/project", sum_durations, needs=Right.TOKEN, title="Get the running time of all jobs"),
        get("/stats/jobs", get_totals, needs=Right.TOKEN, title="Count jobs by day and status"),
        get("/jobs/{job_id}/open-api-lineage", list_lineage, needs=Right.TOKEN, title="Get the lineage of a job"),
        get(
            "/job/{job_id}/open-api-lineage",
            list_lineage_as_well,
            needs=Right.TOKEN,
            title="Get the lineage of a job at its other address",
        ),
        description(QUEUE),
        health_check(lambda _request: {"status": "ok"}),
    ]


def create_job(request: Request, body: NewJob) -> Job:
    """Run a component with a configuration; the response is the job, which is then polled."""
    wanted = parse_job(body, request.caller.run_id)
    with request.writing() as tx:
        job = creation.create_job(tx, request.caller, request.stack, wanted)
        if not job.delayed_start_time:
            # The response does not wait for the job, but a worker is woken after the commit.
            request.waits.append(
                Wait(is_over=lambda: True, seconds=0, begin=partial(request.stack.notify_workers, QUEUE))
            )
        return _view(request, tx, job)


def get_job(request: Request, job_id: str) -> Job:
    """A job as it stands now; its log is in Storage's events with `runId` = its id."""
    with request.reading() as tx:
        return _view(request, tx, reading.get_job(tx, request.caller, job_id))


def terminate_job(request: Request, job_id: str) -> Job:
    """Ask a job to stop, and with it all that it is made of."""
    with request.writing() as tx:
        job = termination.terminate_job(tx, request.stack, request.caller, job_id)
        return _view(request, tx, job)


def search_jobs(request: Request, query: JobSearch) -> list[Job]:
    """Jobs that all the filters let through, newest first unless another order is asked for."""
    with request.reading() as tx:
        return _views(request, tx, searching.search_jobs(tx, request.caller, query))


def list_jobs(request: Request, query: JobSearch) -> list[Job]:
    """The old name of the search."""
    return search_jobs(request, query)


def search_groups(request: Request, query: GroupedSearch) -> list[JobGroup]:
    """The newest jobs of every group, such as of every configuration."""
    with request.reading() as tx:
        found = searching.search_groups(tx, request.caller, query)
        return [JobGroup(group, _views(request, tx, rows)) for group, rows in found]


def list_newest_jobs(request: Request, query: ConfigurationsSearch) -> list[Job]:
    """The newest jobs of the configurations that `configIds` names."""
    with request.reading() as tx:
        return _views(request, tx, searching.list_newest(tx, request.caller, query))


def list_latest_jobs(request: Request, query: JobSearch) -> list[Job]:
    """The newest job of every configuration that was run in the last month."""
    with request.reading() as tx:
        return _views(request, tx, searching.list_latest(tx, request.caller, query))


def plan_rerun(request: Request, job_id: str) -> dict[str, Any]:
    """Which tasks of a flow have run in this job of it."""
    with request.reading() as tx:
        return plans.plan_rerun(tx, request.caller, job_id)


def sum_durations(request: Request) -> dict[str, dict[str, int]]:
    """How many seconds the jobs of the project have run."""
    with request.reading() as tx:
        return {"jobs": {"durationSum": searching.sum_durations(tx, request.caller)}}


def get_totals(request: Request, query: TotalsQuery) -> JobTotals:
    """Count the jobs of the last days by day and status, and list the configurations that fail now."""
    with request.reading() as tx:
        found = totals.get_totals(tx, request.caller, query)
        last = _views(request, tx, [found.last_success] if found.last_success else [])
        return JobTotals(
            days=found.days,
            statuses=sum_statuses(found.days),
            rows_written=sum(day.rows_written for day in found.days),
            unfinished=found.unfinished,
            last_success=last[0] if last else None,
            failing=_views(request, tx, found.failing),
        )


def list_lineage(request: Request, job_id: str) -> list[dict[str, Any]]:
    """What the job read and wrote, as events of OpenLineage."""
    with request.reading() as tx:
        job = reading.get_job(tx, request.caller, job_id)
    return lineage.list_events(job, request.addresses.url_of(STORAGE), request.addresses.host_of(STORAGE))


def list_lineage_as_well(request: Request, job_id: str) -> list[dict[str, Any]]:
    """The lineage of a job, at the address that one client asks."""
    return list_lineage(request, job_id)


def _view(request: Request, tx: Transaction, job: JobRow) -> Job:
    return _views(request, tx, [job])[0]


def _views(request: Request, tx: Transaction, jobs: Iterable[JobRow]) -> list[Job]:
    name, url = reading.get_project_name(tx, request.caller), request.addresses.url_of(QUEUE)
    return [job_view(job, name, url) for job in jobs]
