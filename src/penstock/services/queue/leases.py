"""A worker's hold on a job: claimed for a while, renewed while it lives, lost when it does not."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from penstock.foundation import clock, ids
from penstock.foundation.callers import Caller
from penstock.foundation.claims import DEATHS, LEASE
from penstock.foundation.database import Transaction
from penstock.foundation.stack import Stack
from penstock.runtime.data_folder import DataFolder
from penstock.services.queue import store
from penstock.services.queue.models import Failure, JobRow, Result, Status
from penstock.services.storage import interface as storage


def caller_of(job: JobRow) -> Caller:
    """In whose name the job speaks; what that token may do is asked anew when it matters."""
    return Caller(
        project_id=job.project_id, branch_id=job.branch_id, token_id=job.token_id, description=job.token_description
    )


def claim_job(stack: Stack, worker: str) -> JobRow | None:
    """The next job for this worker. One that has brought down its workers too often is ended instead."""
    now = clock.now()
    with stack.database.writing() as tx:
        job = store.claim_job(tx, worker, now)
        if job and job.deaths >= DEATHS:
            _give_up(tx, job)
    if job and job.deaths >= DEATHS:
        DataFolder(stack.jobs_folder / str(job.id)).remove()
        return None
    return job


def renew_lease(stack: Stack, job: JobRow) -> None:
    with stack.database.writing() as tx:
        store.change_claimed(tx, job, lease_until=clock.now() + LEASE)


def record_collected(stack: Stack, job: JobRow) -> None:
    """The component is done and its output durable: from here on the job only has to be loaded."""
    with stack.database.writing() as tx:
        store.change_claimed(tx, job, collected_attempt=job.attempt)


def release_job(stack: Stack, job: JobRow) -> None:
    """Give the job back, for the next worker to begin."""
    with stack.database.writing() as tx:
        store.change_claimed(tx, job, status=Status.CREATED, worker=None, lease_until=None)


def finish_job(
    stack: Stack, caller: Caller, job: JobRow, result: Result, state: dict[str, Any] | None, *, is_said: bool = False
) -> None:
    """The end, the state for the next run and the last event (unless the log says it already), all at once or not."""
    failed = bool(result.error)
    with stack.database.writing() as tx:
        _end(tx, job, Status.ERROR if failed else Status.SUCCESS, result)
        # With configuration data of its own a job did not read the stored state, so it does not replace it either.
        if state is not None and job.config and job.config_data is None:
            storage.save_state(tx, stack, caller, job.component, job.config, state)
        if not is_said:
            storage.add_events(tx, caller, [to_event(job, "error" if failed else "success", result.message)])


def add_log(stack: Stack, caller: Caller, events: Sequence[storage.NewEvent]) -> None:
    with stack.database.writing() as tx:
        storage.add_events(tx, caller, events)


def to_event(job: JobRow, kind: str, message: str) -> storage.NewEvent:
    # The run id of events is the plain id of the job, whatever its parents: clients ask for that.
    return storage.NewEvent(
        message=message, component=job.component, type=kind, run_id=str(job.id), configuration_id=job.config
    )


def _end(tx: Transaction, job: JobRow, status: Status, result: Result) -> None:
    store.change_claimed(
        tx,
        job,
        status=status,
        is_finished=True,
        result=msgspec.json.encode(result),
        end_time=clock.now(),
        lease_until=None,
    )


def _give_up(tx: Transaction, job: JobRow) -> None:
    result = Result(
        message=f"The job was started {DEATHS} times, and each time its worker died. It is not tried again.",
        error=Failure(type="application", exception_id=ids.new_exception_id()),
    )
    _end(tx, job, Status.ERROR, result)
    storage.add_events(tx, caller_of(job), [to_event(job, "error", result.message)])
