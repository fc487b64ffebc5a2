"""Totals of jobs by day and status.

Those of hours that are over are kept: a count of a million jobs is a sum of a few thousand rows, and of the jobs that
ended since.

A job that has ended does not change, so neither do the totals of its hour.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any

import msgspec
from sqlalchemy import BigInteger, Column, ColumnElement, Select, Table, Text, exists, func, insert, select
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.sql.compiler import SQLCompiler
from sqlalchemy.sql.functions import FunctionElement

from penstock.foundation.database import Timestamp, Transaction, metadata
from penstock.services.queue.models.jobs import JobRow
from penstock.services.queue.models.statuses import Status
from penstock.services.queue.store.jobs import jobs, read_job
from penstock.services.queue.store.searching import Scope, are_visible

HOUR = timedelta(hours=1)
MAX_FAILURES = 500
"""The newest failed jobs, among which failing configurations are searched."""

hours = Table(
    "queue_job_hours",
    metadata,
    Column("project_id", BigInteger, primary_key=True),
    Column("hour", Timestamp, primary_key=True),
    Column("branch_id", BigInteger, primary_key=True),
    Column("component", Text, primary_key=True),
    Column("token_id", BigInteger, primary_key=True),
    Column("status", Text, primary_key=True),
    Column("jobs", BigInteger, nullable=False),
    Column("rows_written", BigInteger, nullable=False),
)
_KEY = ("branch_id", "component", "token_id", "status")


class Total(msgspec.Struct, frozen=True):
    """Of the jobs that ended on a day with a status."""

    day: datetime
    status: Status
    jobs: int
    rows_written: int


class _start_of(FunctionElement[datetime]):  # noqa: N801  (a function of SQL)
    """The beginning of the hour or the day in which a time is."""

    type = Timestamp()
    inherit_cache = True


class start_of_hour(_start_of):  # noqa: N801
    inherit_cache = True
    unit, characters, rest = "hour", 13, ":00:00.000000"


class start_of_day(_start_of):  # noqa: N801
    inherit_cache = True
    unit, characters, rest = "day", 10, " 00:00:00.000000"


@compiles(_start_of)  # pyright: ignore[reportUnknownMemberType, reportUntypedFunctionDecorator]
def _compile_start(element: Any, compiler: SQLCompiler, **options: Any) -> str:
    return f"date_trunc('{element.unit}', {compiler.process(element.clauses, **options)})"


@compiles(_start_of, "sqlite")  # pyright: ignore[reportUnknownMemberType, reportUntypedFunctionDecorator]
def _compile_sqlite_start(element: Any, compiler: SQLCompiler, **options: Any) -> str:
    return f"substr({compiler.process(element.clauses, **options)}, 1, {element.characters}) || '{element.rest}'"


def sum_ended(tx: Transaction, scope: Scope, branch_ids: Sequence[int], since: datetime) -> list[Total]:
    """Return the totals of jobs that ended since the beginning of an hour. A day may have two of the same status."""
    until = find_end(tx, scope.project_id)
    added = _summed(hours, hours.c.hour, func.sum(hours.c.jobs), scope, branch_ids, since)
    recent = _summed(jobs, jobs.c.end_time, func.count(), scope, branch_ids, max(since, until or since))
    return [*tx.converted(added, Total), *tx.converted(recent, Total)]


def count_unfinished(tx: Transaction, scope: Scope, branch_ids: Sequence[int]) -> dict[Status, int]:
    # By their statuses, which an index has: for `NOT is_finished`, SQLite reads all jobs in the order of their status.
    unfinished = jobs.c.status.in_([status for status in Status if not status.is_final])
    query = select(jobs.c.status, func.count()).where(*_visible(jobs, scope, branch_ids), unfinished)
    return {Status(status): count for status, count in tx.connection.execute(query.group_by(jobs.c.status))}


def find_last_success(tx: Transaction, scope: Scope, branch_ids: Sequence[int]) -> JobRow | None:
    succeeded = (*_visible(jobs, scope, branch_ids), jobs.c.status == Status.SUCCESS)
    row = tx.connection.execute(select(jobs).where(*succeeded).order_by(jobs.c.id.desc()).limit(1)).mappings().first()
    return read_job(row) if row else None


def list_failing(tx: Transaction, scope: Scope, branch_ids: Sequence[int], since: datetime, most: int) -> list[JobRow]:
    """Return the last jobs of configurations whose last job failed, newest first. Parts of other jobs do not count."""
    failed = (*_visible(jobs, scope, branch_ids), jobs.c.status == Status.ERROR)
    newest = select(jobs.c.id).where(*failed).order_by(jobs.c.id.desc()).limit(MAX_FAILURES).subquery()
    later = jobs.alias("later")
    same = [later.c[name] == jobs.c[name] for name in ("project_id", "component", "config", "branch_id")]
    is_replaced = exists().where(*same, later.c.id > jobs.c.id, later.c.is_finished, later.c.parent_run_id == "")
    conditions = (jobs.c.parent_run_id == "", jobs.c.config.is_not(None), jobs.c.end_time >= since, ~is_replaced)
    query = select(jobs).join(newest, newest.c.id == jobs.c.id).where(*conditions)
    return tx.converted(query.order_by(jobs.c.id.desc()).limit(most), JobRow)


def find_end(tx: Transaction, project_id: int) -> datetime | None:
    """Return until when the jobs of a project are added up."""
    last = tx.value(select(func.max(hours.c.hour)).where(hours.c.project_id == project_id))
    return last + HOUR if last else None


def find_first_end(tx: Transaction, project_id: int, since: datetime | None) -> datetime | None:
    """Return when the first job ended that is not added up yet."""
    ended = [jobs.c.project_id == project_id, jobs.c.end_time.is_not(None)]
    later = [jobs.c.end_time >= since] if since else []
    return tx.value(select(func.min(jobs.c.end_time)).where(*ended, *later))


def add_up(tx: Transaction, project_id: int, since: datetime, until: datetime) -> None:
    """Keep the totals of whole hours, of which none is kept yet."""
    hour, key = start_of_hour(jobs.c.end_time), [jobs.c[name] for name in _KEY]
    ended = (jobs.c.project_id == project_id, jobs.c.end_time >= since, jobs.c.end_time < until)
    sums = (func.count(), func.sum(jobs.c.rows_written))
    query = select(jobs.c.project_id, hour, *key, *sums).where(*ended).group_by(jobs.c.project_id, hour, *key)
    tx.change(insert(hours).from_select(["project_id", "hour", *_KEY, "jobs", "rows_written"], query))


def _summed(
    table: Table, time: Column[Any], count: Any, scope: Scope, branch_ids: Sequence[int], since: datetime
) -> Select[*tuple[Any, ...]]:
    day, rows = start_of_day(time), func.sum(table.c.rows_written)
    sums = (count.cast(BigInteger).label("jobs"), rows.cast(BigInteger).label("rows_written"))
    query = select(day.label("day"), table.c.status, *sums).where(*_visible(table, scope, branch_ids), time >= since)
    return query.group_by(day, table.c.status)


def _visible(table: Table, scope: Scope, branch_ids: Sequence[int]) -> list[ColumnElement[bool]]:
    branches = [table.c.branch_id.in_(branch_ids)] if branch_ids else []
    return [*are_visible(table, scope), *branches]
