"""Storage's own jobs: operations that take too long for one request."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum
from typing import Any

import msgspec
from msgspec import UNSET, UnsetType

from penstock.foundation.jobs.claim_statements import PROCESSING
from penstock.foundation.limits import Searched
from penstock.foundation.structs import Wire
from penstock.services.storage.models import Number, to_text


class JobStatus(StrEnum):
    WAITING = "waiting"
    PROCESSING = PROCESSING
    SUCCESS = "success"
    ERROR = "error"


class JobRow(msgspec.Struct, frozen=True, kw_only=True):
    """A job as stored. Jobs whose lock keys are equal or contain one another run in order of creation."""

    id: int
    project_id: int
    branch_id: int
    token_id: int
    token_description: str
    run_id: str | None
    operation: str
    params: dict[str, Any]
    """Parameters; those that begin with `_` are for the worker and never returned."""
    lock_key: str | None
    """A table, a bucket (with all its tables), or nothing if no other job has to wait."""
    table_id: str | None
    status: JobStatus
    is_finished: bool
    created_time: datetime
    start_time: datetime | None = None
    end_time: datetime | None = None
    attempt: int = 0
    worker: str | None = None
    lease_until: datetime | None = None
    lost_leases: int = 0
    results: bytes | None = None
    """JSON."""
    error: bytes | None = None
    """JSON of a JobError."""
    has_storage_branches: bool = False
    """Whether branches had separate storage when the job was created: it runs with the same setting."""
    is_cancelled: bool = False
    """Whether the job was cancelled. It then ends as an error, since clients know only success and error."""


INTERNAL, UNAVAILABLE = "storage.internalError", "storage.unavailable"
ENDED = (JobStatus.SUCCESS, JobStatus.ERROR)
"""Error codes of failures that the caller did not cause."""


class JobError(Wire, frozen=True):
    message: str
    code: str
    exception_id: str


class JobToken(msgspec.Struct, frozen=True):
    """The token that created a job. The id is a string here, and a number everywhere else."""

    id: str
    description: str


class JobMetrics(Wire, frozen=True):
    in_compressed: bool = False
    in_bytes: int = 0
    in_bytes_uncompressed: int = 0
    out_compressed: bool = False
    out_bytes: int = 0
    out_bytes_uncompressed: int = 0


class Job(Wire, frozen=True):
    id: int
    """Id of the job."""
    status: str
    """`waiting`, `processing`, `success` or `error`."""
    url: str
    """Address of the job, to poll it."""
    table_id: str | None
    """Id of the table that it is about, if it is about one."""
    operation_name: str
    """What it does, such as `tableImport`, `tableExport` or `bucketDelete`."""
    operation_params: dict[str, Any]
    """What was asked for."""
    created_time: str
    """When it was created."""
    start_time: str | None
    """When it began."""
    end_time: str | None
    """When it ended."""
    run_id: str | None
    """Id of the run that it belongs to."""
    results: msgspec.Raw | None
    """What came of it: of an import the columns and the number of rows, of an export the id of the file, of a new table
    the table."""
    creator_token: JobToken
    """The token that created it."""
    metrics: JobMetrics = JobMetrics()
    """Bytes that it read and wrote."""
    error: msgspec.Raw | UnsetType = UNSET
    """Why it failed, with a message and a code."""


class JobQuery(Wire, frozen=True):
    """Which jobs to list. A time without a range matches its whole second, or the whole day if it is only a date."""

    limit: Number = 100
    """The highest number of jobs to return, at most 1000."""
    offset: Number = 0
    storage_job_status: Searched[str] = msgspec.field(default_factory=list[str], name="storage_job_status")
    """Only jobs with these statuses: `waiting`, `processing`, `success` or `error`."""
    excluded_storage_job_status: Searched[str] = msgspec.field(
        default_factory=list[str], name="excluded_storage_job_status"
    )
    """Only jobs without these statuses."""
    created_time: str = msgspec.field(default="", name="created_time")
    """Only jobs that were created within this second or, if it is a date, on this day."""
    created_time_from: str = msgspec.field(default="", name="created_time_from")
    """Only jobs that were created at this time or later."""
    created_time_to: str = msgspec.field(default="", name="created_time_to")
    """Only jobs that were created at this time or earlier."""
    start_time: str = msgspec.field(default="", name="start_time")
    """Only jobs that began within this second or, if it is a date, on this day."""
    start_time_from: str = msgspec.field(default="", name="start_time_from")
    """Only jobs that began at this time or later."""
    start_time_to: str = msgspec.field(default="", name="start_time_to")
    """Only jobs that began at this time or earlier."""
    end_time: str = msgspec.field(default="", name="end_time")
    """Only jobs that ended within this second or, if it is a date, on this day."""
    end_time_from: str = msgspec.field(default="", name="end_time_from")
    """Only jobs that ended at this time or later."""
    end_time_to: str = msgspec.field(default="", name="end_time_to")
    """Only jobs that ended at this time or earlier."""


class Span(msgspec.Struct, frozen=True):
    """Jobs with one of their times between two moments, both included."""

    field: str
    since: datetime | None = None
    until: datetime | None = None


def job_view(row: JobRow, storage_url: str) -> Job:
    return Job(
        id=row.id,
        status=row.status,
        url=f"{storage_url}/v2/storage/jobs/{row.id}",
        table_id=row.table_id,
        operation_name=row.operation,
        operation_params={"queue": "main", **{k: v for k, v in row.params.items() if not k.startswith("_")}},
        created_time=to_text(row.created_time),
        start_time=to_text(row.start_time) if row.start_time else None,
        end_time=to_text(row.end_time) if row.end_time else None,
        run_id=row.run_id,
        results=msgspec.Raw(row.results) if row.results else None,
        creator_token=JobToken(str(row.token_id), row.token_description),
        error=msgspec.Raw(row.error) if row.error else UNSET,
    )
