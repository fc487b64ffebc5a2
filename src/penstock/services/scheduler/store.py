"""The tables of schedules and of their runs."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import datetime
from typing import Any

import msgspec
from sqlalchemy import (
    JSON,
    BigInteger,
    Boolean,
    Column,
    Index,
    Integer,
    Table,
    Text,
    delete,
    func,
    insert,
    or_,
    select,
    update,
)

from penstock.foundation.database import Timestamp, Transaction, metadata
from penstock.services.management.interface import is_closed
from penstock.services.scheduler.models import RunRow, ScheduleRow, SchedulesQuery

schedules = Table(
    "scheduler_schedules",
    metadata,
    Column("id", BigInteger, primary_key=True),
    Column("project_id", BigInteger, nullable=False),
    Column("branch_id", BigInteger, nullable=False),
    Column("configuration_id", Text, nullable=False),
    Column("configuration_version", BigInteger, nullable=False),
    Column("cron_tab", Text, nullable=False),
    Column("timezone", Text, nullable=False),
    Column("is_enabled", Boolean, nullable=False),
    Column("target", JSON, nullable=False),
    Column("target_component", Text, nullable=False),
    Column("target_configuration", Text, nullable=False),
    Column("token_id", BigInteger, nullable=False),
    Column("next_time", Timestamp),
    Column("planned_time", Timestamp, nullable=False),
    Column("created", Timestamp, nullable=False),
    Index("scheduler_schedules_by_configuration", "project_id", "configuration_id", unique=True),
    Index("scheduler_schedules_by_next_time", "next_time"),
    Index("scheduler_schedules_by_planned_time", "planned_time"),
)

runs = Table(
    "scheduler_runs",
    metadata,
    # A slot of a schedule runs once: the database refuses a second row.
    Column("schedule_id", BigInteger, primary_key=True),
    Column("slot", Timestamp, primary_key=True),
    Column("id", BigInteger, nullable=False),
    Column("created", Timestamp, nullable=False),
    Column("job_id", BigInteger),
    Column("error", Text),
    Column("missed", Integer, nullable=False),
    Index("scheduler_runs_by_schedule", "schedule_id", "id"),
)


def put_schedule(tx: Transaction, row: ScheduleRow) -> None:
    """Insert it, or replace the one with the same id."""
    fields = {**msgspec.structs.asdict(row), "target": msgspec.to_builtins(row.target)}
    if not tx.change(update(schedules).where(schedules.c.id == row.id).values(fields)):
        tx.change(insert(schedules).values(fields))


def find_schedule(tx: Transaction, project_id: int, schedule_id: int) -> ScheduleRow | None:
    return _first(tx, schedules.c.project_id == project_id, schedules.c.id == schedule_id)


def find_of_configuration(tx: Transaction, project_id: int, configuration_id: str) -> ScheduleRow | None:
    return _first(tx, schedules.c.project_id == project_id, schedules.c.configuration_id == configuration_id)


def list_schedules(tx: Transaction, project_id: int, query: SchedulesQuery) -> list[ScheduleRow]:
    """Oldest first."""
    statement = select(schedules).where(schedules.c.project_id == project_id)
    if query.component_id:
        statement = statement.where(
            schedules.c.target_component == query.component_id,
            schedules.c.target_configuration == query.configuration_id,
        )
    return tx.converted(statement.order_by(schedules.c.id), into=ScheduleRow)


def count_schedules(tx: Transaction, project_id: int) -> int:
    return tx.value(select(func.count()).where(schedules.c.project_id == project_id)) or 0


def plan_slot(tx: Transaction, row: ScheduleRow, slot: datetime | None, now: datetime) -> None:
    """Set which slot runs next."""
    same = schedules.c.id == row.id
    tx.change(update(schedules).where(same).values(next_time=slot, planned_time=now))


def set_token(tx: Transaction, row: ScheduleRow, token_id: int) -> None:
    tx.change(update(schedules).where(schedules.c.id == row.id).values(token_id=token_id))


def remove_schedule(tx: Transaction, row: ScheduleRow) -> None:
    tx.change(delete(runs).where(runs.c.schedule_id == row.id))
    tx.change(delete(schedules).where(schedules.c.id == row.id))


def remove_of_project(tx: Transaction, project_id: int) -> None:
    mine = select(schedules.c.id).where(schedules.c.project_id == project_id)
    tx.change(delete(runs).where(runs.c.schedule_id.in_(mine)))
    tx.change(delete(schedules).where(schedules.c.project_id == project_id))


class Due(msgspec.Struct, frozen=True):
    id: int
    project_id: int


def list_due(tx: Transaction, now: datetime, latest: datetime, limit: int, skipped: Collection[int]) -> list[Due]:
    """Schedules whose slot has come, and those planned after `latest`, when the clock was ahead; without those of
    skipped projects, and of those that cannot be used now. Disabled ones have no slot. Two queries, since each has its
    index."""
    some = select(schedules.c.id, schedules.c.project_id).where(~is_closed(schedules.c.project_id)).limit(limit)
    if skipped:
        some = some.where(schedules.c.project_id.not_in(skipped))
    come = some.where(schedules.c.next_time <= now).order_by(schedules.c.next_time)
    ahead = some.where(schedules.c.planned_time > latest, schedules.c.next_time > now)
    return [*tx.all(come, into=Due, now=now), *tx.all(ahead, into=Due, now=now)][:limit]


def find_next_time(tx: Transaction, after: datetime | None = None) -> datetime | None:
    """The first of all schedules, or the first after a moment."""
    first = select(func.min(schedules.c.next_time, type_=Timestamp))
    return tx.value(first.where(schedules.c.next_time > after) if after else first)


def postpone(tx: Transaction, schedule_id: int, now: datetime, latest: datetime, until: datetime) -> None:
    """Whatever is in the row; unless it is not due any more."""
    is_due = or_(schedules.c.next_time <= now, schedules.c.planned_time > latest)
    this = update(schedules).where(schedules.c.id == schedule_id, schedules.c.next_time.is_not(None), is_due)
    tx.change(this.values(next_time=until, planned_time=now))


def add_run(tx: Transaction, row: RunRow) -> None:
    tx.change(insert(runs).values(msgspec.structs.asdict(row)))


def list_slots(tx: Transaction, schedule_id: int, since: datetime) -> set[datetime]:
    """The slots since then that have run."""
    found = select(runs.c.slot).where(runs.c.schedule_id == schedule_id, runs.c.slot >= since)
    return set(tx.connection.execute(found).scalars())


def list_runs(tx: Transaction, schedule_ids: Sequence[int], count: int) -> dict[int, list[RunRow]]:
    """The newest runs of each schedule, newest first."""
    others = runs.alias()
    mine = select(others.c.id).where(others.c.schedule_id == schedules.c.id).order_by(others.c.id.desc())
    oldest = mine.limit(1).offset(count - 1).correlate(schedules).scalar_subquery()
    newest = (runs.c.schedule_id == schedules.c.id) & (runs.c.id >= func.coalesce(oldest, 0))
    both = select(runs).select_from(schedules.join(runs, newest))
    found = both.where(schedules.c.id.in_(schedule_ids)).order_by(runs.c.id.desc())
    listed: dict[int, list[RunRow]] = {schedule_id: [] for schedule_id in schedule_ids}
    for run in tx.all(found, into=RunRow):
        listed[run.schedule_id].append(run)
    return listed


def remove_old_runs(tx: Transaction, schedule_id: int, before: datetime, count: int) -> None:
    """Remove slots from before that time, but for the newest runs."""
    mine = runs.c.schedule_id == schedule_id
    newest = select(runs.c.id).where(mine).order_by(runs.c.id.desc()).limit(count)
    tx.change(delete(runs).where(mine, runs.c.slot < before, runs.c.id.not_in(newest)))


def _first(tx: Transaction, *conditions: Any) -> ScheduleRow | None:
    found = tx.converted(select(schedules).where(*conditions), into=ScheduleRow)
    return found[0] if found else None
