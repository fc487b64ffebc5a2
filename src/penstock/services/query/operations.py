"""Query's operations on jobs: submit, find, cancel and list them. How they are executed is in execution/."""

from __future__ import annotations

import re
from datetime import datetime, timedelta
from uuid import uuid4

import msgspec

from penstock.foundation import clock, ids
from penstock.foundation.callers import Caller
from penstock.foundation.database import Transaction
from penstock.foundation.errors import RoleNotEnough
from penstock.foundation.jobs.claims import LEASE
from penstock.foundation.stack import Stack
from penstock.services.query import store
from penstock.services.query.charging import charge_job
from penstock.services.query.errors import (
    BranchNotNumeric,
    EmptyStatement,
    InvalidTimeout,
    JobFinished,
    JobNotFound,
    NotCompleted,
    ResultsExpired,
    StatementNotFound,
    TooManyQueries,
)
from penstock.services.query.models.requests import HistoryQuery, NewQuery
from penstock.services.query.models.rows import RESULTS_KEPT, JobRow, StatementRow
from penstock.services.query.models.statuses import JobStatus, StatementStatus
from penstock.services.storage import interface as storage

_UNITS = {"ms": 0.001, "s": 1.0, "m": 60.0, "h": 3600.0}
_PART = re.compile(r"(\d{1,9}(?:\.\d{1,9})?)(ms|s|m|h)", re.ASCII)
_WHOLE = re.compile(rf"(?:{_PART.pattern})+", re.ASCII)

MAX_UNFINISHED = 1_000
"""Query jobs of a project that run or wait."""
CANCELED = "The statement was canceled."


def parse_duration(text: str) -> float | None:
    """Seconds; None if it is not a positive duration."""
    if not _WHOLE.fullmatch(text):
        return None
    return sum(float(number) * _UNITS[unit] for number, unit in _PART.findall(text)) or None


def in_branch(tx: Transaction, caller: Caller, branch: str) -> Caller:
    """The caller in a branch, which is named by its number."""
    if ids.read_id(branch) is None:
        raise BranchNotNumeric(branch, caller.main_branch_id)
    return msgspec.structs.replace(caller, branch_id=storage.get_branch_id(tx, caller, branch))


def check_query(new_query: NewQuery) -> float | None:
    """Raise what is wrong with a request by itself; returns its timeout in seconds."""
    for position, sql in enumerate(new_query.statements, start=1):
        if not sql.strip().strip(";").strip():
            raise EmptyStatement(position)
    seconds = parse_duration(new_query.timeout) if new_query.timeout else None
    if new_query.timeout and seconds is None:
        raise InvalidTimeout(new_query.timeout)
    return seconds


def add_job(
    tx: Transaction, caller: Caller, workspace_id: int, new_query: NewQuery, *, worker: str, starts_now: bool
) -> tuple[JobRow, list[StatementRow]]:
    """Store a job that the process `worker` is going to run. `starts_now`: it is stored as running, which saves a
    transaction."""
    if store.count_unfinished(tx, caller.project_id) >= MAX_UNFINISHED:
        raise TooManyQueries(MAX_UNFINISHED)
    now = clock.now()
    job = JobRow(
        id=ids.new_id(tx),
        project_id=caller.project_id,
        branch_id=caller.branch_id,
        workspace_id=workspace_id,
        token_id=caller.token_id,
        actor_type=new_query.actor_type,
        session_id=str(new_query.session_id or uuid4()),
        is_transactional=new_query.transactional,
        dialect=new_query.dialect,
        timeout_seconds=check_query(new_query),
        status=JobStatus.PROCESSING if starts_now else JobStatus.ENQUEUED,
        is_finished=False,
        created_time=now,
        changed_time=now,
        start_time=now if starts_now else None,
        worker=worker,
        lease_until=now + LEASE,
    )
    rows = _make_statements(tx, job, new_query.statements)
    store.add_job(tx, job, rows)
    return job, rows


def _make_statements(tx: Transaction, job: JobRow, queries: list[str]) -> list[StatementRow]:
    rows = [
        StatementRow(
            id=number,
            project_id=job.project_id,
            workspace_id=job.workspace_id,
            job_id=job.id,
            session_id=job.session_id,
            query=query,
            status=StatementStatus.WAITING,
            created_time=job.created_time,
        )
        for number, query in zip(ids.new_ids(tx, len(queries)), queries, strict=True)
    ]
    if job.start_time:
        first = {"status": StatementStatus.PROCESSING, "executed_time": job.start_time}
        rows[0] = msgspec.structs.replace(rows[0], **first)
    return rows


def get_job(tx: Transaction, caller: Caller, job_id: str) -> JobRow:
    """A job of the caller. Tokens that may not read all buckets see only their own: results hold what the token of the
    job could read."""
    number = ids.read_id(job_id)
    found = store.find_job(tx, caller.project_id, number) if number is not None else None
    if not found or not (caller.sees_all_buckets or found.token_id == caller.token_id):
        raise JobNotFound(job_id)
    return found


def get_statement(tx: Transaction, caller: Caller, job_id: str, statement_id: str) -> tuple[JobRow, StatementRow]:
    job, number = get_job(tx, caller, job_id), ids.read_id(statement_id)
    found = store.find_statement(tx, job, number) if number is not None else None
    if not found:
        raise StatementNotFound(job_id, statement_id)
    return job, found


def check_results(row: StatementRow, now: datetime) -> None:
    """Raise if there are no results yet, or no longer."""
    if not row.status.is_finished:
        raise NotCompleted(row.id, row.status)
    if row.columns and (row.completed_time or now) + RESULTS_KEPT < now:
        raise ResultsExpired(row.id, RESULTS_KEPT // timedelta(hours=1))


def cancel_job(tx: Transaction, stack: Stack, caller: Caller, job_id: str, reason: str) -> JobRow:
    """Record that the job was canceled. Its execution is stopped afterwards."""
    job, now = get_job(tx, caller, job_id), clock.now()
    if caller.only_reads and not _is_own(tx, caller, job):
        raise RoleNotEnough(caller.role, "may cancel only its own queries, in workspaces that it created to read with")
    canceled = {"canceled_time": now, "cancellation_reason": reason or None}
    if not store.end_job(tx, job, JobStatus.CANCELED, now, **canceled):
        raise JobFinished(job.id, job.status)
    charge_job(tx, stack, job, job.start_time, now)
    store.end_statements(tx, job, now, StatementStatus.CANCELED, CANCELED)
    return job


def _is_own(tx: Transaction, caller: Caller, job: JobRow) -> bool:
    """Also of the same token, a job may be one of a session that may write."""
    if job.token_id != caller.token_id:
        return False
    in_branch = msgspec.structs.replace(caller, branch_id=job.branch_id)
    return storage.get_sql_workspace(tx, in_branch, str(job.workspace_id)).is_read_only


def list_history(tx: Transaction, caller: Caller, workspace_id: int, asked: HistoryQuery) -> list[StatementRow]:
    """Newest first."""
    before = ids.read_id(asked.after_id) if asked.after_id else None
    if asked.after_id and before is None:
        raise StatementNotFound("", asked.after_id)
    return store.list_history(
        tx,
        caller.project_id,
        workspace_id,
        before_id=before,
        limit=asked.page_size,
        token_id=None if caller.sees_all_buckets else caller.token_id,
    )
