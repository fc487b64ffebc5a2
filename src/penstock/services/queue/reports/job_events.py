"""The events of a job, and the caller in whose name it runs."""

from __future__ import annotations

from typing import Any

import msgspec

from penstock.foundation.callers import Caller
from penstock.foundation.database import Transaction
from penstock.services.queue.models.jobs import JobRow
from penstock.services.storage import interface as storage


def caller_of(job: JobRow) -> Caller:
    """The caller that created the job; get_caller() reads the current rights of its token."""
    return Caller(
        project_id=job.project_id,
        branch_id=job.branch_id,
        token_id=job.token_id,
        description=job.token_description,
        run_id=str(job.id),
    )


def get_caller(tx: Transaction, job: JobRow) -> Caller:
    """What the job's token may do now, in the job's branch; raises if it was revoked or has expired."""
    caller = storage.get_writer(tx, job.project_id, job.token_id, "may not run jobs")
    # Whether branches have their own storage is decided when the job is created, and does not change with features.
    place = {"branch_id": job.branch_id, "has_storage_branches": job.has_storage_branches}
    return msgspec.structs.replace(caller, **place, run_id=str(job.id))


def to_event(job: JobRow, kind: str, message: str, params: dict[str, Any] | None = None) -> storage.NewEvent:
    # The run id of events is the plain id of the job, whatever its parents: clients ask for that.
    return storage.NewEvent(
        # A database may refuse NUL.
        message=message.replace("\0", "\ufffd"),
        component=job.component,
        type=kind,
        run_id=str(job.id),
        configuration_id=job.config,
        params=params or {},
    )


def add_event(tx: Transaction, job: JobRow, kind: str, message: str, params: dict[str, Any] | None = None) -> None:
    storage.add_events(tx, caller_of(job), [to_event(job, kind, message, params)])
