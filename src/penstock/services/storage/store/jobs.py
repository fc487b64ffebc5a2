"""Storage's own jobs. The table is the queue."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

import msgspec
from sqlalchemy import (
    JSON,
    BigInteger,
    Boolean,
    Column,
    ColumnElement,
    Index,
    LargeBinary,
    Table,
    Text,
    and_,
    bindparam,
    delete,
    exists,
    false,
    func,
    insert,
    literal_column,
    or_,
    select,
    text,
    update,
)

from penstock.foundation.database import Transaction, metadata
from penstock.foundation.jobs import claims
from penstock.services.management.interface import CLAIMED
from penstock.services.storage.models.jobs import JobRow, JobStatus, Span

KEPT = timedelta(days=90)
MAKE_ROOM = ("bucketDelete", "devBranchDelete", "fileDelete", "snapshotDelete", "tableDrop", "tableRowsDelete")
"""Operations that are run even while the disk is full."""
DROPS = ("bucketDelete", "devBranchDelete", "tableDrop")
"""Those of them that do not wait for loads that cannot start then: what would be loaded is deleted anyway."""
_IS_READ_ONLY = bindparam("is_read_only", type_=Boolean)
_UNFINISHED = text("NOT is_finished")
_IS_PROFILE = text("operation = 'tableProfile'")
_RUNNING = text("NOT is_finished AND worker IS NOT NULL")

jobs = Table(
    "storage_jobs",
    metadata,
    Column("id", BigInteger, primary_key=True),
    Column("project_id", BigInteger, nullable=False),
    Column("branch_id", BigInteger, nullable=False),
    Column("token_id", BigInteger, nullable=False),
    Column("token_description", Text, nullable=False),
    Column("run_id", Text),
    Column("operation", Text, nullable=False),
    Column("params", JSON, nullable=False),
    Column("lock_key", Text),
    Column("table_id", Text),
    *claims.columns(),
    Column("results", LargeBinary),
    Column("error", LargeBinary),
    Column("has_storage_branches", Boolean, nullable=False, server_default=false()),
    Column("is_cancelled", Boolean, nullable=False, server_default=false()),
    Index("storage_jobs_by_project", "project_id", "id"),
    Index(
        "storage_jobs_unfinished_by_project", "project_id", "id", sqlite_where=_UNFINISHED, postgresql_where=_UNFINISHED
    ),
    Index(
        "storage_jobs_profiles",
        *("project_id", "table_id", "id"),
        sqlite_where=_IS_PROFILE,
        postgresql_where=_IS_PROFILE,
    ),
    Index("storage_jobs_running", "project_id", sqlite_where=_RUNNING, postgresql_where=_RUNNING),
)


_FIND_CANCELLED = select(jobs.c.is_cancelled).where(
    jobs.c.project_id == bindparam("of_project"), jobs.c.id == bindparam("job_id")
)


def add_job(tx: Transaction, job: JobRow) -> None:
    tx.change(insert(jobs).values(msgspec.structs.asdict(job)))


def find_job(tx: Transaction, project_id: int, job_id: int) -> JobRow | None:
    return tx.one(select(jobs).where(jobs.c.project_id == project_id, jobs.c.id == job_id), into=JobRow)


def find_unclaimed(tx: Transaction, project_id: int, job_id: int) -> JobRow | None:
    """Like find_job, but no worker can claim the job until the transaction ends."""
    mine = select(jobs).where(jobs.c.project_id == project_id, jobs.c.id == job_id)
    return tx.one(tx.unclaimed(mine), into=JobRow)


def is_cancelled(tx: Transaction, job: JobRow) -> bool:
    return bool(tx.value(_FIND_CANCELLED, of_project=job.project_id, job_id=job.id))


def find_newest_done(
    tx: Transaction, project_id: int, operation: str, table_id: str, branch_id: int | None, since: datetime
) -> JobRow | None:
    """The newest job of this kind on a table that has succeeded, if it was created since then; in any branch without
    one."""
    # The operation is a literal, so that the database sees that its index fits.
    is_kind = jobs.c.operation == literal_column(f"'{operation}'")
    mine = (jobs.c.project_id == project_id, jobs.c.table_id == table_id, is_kind)
    query = select(jobs).where(*mine, jobs.c.status == JobStatus.SUCCESS, jobs.c.created_time >= since)
    if branch_id is not None:
        query = query.where(jobs.c.branch_id == branch_id)
    return tx.one(query.order_by(jobs.c.id.desc()).limit(1), into=JobRow)


def find_status(tx: Transaction, project_id: int, job_id: int) -> str | None:
    return tx.value(select(jobs.c.status).where(jobs.c.project_id == project_id, jobs.c.id == job_id))


def list_jobs(
    tx: Transaction,
    project_id: int,
    token_id: int | None,
    *,
    limit: int,
    offset: int,
    statuses: list[str],
    others: list[str],
    spans: list[Span],
) -> list[JobRow]:
    """Newest first; given a token, only those it created."""
    statement = select(jobs).where(jobs.c.project_id == project_id)
    if token_id is not None:
        statement = statement.where(jobs.c.token_id == token_id)
    if statuses:
        statement = statement.where(jobs.c.status.in_(statuses))
    if others:
        statement = statement.where(jobs.c.status.not_in(others))
    for span in spans:
        statement = statement.where(*_lies_within(span))
    return tx.all(statement.order_by(jobs.c.id.desc()).limit(limit).offset(offset), into=JobRow)


def list_unfinished(tx: Transaction, project_id: int, operation: str) -> list[JobRow]:
    statement = select(jobs).where(jobs.c.project_id == project_id, ~jobs.c.is_finished, jobs.c.operation == operation)
    return tx.all(statement, into=JobRow)


def claim_job(
    tx: Transaction, worker: str, now: datetime, project_limit: int = claims.NO_LIMIT, *, is_read_only: bool = False
) -> JobRow | None:
    """While the disk is full, only operations that free space."""
    row = CLAIMS.claim(tx, worker, now, project_limit, is_read_only=is_read_only)
    return JobRow(**row) if row else None


def change_job(tx: Transaction, job: JobRow, **values: Any) -> JobRow:
    """Update a job that no worker has claimed, or signal the worker that has."""
    tx.change(update(jobs).where(jobs.c.id == job.id).values(**values))
    return msgspec.structs.replace(job, **values)


def finish_job(tx: Transaction, job: JobRow, now: datetime, results: bytes | None) -> None:
    """Finish a job that no worker has claimed."""
    done = {"status": JobStatus.SUCCESS, "is_finished": True, "start_time": now, "end_time": now, "results": results}
    tx.change(update(jobs).where(jobs.c.id == job.id).values(**done))


def remove_old_jobs(tx: Transaction, now: datetime) -> None:
    tx.change(delete(jobs).where(jobs.c.is_finished, jobs.c.end_time < now - KEPT))


def renew(tx: Transaction, job: JobRow, now: datetime) -> None:
    """Raises LeaseLost if this attempt no longer holds the job."""
    change_claimed(tx, job, lease_until=now + claims.LEASE)


def change_claimed(tx: Transaction, job: JobRow, **values: Any) -> None:
    claims.change_claimed(tx, jobs, job, **values)


def _lies_within(span: Span) -> list[ColumnElement[bool]]:
    moment = jobs.c[span.field]
    since = [moment >= span.since] if span.since else []
    return [*since, moment <= span.until] if span.until else since


def _is_blocked() -> ColumnElement[bool]:
    """Earlier jobs of the same table, or of its bucket, come first."""
    earlier = jobs.alias("earlier")
    meets = or_(earlier.c.lock_key == jobs.c.lock_key, _lies_in(earlier, jobs), _lies_in(jobs, earlier))
    waits = or_(~_IS_READ_ONLY, jobs.c.operation.not_in(DROPS), earlier.c.worker.is_not(None))
    counts = or_(waits, earlier.c.operation.in_(MAKE_ROOM))
    return exists().where(
        ~earlier.c.is_finished, earlier.c.id < jobs.c.id, earlier.c.project_id == jobs.c.project_id, meets, counts
    )


def _lies_in(inner: Any, outer: Any) -> ColumnElement[bool]:
    """`in.c-main.users` is in `in.c-main`."""
    return func.substr(inner.c.lock_key, 1, func.length(outer.c.lock_key) + 1) == outer.c.lock_key + "."


def _needs_room() -> ColumnElement[bool]:
    return and_(_IS_READ_ONLY, jobs.c.operation.not_in(MAKE_ROOM))


CLAIMS = claims.Claims(jobs, _is_blocked(), _needs_room(), projects=CLAIMED)
