"""The tables of query jobs and statements."""

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
    Float,
    Index,
    Select,
    Table,
    Text,
    bindparam,
    delete,
    func,
    insert,
    select,
    text,
    update,
)

from penstock.foundation.database import Timestamp, Transaction, metadata
from penstock.foundation.jobs import claims
from penstock.services.query.models.rows import JobRow, StatementRow
from penstock.services.query.models.statuses import JobStatus, StatementStatus

KEPT = timedelta(days=30)
"""How long the history has a job."""
HISTORY_CHARACTERS = 5_000_000
"""Of the statements and messages of a page of the history; the last one may exceed it."""
_UNFINISHED = text("NOT is_finished")
_OPEN = (StatementStatus.WAITING, StatementStatus.PROCESSING)

jobs = Table(
    "query_jobs",
    metadata,
    Column("id", BigInteger, primary_key=True),
    Column("project_id", BigInteger, nullable=False),
    Column("branch_id", BigInteger, nullable=False),
    Column("workspace_id", BigInteger, nullable=False),
    Column("token_id", BigInteger, nullable=False),
    Column("actor_type", Text, nullable=False),
    Column("session_id", Text, nullable=False),
    Column("dialect", Text, nullable=False),
    Column("is_transactional", Boolean, nullable=False),
    Column("timeout_seconds", Float),
    Column("changed_time", Timestamp, nullable=False),
    Column("canceled_time", Timestamp),
    Column("cancellation_reason", Text),
    *claims.columns(),
    Index("query_jobs_unfinished", "project_id", "id", sqlite_where=_UNFINISHED, postgresql_where=_UNFINISHED),
)
statements = Table(
    "query_statements",
    metadata,
    Column("id", BigInteger, primary_key=True),
    Column("project_id", BigInteger, nullable=False),
    Column("workspace_id", BigInteger, nullable=False),
    Column("job_id", BigInteger, nullable=False),
    Column("session_id", Text, nullable=False),
    Column("query", Text, nullable=False),
    Column("status", Text, nullable=False),
    Column("columns", JSON, nullable=False),
    Column("number_of_rows", BigInteger, nullable=False),
    Column("rows_affected", BigInteger, nullable=False),
    Column("message", Text),
    Column("error_position", JSON),
    Column("error_code", Text),
    Column("sql_state", Text),
    Column("created_time", Timestamp, nullable=False),
    Column("executed_time", Timestamp),
    Column("completed_time", Timestamp),
    Index("query_statements_by_job", "job_id", "id"),
    Index("query_statements_by_workspace", "project_id", "workspace_id", "id"),
)
open_sessions = Table(
    "query_open_sessions",
    metadata,
    Column("project_id", BigInteger, primary_key=True),
    Column("workspace_id", BigInteger, primary_key=True),
    Column("session_id", Text, primary_key=True),
    Column("since", Timestamp, nullable=False),
)
"""Sessions whose last job left something that is lost with them: a transaction, temporary tables, variables."""

_PROJECT, _JOB = bindparam("of_project", type_=BigInteger), bindparam("of_job", type_=BigInteger)
_FIND_JOB = select(jobs).where(jobs.c.project_id == _PROJECT, jobs.c.id == _JOB)
_FIND_FINISHED = select(jobs.c.is_finished).where(jobs.c.project_id == _PROJECT, jobs.c.id == _JOB)
_COUNT_OPEN = select(func.count()).select_from(jobs).where(jobs.c.project_id == _PROJECT, ~jobs.c.is_finished)


def add_job(tx: Transaction, job: JobRow, rows: list[StatementRow]) -> None:
    tx.change(insert(jobs), [msgspec.structs.asdict(job)])
    tx.insert_all(statements, [msgspec.structs.asdict(row) for row in rows])


def count_unfinished(tx: Transaction, project_id: int) -> int:
    return int(tx.value(_COUNT_OPEN, of_project=project_id))


def find_job(tx: Transaction, project_id: int, job_id: int) -> JobRow | None:
    found = tx.converted(_FIND_JOB.params(of_project=project_id, of_job=job_id), into=JobRow)
    return found[0] if found else None


def is_finished(tx: Transaction, project_id: int, job_id: int) -> bool:
    return bool(tx.value(_FIND_FINISHED, of_project=project_id, of_job=job_id))


def list_statements(tx: Transaction, job: JobRow) -> list[StatementRow]:
    """List the statements of a job, in their order."""
    return tx.converted(_every(job.project_id).where(statements.c.job_id == job.id).order_by("id"), StatementRow)


def find_statement(tx: Transaction, job: JobRow, statement_id: int) -> StatementRow | None:
    of_job = [statements.c.job_id == job.id, statements.c.id == statement_id]
    found = tx.converted(_every(job.project_id).where(*of_job), StatementRow)
    return found[0] if found else None


def list_history(
    tx: Transaction, project_id: int, workspace_id: int, *, before_id: int | None, limit: int, token_id: int | None
) -> list[StatementRow]:
    """List the jobs of a workspace, newest first; with a token, only what it submitted. At least one, and no more than
    their texts allow."""
    size = func.length(statements.c.query) + func.coalesce(func.length(statements.c.message), 0)
    found = select(statements.c.id, size.label("size")).where(
        statements.c.project_id == project_id, statements.c.workspace_id == workspace_id
    )
    if before_id is not None:
        found = found.where(statements.c.id < before_id)
    if token_id is not None:
        found = found.join(jobs, jobs.c.id == statements.c.job_id).where(jobs.c.token_id == token_id)
    page = found.order_by(statements.c.id.desc()).limit(limit).subquery()
    total = func.sum(page.c.size).over(order_by=page.c.id.desc()) - page.c.size
    sized = select(page.c.id, total.label("before")).subquery()
    wanted = select(sized.c.id).where(sized.c.before < HISTORY_CHARACTERS)
    return tx.converted(
        _every(project_id).where(statements.c.id.in_(wanted)).order_by(statements.c.id.desc()), StatementRow
    )


def change_statement(tx: Transaction, row: StatementRow, **values: Any) -> None:
    tx.change(update(statements).where(statements.c.id == row.id).values(**values))


def change_claimed(tx: Transaction, job: JobRow, **values: Any) -> None:
    """Raises LeaseLost if the job has ended meanwhile: it was canceled, or given up."""
    claims.change_claimed(tx, jobs, job, **values)


def has_open_session(tx: Transaction, job: JobRow) -> bool:
    """Whether the job before it in its session left something there."""
    return tx.value(select(open_sessions.c.since).where(*_of_session(job))) is not None


def keep_open_session(tx: Transaction, job: JobRow, now: datetime, *, is_open: bool) -> None:
    tx.change(delete(open_sessions).where(*_of_session(job)))
    if is_open:
        of_session = {"project_id": job.project_id, "workspace_id": job.workspace_id, "session_id": job.session_id}
        tx.change(insert(open_sessions).values(**of_session, since=now))


def _of_session(job: JobRow) -> list[ColumnElement[bool]]:
    table = open_sessions.c
    return [
        table.project_id == job.project_id,
        table.workspace_id == job.workspace_id,
        table.session_id == job.session_id,
    ]


def end_job(tx: Transaction, job: JobRow, status: JobStatus, now: datetime, **values: Any) -> bool:
    """End a job from outside of its execution; whether it had not ended before."""
    ended = {"status": status, "is_finished": True, "changed_time": now, "end_time": now, "lease_until": None}
    return tx.change(update(jobs).where(jobs.c.id == job.id, ~jobs.c.is_finished).values(**ended, **values)) > 0


def end_statements(
    tx: Transaction, job: JobRow, now: datetime, status: StatementStatus, message: str | None = None
) -> None:
    """End the statements of a job that have not ended."""
    still_open = [statements.c.job_id == job.id, statements.c.status.in_(_OPEN)]
    tx.change(update(statements).where(*still_open).values(status=status, message=message, completed_time=now))


def renew_leases(tx: Transaction, job_ids: list[int], worker: str, now: datetime) -> None:
    mine = [jobs.c.id.in_(job_ids), jobs.c.worker == worker, ~jobs.c.is_finished]
    tx.change(update(jobs).where(*mine).values(lease_until=now + claims.LEASE))


def list_unfinished(tx: Transaction) -> list[JobRow]:
    """List unfinished jobs of all projects."""
    return tx.converted(select(jobs).where(~jobs.c.is_finished), JobRow)


def list_old(tx: Transaction, now: datetime, limit: int) -> list[JobRow]:
    """List the jobs of all projects that ended too long ago to be shown."""
    return tx.converted(select(jobs).where(jobs.c.is_finished, jobs.c.end_time < now - KEPT).limit(limit), JobRow)


def remove_job(tx: Transaction, job: JobRow) -> None:
    tx.change(delete(statements).where(statements.c.job_id == job.id))
    tx.change(delete(jobs).where(jobs.c.id == job.id))
    tx.change(delete(open_sessions).where(*_of_session(job), open_sessions.c.since <= job.changed_time))


def _every(project_id: int) -> Select[Any]:
    return select(statements).where(statements.c.project_id == project_id)
