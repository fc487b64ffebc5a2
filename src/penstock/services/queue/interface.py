"""What other services may ask of Queue: jobs, and to run a component as a job does."""

from __future__ import annotations

from datetime import datetime
from typing import Any

import msgspec

from penstock.foundation import ids
from penstock.foundation.callers import Caller, Right
from penstock.foundation.database import Transaction
from penstock.foundation.errors import Forbidden, RoleNotEnough
from penstock.foundation.stack import Stack
from penstock.services.queue import termination
from penstock.services.queue.errors import ComponentForbidden, VaultNotReadable
from penstock.services.queue.execution import ChooseLauncher
from penstock.services.queue.execution.launching import find_image_parameters, make_launch, make_limits
from penstock.services.queue.execution.opening import Opened, open_configuration
from penstock.services.queue.models.jobs import JobRow
from penstock.services.queue.models.parsing import parse_job
from penstock.services.queue.models.requests import NewJob
from penstock.services.queue.models.statuses import Status
from penstock.services.queue.operations import creation, reading
from penstock.services.queue.operations.creation import check_tag
from penstock.services.queue.operations.sealing import seal_configuration
from penstock.services.queue.store import children, jobs
from penstock.services.queue.variables import JobValues, StoredSources, resolve
from penstock.services.queue.worker import launchers_of
from penstock.services.storage import interface as storage

__all__ = [
    "FOR_STORAGE",
    "ChooseLauncher",
    "ComponentForbidden",
    "Job",
    "JobReport",
    "NewJob",
    "NotAllowed",
    "Opened",
    "Status",
    "check_tag",
    "create_job",
    "find_image_parameters",
    "get_job",
    "get_report",
    "launchers_of",
    "list_runs",
    "make_launch",
    "make_limits",
    "open_configuration",
    "resolve_variables",
    "seal_configuration",
    "terminate_job",
]


class Job(msgspec.Struct, frozen=True, kw_only=True):
    id: int
    project_id: int
    branch_id: int
    component: str
    config: str | None
    status: Status
    is_finished: bool
    message: str
    """How it ended, in a sentence; empty until then."""
    created_time: datetime
    start_time: datetime | None
    end_time: datetime | None


class JobReport(msgspec.Struct, frozen=True, kw_only=True):
    """A job with everything that is known of its run."""

    job: Job
    row_ids: list[str]
    config_data: dict[str, Any]
    """Its own configuration, if it was created with one; secrets in it are encrypted."""
    result: dict[str, Any]


def list_runs(tx: Transaction, project_id: int, run: str) -> list[str]:
    """Return the run ids under which a job, named by its id or its run id, and the jobs that it is made of have stored
    their events; none if there is no such job."""
    number = ids.read_id(run.rpartition(".")[2])
    job = jobs.find_job(tx, project_id, number) if number is not None else None
    if not job or run not in (job.run_id, str(job.id)):
        return []
    return [str(job.id), *map(str, children.list_descendant_ids(tx, job))]


FOR_STORAGE = storage.Queue(list_runs=list_runs)


class NotAllowed(Forbidden):
    def __init__(self) -> None:
        super().__init__(f"The token may not create jobs. Use one with {Right.CREATE_JOBS.granted_by}.")


def create_job(tx: Transaction, stack: Stack, caller: Caller, new_job: NewJob) -> Job:
    """Workers find it within a tenth of a second after the commit, or at once with `stack.notify_workers(QUEUE)`."""
    _check(caller)
    return _to_job(creation.create_job(tx, caller, stack, parse_job(new_job)))


def get_job(tx: Transaction, caller: Caller, job_id: str) -> Job:
    """Raises JobNotFound for a job that is not there, or that the caller may not see."""
    return _to_job(reading.get_job(tx, caller, job_id))


def get_report(tx: Transaction, caller: Caller, job_id: str) -> JobReport:
    """Like get_job()."""
    row = reading.get_job(tx, caller, job_id)
    return JobReport(
        job=_to_job(row),
        row_ids=row.config_row_ids,
        config_data=msgspec.json.decode(row.config_data) if row.config_data else {},
        result=msgspec.json.decode(row.result),
    )


def terminate_job(tx: Transaction, stack: Stack, caller: Caller, job_id: str) -> Job:
    """Ask a job to stop, and with it all jobs that it is made of; one that has not begun is cancelled at once."""
    _check(caller)
    return _to_job(termination.terminate_job(tx, stack, caller, job_id))


def resolve_variables(stack: Stack, caller: Caller, document: dict[str, Any]) -> dict[str, Any]:
    """The configuration with shared code and variables in it, for showing it; secrets stay encrypted."""
    return resolve(document, _ShownSources(stack.database, caller, None), JobValues()).document


class _ShownSources(StoredSources):
    """Values of the vault are shown only to those who can get them anyway: by reading the vault, or by a job."""

    def read_vault(self) -> dict[str, str]:
        if not any(self._caller.has(right) for right in (Right.MANAGE_BUCKETS, Right.CREATE_JOBS)):
            raise VaultNotReadable
        return super().read_vault()


def _check(caller: Caller) -> None:
    """What the route tables check for requests."""
    if caller.only_reads:
        raise RoleNotEnough(caller.role, "may not run jobs")
    if not caller.has(Right.CREATE_JOBS):
        raise NotAllowed


class _Message(msgspec.Struct):
    message: str = ""


def _to_job(row: JobRow) -> Job:
    return Job(
        id=row.id,
        project_id=row.project_id,
        branch_id=row.branch_id,
        component=row.component,
        config=row.config,
        status=row.status,
        is_finished=row.is_finished,
        message=msgspec.json.decode(row.result, type=_Message).message,
        created_time=row.created_time,
        start_time=row.start_time,
        end_time=row.end_time,
    )
