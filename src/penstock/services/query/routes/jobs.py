"""Query jobs over HTTP: submitted, read, canceled and listed."""

from __future__ import annotations

from functools import partial

from penstock.foundation import clock
from penstock.foundation.callers import Right
from penstock.foundation.jobs.waiting import Wait
from penstock.services.query import operations, store
from penstock.services.query.execution.executor import executor_of
from penstock.services.query.execution.lost_jobs import fail_lost_job, is_lost
from penstock.services.query.models.requests import Cancellation, HistoryQuery, NewQuery
from penstock.services.query.models.rows import JobRow
from penstock.services.query.models.views import (
    Canceled,
    History,
    Job,
    Submitted,
    history_view,
    job_view,
)
from penstock.services.query.submission import submit
from penstock.services.storage import interface as storage
from penstock.web.requests import Later, Request
from penstock.web.routing import Route, get, post

WORKSPACE = "/api/v1/branches/{branch}/workspaces/{workspace_id}/queries"
JOB = "/api/v1/queries/{job_id}"
POLL_SECONDS = 0.1
"""How long the request for a running job waits for its end: most queries end sooner, so clients that poll once a second
see that at their first poll."""


def routes() -> list[Route]:
    return [
        post(
            WORKSPACE,
            submit_query,
            needs=Right.TOKEN,
            status=201,
            only_reads=True,
            title="Run SQL queries in a workspace",
        ),
        get(WORKSPACE, list_history, needs=Right.TOKEN, title="List the history of queries"),
        get(JOB, get_job, needs=Right.TOKEN, title="Get a query job"),
        post(
            f"{JOB}/cancel",
            cancel_job,
            needs=Right.TOKEN,
            is_for_readers=True,
            works_on_full_disk=True,
            title="Cancel a query job",
        ),
    ]


def submit_query(request: Request, branch: str, workspace_id: str, body: NewQuery) -> Submitted:
    """Run statements in a workspace. The response does not wait for them.

    Those of a member who may only read change nothing: the engine runs them in transactions that refuse it.
    """
    operations.check_query(body)
    with request.writing() as tx:
        caller = operations.in_branch(tx, request.caller, branch)
        workspace = storage.get_sql_workspace(tx, caller, workspace_id)
        job, starting = submit(tx, request.stack, caller, workspace, body)
    request.waits.append(starting)
    return Submitted(query_job_id=str(job.id), session_id=job.session_id)


def list_history(request: Request, branch: str, workspace_id: str, query: HistoryQuery) -> History:
    """The statements that were run in a workspace, newest first."""
    with request.reading() as tx:
        caller = operations.in_branch(tx, request.caller, branch)
        workspace = storage.get_sql_workspace(tx, caller, workspace_id)
        return history_view(operations.list_history(tx, caller, workspace.id, query))


def get_job(request: Request, job_id: str) -> Job | Later[Job]:
    """A job with its statements. While it runs, the response waits a moment for its end."""
    job = _get_job(request, job_id)
    if job.is_finished:
        return _view(request, job)
    notify = partial(executor_of(request.stack).notify, job.id)
    wait = Wait(lambda: _is_finished(request, job), POLL_SECONDS, lambda: None, notify)
    return Later(wait, lambda: _view(request, job))


def _get_job(request: Request, job_id: str) -> JobRow:
    """A job whose server process is gone fails here."""
    with request.reading() as tx:
        job = operations.get_job(tx, request.caller, job_id)
    if is_lost(job, clock.now()):
        with request.stack.database.writing(job.project_id) as tx:
            fail_lost_job(tx, request.stack, job)
    return job


def _is_finished(request: Request, job: JobRow) -> bool:
    with request.stack.database.reading() as tx:
        return store.is_finished(tx, job.project_id, job.id)


def _view(request: Request, job: JobRow) -> Job:
    """Return the job as it is now."""
    with request.reading() as tx:
        found = store.find_job(tx, job.project_id, job.id) or job
        return job_view(found, store.list_statements(tx, found))


def cancel_job(request: Request, job_id: str, body: Cancellation) -> Canceled:
    """Stop a job that has not ended. A member who may only read stops its own, in a workspace that it created."""
    with request.writing() as tx:
        job = operations.cancel_job(tx, request.stack, request.caller, job_id, body.reason)
    request.commit()
    executor_of(request.stack).cancel(job.id)
    return Canceled(query_job_id=str(job.id))
