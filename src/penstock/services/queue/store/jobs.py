"""Jobs. The table is the queue."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime
from typing import Any

import msgspec
from sqlalchemy import (
    JSON,
    BigInteger,
    Boolean,
    Column,
    ColumnElement,
    Index,
    Integer,
    LargeBinary,
    Table,
    Text,
    and_,
    bindparam,
    exists,
    false,
    insert,
    or_,
    select,
    text,
    update,
)

from penstock.foundation import clock
from penstock.foundation.database import Timestamp, Transaction, metadata
from penstock.foundation.jobs import claim_statements, claims
from penstock.services.management import interface as management
from penstock.services.queue.models.jobs import JobRow
from penstock.services.queue.models.statuses import PRECEDING, Status, check_change

_UNFINISHED = text("NOT is_finished")
_READY = text("NOT is_finished AND NOT is_held")
_RUNNING = text("NOT is_finished AND worker IS NOT NULL")
_HAS_ENDED = text("end_time IS NOT NULL")
_ENDED: dict[str, Any] = {"sqlite_where": _HAS_ENDED, "postgresql_where": _HAS_ENDED}
_NOT_FINISHED: dict[str, Any] = {"sqlite_where": _UNFINISHED, "postgresql_where": _UNFINISHED}

jobs = Table(
    "queue_jobs",
    metadata,
    Column("id", BigInteger, primary_key=True),
    Column("project_id", BigInteger, nullable=False),
    Column("branch_id", BigInteger, nullable=False),
    Column("has_storage_branches", Boolean, nullable=False, server_default=false()),
    Column("run_id", Text, nullable=False),
    Column("parent_run_id", Text, nullable=False),
    Column("parent_id", BigInteger),
    Column("token_id", BigInteger, nullable=False),
    Column("token_description", Text, nullable=False),
    Column("mode", Text, nullable=False),
    Column("component", Text, nullable=False),
    Column("component_type", Text, nullable=False),
    Column("config", Text),
    Column("config_data", LargeBinary),
    Column("config_version", Integer),
    Column("config_row_ids", JSON, nullable=False),
    Column("tag", Text),
    Column("type", Text, nullable=False),
    Column("desired_status", Text, nullable=False),
    Column("is_held", Boolean, nullable=False),
    Column("lock_key", Text),
    *claims.columns(),
    Column("result", LargeBinary, nullable=False),
    Column("progress", LargeBinary),
    Column("usage_data", JSON, nullable=False),
    Column("metrics", JSON, nullable=False),
    Column("rows_written", BigInteger, nullable=False, server_default=text("0")),
    Column("variable_values_id", Text),
    Column("variable_values_data", JSON, nullable=False),
    Column("backend", JSON, nullable=False),
    Column("executor", Text),
    Column("parallelism", Text),
    Column("on_error", Text),
    Column("orchestration_job_id", Text),
    Column("orchestration_task_id", Text),
    Column("orchestration_phase_id", Text),
    Column("only_orchestration_task_ids", JSON(none_as_null=True)),
    Column("previous_job_id", Text),
    Column("deduplication_id", Text),
    Column("delayed_start_time", Timestamp),
    Column("updated_time", Timestamp),
    Index("queue_jobs_unfinished", "id", **_NOT_FINISHED),
    Index("queue_jobs_ready_by_project", "project_id", "id", sqlite_where=_READY, postgresql_where=_READY),
    Index("queue_jobs_unfinished_by_lock", "project_id", "branch_id", "lock_key", "id", **_NOT_FINISHED),
    Index("queue_jobs_by_project", "project_id", "id"),
    Index("queue_jobs_by_config", "project_id", "component", "config", "id"),
    Index("queue_jobs_by_status", "project_id", "status", "id"),
    Index("queue_jobs_by_end", "project_id", "end_time", "branch_id", "status", "rows_written", **_ENDED),
    Index("queue_jobs_by_parent", "parent_id", "id"),
    Index("queue_jobs_by_parent_run", "project_id", "parent_run_id", "id"),
    Index("queue_jobs_unfinished_by_deduplication", "project_id", "deduplication_id", **_NOT_FINISHED),
    Index("queue_jobs_running", "project_id", sqlite_where=_RUNNING, postgresql_where=_RUNNING),
)


_LOCK = ("project_id", "branch_id", "lock_key")
_ADD = insert(jobs)
"""Built once, like those below: building a statement takes longer than executing it."""
_FIND_STATUS = select(jobs.c.status).where(jobs.c.id == bindparam("job_id"), ~jobs.c.is_finished)
_FIND_DESIRED_STATUS = select(jobs.c.desired_status).where(jobs.c.id == bindparam("job_id"))
_FIND_UNFINISHED = (
    select(jobs.c.id).where(~jobs.c.is_finished, *(jobs.c[name] == bindparam(name) for name in _LOCK)).limit(1)
)


def add_job(tx: Transaction, job: JobRow) -> None:
    tx.change(_ADD, [msgspec.structs.asdict(job)])


def find_job(tx: Transaction, project_id: int, job_id: int) -> JobRow | None:
    mine = select(jobs).where(jobs.c.project_id == project_id, jobs.c.id == job_id)
    row = tx.connection.execute(tx.unclaimed(mine)).mappings().first()
    return read_job(row) if row else None


def list_jobs(tx: Transaction, project_id: int, job_ids: Collection[int]) -> list[JobRow]:
    """List those jobs that the project has."""
    mine = select(jobs).where(jobs.c.project_id == project_id, jobs.c.id.in_(list(job_ids)))
    return [read_job(row) for row in tx.connection.execute(mine).mappings()]


def read_desired_status(tx: Transaction, job_id: int) -> Status | None:
    """Return None if the job was removed, with its project."""
    found = tx.value(_FIND_DESIRED_STATUS, job_id=job_id)
    return Status(found) if found is not None else None


def has_unfinished(tx: Transaction, job: JobRow) -> bool:
    """Whether an earlier job with the same lock has not ended."""
    if job.lock_key is None:
        return False
    # The first is enough: thousands may wait.
    return tx.value(_FIND_UNFINISHED, **{name: getattr(job, name) for name in _LOCK}) is not None


def has_deduplication(tx: Transaction, project_id: int, deduplication_id: str) -> bool:
    same = [jobs.c.project_id == project_id, jobs.c.deduplication_id == deduplication_id]
    return tx.value(select(jobs.c.id).where(~jobs.c.is_finished, *same).limit(1)) is not None


def claim_job(tx: Transaction, worker: str, now: datetime, project_limit: int) -> JobRow | None:
    row = CLAIMS.claim(tx, worker, now, project_limit)
    return read_job(row) if row else None


def change_claimed(tx: Transaction, job: JobRow, **values: Any) -> None:
    """Raises LeaseLost if the job is no longer this attempt's to change."""
    status = Status(values["status"]) if "status" in values else None
    try:
        claims.change_claimed(
            tx, jobs, job, before=PRECEDING[status] if status else None, **values, updated_time=clock.now()
        )
    except claims.LeaseLost:
        if status:
            check_change(_get_status(tx, job), status)
        raise


def change_job(tx: Transaction, job: JobRow, **values: Any) -> JobRow:
    """Change a job that no worker holds, or one that is ended or released whether a worker holds it or not."""
    if "status" in values:
        check_change(job.status, Status(values["status"]))
    values = {**values, "updated_time": clock.now()}
    tx.change(update(jobs).where(jobs.c.id == job.id).values(**values))
    return msgspec.structs.replace(job, **values)


def list_unfinished_ids(tx: Transaction) -> set[int]:
    return set(tx.connection.execute(select(jobs.c.id).where(~jobs.c.is_finished)).scalars())


def _get_status(tx: Transaction, job: JobRow) -> Status:
    """A client may have changed it since the job was claimed, to terminate the job."""
    status = tx.value(_FIND_STATUS, job_id=job.id)
    if status is None:
        raise claims.LeaseLost
    return Status(status)


def read_job(row: Any) -> JobRow:
    """Converts columns to their types, such as a status to Status."""
    return msgspec.convert({str(name): value for name, value in row.items()}, JobRow)


def _is_behind() -> ColumnElement[bool]:
    """Another job with the same lock comes first."""
    earlier = jobs.alias("earlier")
    same = [earlier.c[name] == jobs.c[name] for name in _LOCK]
    # A job that starts later blocks no other; once it runs it does, whichever came first. And a running job whose
    # lease ran out is taken over first: the others wait for it, so it must not wait for them.
    comes_first = and_(
        jobs.c.status.in_(claim_statements.READY),
        earlier.c.id < jobs.c.id,
        ~claim_statements.is_early(earlier.c.delayed_start_time),
    )
    is_running = and_(earlier.c.id != jobs.c.id, earlier.c.status.not_in(claim_statements.READY))
    return exists().where(~earlier.c.is_finished, *same, or_(comes_first, is_running))


CLAIMS = claims.Claims(
    jobs,
    _is_behind(),
    held="is_held",
    delayed="delayed_start_time",
    projects=management.CLAIMED,
    limit_name=management.JOBS_IN_PARALLEL,
)
"""Jobs that their parent holds back are not even read."""
