"""Queue's SQL. The table is the queue."""

from __future__ import annotations

from datetime import datetime
from typing import Any

import msgspec
from sqlalchemy import (
    BigInteger,
    Column,
    ColumnElement,
    Index,
    Integer,
    LargeBinary,
    Table,
    Text,
    exists,
    func,
    insert,
    select,
    text,
)

from penstock.foundation import claims
from penstock.foundation.database import Transaction, metadata
from penstock.services.queue.models import JobRow

_UNFINISHED = text("NOT is_finished")

jobs = Table(
    "queue_jobs",
    metadata,
    Column("id", BigInteger, primary_key=True),
    Column("project_id", BigInteger, nullable=False),
    Column("branch_id", BigInteger, nullable=False),
    Column("run_id", Text, nullable=False),
    Column("token_id", BigInteger, nullable=False),
    Column("token_description", Text, nullable=False),
    Column("mode", Text, nullable=False),
    Column("component", Text, nullable=False),
    Column("config", Text),
    Column("config_data", LargeBinary),
    *claims.columns(),
    Column("result", LargeBinary, nullable=False),
    Column("collected_attempt", Integer),
    Index("queue_jobs_unfinished", "id", sqlite_where=_UNFINISHED, postgresql_where=_UNFINISHED),
    Index(
        "queue_jobs_unfinished_by_config",
        "project_id",
        "branch_id",
        "component",
        "config",
        "id",
        sqlite_where=_UNFINISHED,
        postgresql_where=_UNFINISHED,
    ),
)


def add_job(tx: Transaction, job: JobRow) -> None:
    tx.change(insert(jobs).values(msgspec.structs.asdict(job)))


def find_job(tx: Transaction, project_id: int, job_id: int) -> JobRow | None:
    return tx.one(select(jobs).where(jobs.c.project_id == project_id, jobs.c.id == job_id), into=JobRow)


def has_unfinished(tx: Transaction, job: JobRow) -> bool:
    """Whether an earlier job of the same configuration is still to end; one without a configuration waits for none."""
    if job.config is None:
        return False
    question = select(func.count()).where(
        ~jobs.c.is_finished,
        jobs.c.project_id == job.project_id,
        jobs.c.branch_id == job.branch_id,
        jobs.c.component == job.component,
        jobs.c.config == job.config,
    )
    return bool(tx.value(question))


def claim_job(tx: Transaction, worker: str, now: datetime) -> JobRow | None:
    return claims.claim(tx, jobs, worker, now, _is_blocked(), into=JobRow)


def give_up_gone(tx: Transaction, now: datetime) -> None:
    claims.give_up_gone(tx, jobs, now)


def change_claimed(tx: Transaction, job: JobRow, **values: Any) -> None:
    """Raises LeaseLost if the job is no longer this attempt's to change."""
    claims.change_claimed(tx, jobs, job, **values)


def list_unfinished_ids(tx: Transaction) -> set[int]:
    return set(tx.connection.execute(select(jobs.c.id).where(~jobs.c.is_finished)).scalars())


def _is_blocked() -> ColumnElement[bool]:
    """One job of a configuration at a time, in the order in which they came."""
    earlier = jobs.alias("earlier")
    same = [earlier.c[name] == jobs.c[name] for name in ("project_id", "branch_id", "component", "config")]
    return exists().where(~earlier.c.is_finished, earlier.c.id < jobs.c.id, *same)
