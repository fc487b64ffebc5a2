"""Triggers to be checked because one of their tables was loaded, and what came of it. The table is the queue."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime

import msgspec
from sqlalchemy import JSON, BigInteger, Column, ColumnElement, Index, Table, Text, delete, insert, select, text, update

from penstock.foundation import clock, ids
from penstock.foundation.database import Timestamp, Transaction, metadata
from penstock.foundation.jobs import claims
from penstock.services.management.interface import CLAIMED

_UNFINISHED, _RUNNING = text("NOT is_finished"), text("NOT is_finished AND worker IS NOT NULL")

trigger_runs = Table(
    "queue_trigger_runs",
    metadata,
    Column("id", BigInteger, primary_key=True),
    Column("project_id", BigInteger, nullable=False),
    Column("trigger_id", BigInteger, nullable=False),
    Column("job_id", BigInteger),
    Column("causes", JSON, nullable=False),
    Column("error", Text),
    Column("delayed_until", Timestamp),
    *claims.columns(),
    Index("queue_trigger_runs_unfinished", "project_id", "id", sqlite_where=_UNFINISHED, postgresql_where=_UNFINISHED),
    Index("queue_trigger_runs_running", "project_id", sqlite_where=_RUNNING, postgresql_where=_RUNNING),
    Index("queue_trigger_runs_by_job", "project_id", "job_id"),
    Index("queue_trigger_runs_by_end", "end_time"),
)

CLAIMS = claims.Claims(trigger_runs, delayed="delayed_until", projects=CLAIMED)


class TriggerRun(msgspec.Struct, frozen=True, kw_only=True):
    id: int
    project_id: int
    trigger_id: int
    causes: list[str]
    """The configurations that led to it."""
    attempt: int
    lost_leases: int
    worker: str | None


_FIND = select(*(trigger_runs.c[name] for name in TriggerRun.__struct_fields__))


def add_check(tx: Transaction, project_id: int, trigger_id: int, causes: Collection[str]) -> None:
    """One that waits already gets the causes too."""
    known = tx.one(_FIND.where(*_is_unfinished(project_id, trigger_id)), into=TriggerRun)
    if known:
        both = sorted({*known.causes, *causes})
        tx.change(update(trigger_runs).where(trigger_runs.c.id == known.id).values(causes=both))
        end_delay(tx, project_id, trigger_id)
        return
    new = {"status": "created", "is_finished": False, "attempt": 0, "lost_leases": 0, "created_time": clock.now()}
    row = {"id": ids.new_id(tx), "project_id": project_id, "trigger_id": trigger_id, "causes": sorted(causes), **new}
    tx.change(insert(trigger_runs).values(row))


def end_delay(tx: Transaction, project_id: int, trigger_id: int) -> None:
    """Let one that waits be checked again now: since it was delayed, the cool-down may have changed."""
    waiting = (*_is_unfinished(project_id, trigger_id), trigger_runs.c.status == "waiting")
    tx.change(update(trigger_runs).where(*waiting).values(delayed_until=None))


def claim(tx: Transaction, worker: str, now: datetime) -> TriggerRun | None:
    row = CLAIMS.claim(tx, worker, now)
    return msgspec.convert(row, TriggerRun) if row else None


def finish(tx: Transaction, run: TriggerRun, job_id: int | None = None, error: str | None = None) -> None:
    """Raises LeaseLost if another worker has claimed it."""
    claims.finish(tx, trigger_runs, run, error, job_id=job_id)


def delay(tx: Transaction, run: TriggerRun, until: datetime) -> None:
    """Release it, to be checked again at that time."""
    claims.delay(tx, trigger_runs, run, until)


def _is_unfinished(project_id: int, trigger_id: int) -> tuple[ColumnElement[bool], ...]:
    mine = (trigger_runs.c.project_id == project_id, trigger_runs.c.trigger_id == trigger_id)
    return (*mine, ~trigger_runs.c.is_finished)


def list_causes(tx: Transaction, project_id: int, job_ids: Collection[int]) -> set[str]:
    """What led to these jobs, if triggers started them."""
    mine = (trigger_runs.c.project_id == project_id, trigger_runs.c.job_id.in_(list(job_ids)))
    found = tx.connection.execute(select(trigger_runs.c.causes).where(*mine)).scalars()
    return {cause for causes in found for cause in causes}


def remove_ended(tx: Transaction, before: datetime) -> None:
    tx.change(delete(trigger_runs).where(trigger_runs.c.end_time < before, trigger_runs.c.is_finished))
