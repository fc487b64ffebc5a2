"""What a worker records of a job: that it has claimed it, how far it is, and how it ended."""

from __future__ import annotations

from typing import Any

import msgspec

from penstock.foundation import audit, clock
from penstock.foundation.callers import Caller
from penstock.foundation.database import Transaction
from penstock.foundation.jobs.claims import LEASE, MAX_LOST_LEASES, NO_LIMIT
from penstock.foundation.stack import Stack
from penstock.runtime.data_folder import remove_job_folder
from penstock.services.management import interface as management
from penstock.services.queue import flows
from penstock.services.queue.flows.stopping import TERMINATED
from penstock.services.queue.models.jobs import JobRow, Kind
from penstock.services.queue.models.progress import Progress, read_progress
from penstock.services.queue.models.results import Result
from penstock.services.queue.models.statuses import Status
from penstock.services.queue.reports.charging import charge_job
from penstock.services.queue.reports.failures import new_failure
from penstock.services.queue.reports.job_events import add_event, caller_of
from penstock.services.queue.reports.notifications import publish_end
from penstock.services.queue.store import jobs
from penstock.services.storage import interface as storage


class StateOf(msgspec.Struct, frozen=True):
    """The state for the next run of a part, with its secrets encrypted."""

    row_id: str | None
    document: dict[str, Any]


class Pending(msgspec.Struct, frozen=True):
    """What a job has to say and is not stored yet."""

    events: list[storage.NewEvent] = []
    audit: list[audit.NewEntry] = []


class JobOutcome(msgspec.Struct, frozen=True, kw_only=True):
    status: Status
    result: Result
    state: StateOf | None = None
    """Of the last part."""
    usage: list[Any] = []
    metrics: dict[str, Any] = {}
    pending: Pending = Pending()


def claim_job(stack: Stack, worker: str) -> JobRow | None:
    """The next job for this worker. A job that lost too many leases is ended instead."""
    with stack.database.claiming() as tx:
        job = jobs.claim_job(tx, worker, clock.now(), stack.settings.jobs_per_project or NO_LIMIT)
    if job and (job.desired_status is Status.TERMINATING or job.lost_leases >= MAX_LOST_LEASES):
        _end_at_once(stack, job)
        return None
    return job


def renew_lease(stack: Stack, job: JobRow) -> None:
    with stack.database.writing(job.project_id) as tx:
        jobs.change_claimed(tx, job, lease_until=clock.now() + LEASE)


def is_unwanted(stack: Stack, job: JobRow) -> bool:
    """Whether a client asked for the job to be terminated, or its project was purged."""
    with stack.database.reading() as tx:
        return jobs.read_desired_status(tx, job.id) in (Status.TERMINATING, None)


def begin_flow(stack: Stack, job: JobRow) -> None:
    """Create the first children of a flow; after that no worker holds it."""
    with stack.database.writing(job.project_id) as tx:
        jobs.change_claimed(tx, job, worker=None, lease_until=None)
        flows.begin(tx, stack, job)


def record_progress(stack: Stack, job: JobRow, progress: Progress) -> None:
    with stack.database.writing(job.project_id) as tx:
        jobs.change_claimed(tx, job, progress=msgspec.json.encode(progress))


def record_part(stack: Stack, caller: Caller, job: JobRow, progress: Progress, state: StateOf) -> None:
    """A part is loaded: that, and the state for its next run, in one transaction."""
    with stack.database.writing(job.project_id) as tx:
        jobs.change_claimed(tx, job, progress=msgspec.json.encode(progress))
        _save_state(tx, caller, job, state)


def create_run_token_of(
    stack: Stack, caller: Caller, job: JobRow, progress: Progress, seconds: int
) -> storage.RunToken:
    """Create a token for a program of this job, and record it in the progress."""
    with stack.database.writing(job.project_id) as tx:
        token = storage.create_run_token(tx, caller, f"Run of job {job.id}", seconds)
        noted = msgspec.structs.replace(progress, run_token=token.id)
        jobs.change_claimed(tx, job, progress=msgspec.json.encode(noted))
    return token


def remove_run_token_of(stack: Stack, job: JobRow, token_id: int) -> None:
    with stack.database.writing(job.project_id) as tx:
        storage.remove_run_token(tx, caller_of(job), token_id)


def release_job(stack: Stack, job: JobRow) -> None:
    """Put the job back, to be claimed by another worker. It starts anew then: until that it is not processed, and what
    it took so far is not charged."""
    with stack.database.writing(job.project_id) as tx:
        jobs.change_claimed(tx, job, status=Status.CREATED, worker=None, lease_until=None, start_time=None)


def end_terminated(stack: Stack, job: JobRow) -> None:
    with stack.database.writing(job.project_id) as tx:
        _end_terminated(tx, stack, job)


def finish_job(stack: Stack, caller: Caller, job: JobRow, outcome: JobOutcome) -> None:
    """The end, the state of the last part and the last log lines, in one transaction."""
    with stack.database.writing(job.project_id) as tx:
        _end(tx, stack, job, outcome.status, outcome.result, usage_data=outcome.usage, metrics=outcome.metrics)
        if outcome.state:
            _save_state(tx, caller, job, outcome.state)
        _store(tx, caller, outcome.pending)


def add_log(stack: Stack, caller: Caller, pending: Pending) -> None:
    with stack.database.writing(caller.project_id) as tx:
        _store(tx, caller, pending)


def _store(tx: Transaction, caller: Caller, pending: Pending) -> None:
    """Events of a project that was purged meanwhile are dropped: nothing would remove them."""
    project = management.find_project(tx, caller.project_id)
    if project and not project.purged:
        storage.add_events(tx, caller, pending.events)
    audit.record_all(tx, pending.audit)


def _end(tx: Transaction, stack: Stack, job: JobRow, status: Status, result: Result, **more: Any) -> None:
    values: dict[str, Any] = {"status": status, "is_finished": True, "end_time": clock.now()}
    values |= {"result": msgspec.json.encode(result), "rows_written": result.rows_written}
    jobs.change_claimed(tx, job, **values, **more, worker=None, lease_until=None)
    if job.type is Kind.STANDARD and (token_id := read_progress(job).run_token):
        # Of an interrupted attempt, whose program may still run.
        storage.remove_run_token(tx, caller_of(job), token_id)
    ended = msgspec.structs.replace(job, **values, **more)
    charge_job(tx, stack, ended)
    publish_end(tx, ended)
    flows.notify_parent(tx, stack, ended)


def _save_state(tx: Transaction, caller: Caller, job: JobRow, state: StateOf) -> None:
    # With configuration data of its own a job did not read the stored state, so it does not replace it either.
    if job.config and job.config_data is None and job.mode != "debug":
        storage.save_state(tx, caller, job.component, job.config, state.row_id, state.document)


def _end_terminated(tx: Transaction, stack: Stack, job: JobRow) -> None:
    _end(tx, stack, job, Status.TERMINATED, Result(message=TERMINATED))
    add_event(tx, job, "warn", TERMINATED)


def _end_at_once(stack: Stack, job: JobRow) -> None:
    """End a job whose worker died while terminating it, or that lost too many leases."""
    with stack.database.writing(job.project_id) as tx:
        if job.desired_status is Status.TERMINATING:
            _end_terminated(tx, stack, job)
        else:
            _end_lost(tx, stack, job)
    remove_job_folder(stack.jobs_folder / str(job.id))


def _end_lost(tx: Transaction, stack: Stack, job: JobRow) -> None:
    message = f"The job was started {MAX_LOST_LEASES} times, and each time its worker died. It is not tried again."
    result = Result(message=message, error=new_failure(job.id, "application", message))
    _end(tx, stack, job, Status.ERROR, result)
    add_event(tx, job, "error", result.message)
