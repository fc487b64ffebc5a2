"""Jobs, statements and results as returned."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from msgspec import UNSET, UnsetType

from penstock.foundation.structs import Wire
from penstock.services.query.models.requests import ActorType
from penstock.services.query.models.rows import JobRow, StatementRow
from penstock.services.query.models.statuses import JobStatus, StatementStatus
from penstock.sql.errors import Position
from penstock.sql.models import ResultColumn

WAREHOUSE = "KEBOOLA_PROD"
"""The name by which clients of Snowflake know the engine; workspaces have it in their connection."""

Row = Sequence[str | None]


class Submitted(Wire, frozen=True, kw_only=True):
    query_job_id: str
    session_id: str


class Canceled(Wire, frozen=True, kw_only=True):
    query_job_id: str


class Statement(Wire, frozen=True, kw_only=True):
    id: str
    query: str
    status: StatementStatus
    query_id: str
    session_id: str
    number_of_rows: int | UnsetType = UNSET
    rows_affected: int | UnsetType = UNSET
    error: str | UnsetType = UNSET
    error_position: Position | UnsetType = UNSET
    error_code: str | UnsetType = UNSET
    sql_state: str | UnsetType = UNSET
    created_at: datetime
    executed_at: datetime | UnsetType = UNSET
    completed_at: datetime | UnsetType = UNSET
    warehouse: str = WAREHOUSE
    backend_size: str | None = None


class HistoryStatement(Statement, frozen=True, kw_only=True):
    query_job_id: str


class History(Wire, frozen=True, kw_only=True):
    statements: list[HistoryStatement]


class Job(Wire, frozen=True, kw_only=True):
    query_job_id: str
    status: JobStatus
    actor_type: ActorType
    created_at: datetime
    changed_at: datetime
    canceled_at: datetime | UnsetType = UNSET
    cancellation_reason: str | UnsetType = UNSET
    expiration: datetime | UnsetType = UNSET
    statements: list[Statement]


class Results(Wire, frozen=True, kw_only=True):
    """Every key is always there, but for those of an error: clients read them without a check."""

    status: StatementStatus
    message: str | None
    columns: list[ResultColumn]
    data: Sequence[Row]
    number_of_rows: int
    rows_affected: int
    error_position: Position | UnsetType = UNSET
    """Where in the statement its error is, if the engine knows."""
    error_code: str | UnsetType = UNSET
    """That of Snowflake, such as 002003."""
    sql_state: str | UnsetType = UNSET


class Profile(Wire, frozen=True, kw_only=True):
    """How long a statement waited and ran."""

    query_job_id: str
    statement_id: str
    query_id: str
    status: StatementStatus
    waiting_milliseconds: int | None
    execution_milliseconds: int | None
    number_of_rows: int
    rows_affected: int


def job_view(job: JobRow, statements: Sequence[StatementRow]) -> Job:
    return Job(
        query_job_id=str(job.id),
        status=job.status,
        actor_type=job.actor_type,
        created_at=job.created_time,
        changed_at=job.changed_time,
        canceled_at=job.canceled_time or UNSET,
        cancellation_reason=job.cancellation_reason or UNSET,
        expiration=job.expires or UNSET,
        statements=[Statement(**_fields(row)) for row in statements],
    )


def history_view(rows: Sequence[StatementRow]) -> History:
    return History(statements=[HistoryStatement(**_fields(row), query_job_id=str(row.job_id)) for row in rows])


def results_view(row: StatementRow, data: Sequence[Row]) -> Results:
    return Results(
        status=row.status,
        message=row.message,
        columns=row.columns,
        data=data,
        number_of_rows=row.number_of_rows,
        rows_affected=row.rows_affected,
        error_position=row.error_position or UNSET,
        error_code=row.error_code or UNSET,
        sql_state=row.sql_state or UNSET,
    )


def profile_view(row: StatementRow) -> Profile:
    return Profile(
        query_job_id=str(row.job_id),
        statement_id=str(row.id),
        query_id=str(row.id),
        status=row.status,
        waiting_milliseconds=_milliseconds(row.created_time, row.executed_time),
        execution_milliseconds=_milliseconds(row.executed_time, row.completed_time),
        number_of_rows=row.number_of_rows,
        rows_affected=row.rows_affected,
    )


def _fields(row: StatementRow) -> dict[str, Any]:
    is_completed = row.status is StatementStatus.COMPLETED
    return {
        "id": str(row.id),
        "query": row.query,
        "status": row.status,
        "query_id": str(row.id),
        "session_id": row.session_id,
        "number_of_rows": row.number_of_rows if is_completed else UNSET,
        "rows_affected": row.rows_affected if is_completed else UNSET,
        "error": row.message or UNSET if row.status is StatementStatus.FAILED else UNSET,
        "error_position": row.error_position or UNSET,
        "error_code": row.error_code or UNSET,
        "sql_state": row.sql_state or UNSET,
        "created_at": row.created_time,
        "executed_at": row.executed_time or UNSET,
        "completed_at": row.completed_time or UNSET,
    }


def _milliseconds(since: datetime | None, until: datetime | None) -> int | None:
    return round((until - since).total_seconds() * 1000) if since and until else None
