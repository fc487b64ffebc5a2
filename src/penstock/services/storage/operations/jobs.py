"""Storage's own jobs: accepted in a request, run by a worker; requests wait briefly, since most jobs are short."""

from __future__ import annotations

import re
from contextlib import suppress
from datetime import datetime, timedelta
from typing import Any, TypeVar

import msgspec

from penstock.foundation import clock, ids
from penstock.foundation.callers import Caller
from penstock.foundation.database import Transaction
from penstock.foundation.errors import AppError, Invalid, Unavailable
from penstock.foundation.stack import Stack
from penstock.foundation.strtotime import read_time
from penstock.services.storage.errors.jobs import JobCancelled, JobFailed, JobFinished, JobNotFound
from penstock.services.storage.models.jobs import INTERNAL, JobError, JobQuery, JobRow, JobStatus, Span
from penstock.services.storage.store import jobs

T = TypeVar("T")

JOBS_SHOWN = 1000
INVALID = "validation.failed"
TIMES = ("created_time", "start_time", "end_time")
A_SECOND, A_DAY = timedelta(seconds=1), timedelta(days=1)
_DATE = re.compile(r"\d{4}-\d{2}-\d{2}")


class NewJob(msgspec.Struct, frozen=True, kw_only=True):
    """A job to create. `lock_key` is what it modifies: a table, or a bucket with all its tables."""

    operation: str
    params: dict[str, Any]
    lock_key: str | None = None
    table_id: str | None = None


def create_job(tx: Transaction, caller: Caller, new_job: NewJob) -> JobRow:
    job = JobRow(
        id=ids.new_id(tx),
        project_id=caller.project_id,
        branch_id=caller.branch_id,
        token_id=caller.token_id,
        token_description=caller.description,
        run_id=caller.run_id,
        operation=new_job.operation,
        params=new_job.params,
        lock_key=_lock_key(caller, new_job.lock_key),
        table_id=new_job.table_id,
        status=JobStatus.WAITING,
        is_finished=False,
        created_time=clock.now(),
        has_storage_branches=caller.has_storage_branches,
    )
    jobs.add_job(tx, job)
    return job


def _lock_key(caller: Caller, lock_key: str | None) -> str | None:
    """Tables of branches with separate storage do not conflict, even if their ids are equal."""
    return f"{caller.storage_branch_id}/{lock_key}" if lock_key and caller.has_own_storage else lock_key


def record_done(tx: Transaction, caller: Caller, new_job: NewJob, results: Any = None) -> JobRow:
    """Record a finished job for something that this transaction does; no worker is involved."""
    job, now = create_job(tx, caller, new_job), clock.now()
    jobs.finish_job(tx, job, now, msgspec.json.encode(results) if results is not None else None)
    return job


def get_job(tx: Transaction, caller: Caller, job_id: str) -> JobRow:
    number = ids.read_id(job_id)
    found = jobs.find_job(tx, caller.project_id, number) if number is not None else None
    if not found or not (caller.sees_all_buckets or found.token_id == caller.token_id):
        raise JobNotFound(job_id)
    return found


def cancel_job(tx: Transaction, caller: Caller, job_id: str) -> JobRow:
    """Cancel a job; any caller that may read a job may cancel it. A job that never started ends at once; any other when
    its worker notices, since an attempt whose end was not recorded may have committed."""
    job = get_job(tx, caller, job_id)
    job = jobs.find_unclaimed(tx, caller.project_id, job.id) or job
    if job.is_finished:
        raise JobFinished(job_id)
    if job.status != JobStatus.WAITING or job.attempt:
        return jobs.change_job(tx, job, is_cancelled=True)
    error = msgspec.json.encode(to_error(JobCancelled()))
    ended = {"status": JobStatus.ERROR, "is_finished": True, "end_time": clock.now(), "error": error}
    return jobs.change_job(tx, job, is_cancelled=True, **ended)


def to_error(error: AppError, code: str | None = None) -> JobError:
    """The error as clients read it; `code` is for an error without a code."""
    general = code or (INTERNAL if error.status >= 500 else INVALID)
    return JobError(message=error.message, code=error.code or general, exception_id=ids.new_exception_id())


def list_jobs(tx: Transaction, caller: Caller, query: JobQuery) -> list[JobRow]:
    """All jobs of the project for a token that may read all buckets; for any other, its own."""
    return jobs.list_jobs(
        tx,
        caller.project_id,
        None if caller.sees_all_buckets else caller.token_id,
        limit=min(query.limit, JOBS_SHOWN),
        offset=query.offset,
        statuses=query.storage_job_status,
        others=query.excluded_storage_job_status,
        spans=_spans(query),
    )


def find_status(stack: Stack, job: JobRow) -> str | None:
    with stack.database.reading() as tx:
        return jobs.find_status(tx, job.project_id, job.id)


def find_ended(stack: Stack, job: JobRow) -> JobRow | None:
    """The finished job; None if it is still running, or if that cannot be determined now."""
    with suppress(Unavailable), stack.database.reading() as tx:
        found = find_job(tx, job.project_id, job.id)
        return found if found and found.is_finished else None
    return None


def find_job(tx: Transaction, project_id: int, job_id: int) -> JobRow | None:
    return jobs.find_job(tx, project_id, job_id)


def read_error(job: JobRow) -> str | None:
    """The message of a job that failed."""
    return msgspec.json.decode(job.error, type=JobError).message if job.error else None


def read_results(job: JobRow, into: type[T]) -> T:
    """The results of a finished job, decoded as this type; raises the error of one that failed."""
    if job.error:
        error = msgspec.json.decode(job.error, type=JobError)
        raise JobFailed(error.message, error.code)
    return msgspec.json.decode(job.results or b"null", type=into)


def _spans(query: JobQuery) -> list[Span]:
    """The time conditions of the query; all of them must match."""
    found: list[Span] = []
    for field in TIMES:
        since, until = f"{field}_from", f"{field}_to"
        found.append(Span(field, _time(query, since), _time(query, until)))
        if at := _time(query, field):
            length = A_DAY if _DATE.fullmatch(getattr(query, field).strip()) else A_SECOND
            found.append(Span(field, at, at + (length - timedelta.resolution)))
    return found


def _time(query: JobQuery, field: str) -> datetime | None:
    text: str = getattr(query, field)
    if not text:
        return None
    moment = read_time(text)
    if not moment:
        raise Invalid(f'Invalid request:\n - {field}: "{text}" is not a valid time.')
    return moment
