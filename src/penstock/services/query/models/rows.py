"""Jobs and statements as stored."""

from __future__ import annotations

from datetime import datetime, timedelta

import msgspec

from penstock.services.query.models.requests import ActorType
from penstock.services.query.models.statuses import JobStatus, StatementStatus
from penstock.sql.errors import Position
from penstock.sql.models import Dialect, ResultColumn

RESULTS_KEPT = timedelta(hours=24)
"""How long after a job has ended its results can be read."""


class JobRow(msgspec.Struct, frozen=True, kw_only=True):
    id: int
    project_id: int
    branch_id: int
    workspace_id: int
    token_id: int
    actor_type: ActorType
    session_id: str
    is_transactional: bool
    dialect: Dialect
    timeout_seconds: float | None
    status: JobStatus
    is_finished: bool
    created_time: datetime
    changed_time: datetime
    start_time: datetime | None = None
    end_time: datetime | None = None
    canceled_time: datetime | None = None
    cancellation_reason: str | None = None
    attempt: int = 1
    worker: str | None = None
    """The server process that runs it."""
    lease_until: datetime | None = None
    """Until when that process has said that it runs."""
    lost_leases: int = 0

    @property
    def expires(self) -> datetime | None:
        """When its results are removed; None while it runs."""
        return self.end_time + RESULTS_KEPT if self.end_time else None


class StatementRow(msgspec.Struct, frozen=True, kw_only=True):
    id: int
    project_id: int
    workspace_id: int
    job_id: int
    session_id: str
    query: str
    status: StatementStatus
    columns: list[ResultColumn] = []
    number_of_rows: int = 0
    rows_affected: int = 0
    message: str | None = None
    """What the engine says of it; the error if it failed."""
    error_position: Position | None = None
    """Where in the query, if the engine knows."""
    error_code: str | None = None
    sql_state: str | None = None
    """The codes of Snowflake, if the query is of its dialect and the error one that it has."""
    created_time: datetime
    executed_time: datetime | None = None
    completed_time: datetime | None = None
