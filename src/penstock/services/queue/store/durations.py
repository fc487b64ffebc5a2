"""How long jobs run, and how long earlier ones ran."""

from __future__ import annotations

from datetime import datetime

import msgspec
from sqlalchemy import select

from penstock.foundation.database import Transaction
from penstock.services.queue.models.jobs import JobRow, Kind
from penstock.services.queue.models.statuses import Status
from penstock.services.queue.store.jobs import jobs, read_job


class _Times(msgspec.Struct, frozen=True):
    start_time: datetime
    end_time: datetime


def list_running(tx: Transaction, project_id: int) -> list[JobRow]:
    """Jobs of configurations that have begun and not ended."""
    running = [jobs.c.project_id == project_id, ~jobs.c.is_finished, jobs.c.status == Status.PROCESSING]
    found = tx.connection.execute(select(jobs).where(*running, jobs.c.config.is_not(None)).order_by(jobs.c.id))
    return [read_job(row) for row in found.mappings()]


def find_average(tx: Transaction, job: JobRow, runs: int) -> float | None:
    """Seconds that the last so many successful runs of the same configuration took; None without any."""
    names = ["project_id", "component", "config", "branch_id", "type"]
    names += ["orchestration_phase_id"] if job.type is Kind.PHASE else []
    same = [jobs.c[name] == getattr(job, name) for name in names]
    ended = [jobs.c.status.in_((Status.SUCCESS, Status.WARNING)), jobs.c.start_time.is_not(None)]
    statement = select(jobs.c.start_time, jobs.c.end_time).where(*same, *ended, jobs.c.id < job.id)
    found = tx.all(statement.order_by(jobs.c.id.desc()).limit(runs), into=_Times)
    seconds = [(each.end_time - each.start_time).total_seconds() for each in found]
    return sum(seconds) / len(seconds) if seconds else None
