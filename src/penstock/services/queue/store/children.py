"""The jobs that another is made of. There may be thousands, so frequent queries do not read all of them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any

import msgspec
from sqlalchemy import Column, ColumnElement, Select, and_, func, or_, select, update

from penstock.foundation import clock
from penstock.foundation.database import Transaction
from penstock.services.queue.models.jobs import JobRow, Kind
from penstock.services.queue.models.statuses import Status, check_change
from penstock.services.queue.store.jobs import jobs, read_job

AT_ONCE = 500
"""What is asked for by id in one query."""
MAX_DESCENDANTS = 10_000


class RanJob(msgspec.Struct, frozen=True, kw_only=True):
    """What the result of a flow contains of its jobs."""

    id: int
    parent_id: int | None
    type: Kind
    component: str
    config: str | None
    status: Status
    on_error: str | None
    start_time: datetime | None
    end_time: datetime | None
    result: bytes


class EndedChild(msgspec.Struct, frozen=True):
    """How a child ended."""

    id: int
    status: Status
    start_time: datetime | None
    end_time: datetime | None


_RAN = select(*(jobs.c[name] for name in RanJob.__struct_fields__))


def list_descendant_ids(tx: Transaction, job: JobRow) -> list[int]:
    """Return the ids of the jobs that it is made of, and of those that these are made of: the first ones of many."""
    above = jobs.c.parent_run_id
    below = or_(above == job.run_id, and_(above > f"{job.run_id}.", above < f"{job.run_id}/"))
    query = select(jobs.c.id).where(jobs.c.project_id == job.project_id, below).order_by(jobs.c.id)
    return list(tx.connection.execute(query.limit(MAX_DESCENDANTS)).scalars())


def list_children(tx: Transaction, job: JobRow) -> list[JobRow]:
    """List children in order of creation."""
    return _read(tx, select(jobs).where(*_parts_of(job)))


def list_unfinished(tx: Transaction, job: JobRow) -> list[JobRow]:
    return _read(tx, select(jobs).where(*_unfinished_of(job)))


def list_unfinished_roots(tx: Transaction, project_id: int) -> list[JobRow]:
    """Unfinished jobs of a project that are not part of another one."""
    mine = (jobs.c.project_id == project_id, ~jobs.c.is_finished, jobs.c.parent_id.is_(None))
    return _read(tx, select(jobs).where(*mine))


def list_held(tx: Transaction, job: JobRow, most: int) -> list[JobRow]:
    """Children that are not released yet, oldest first."""
    return _read(tx, select(jobs).where(*_unfinished_of(job), jobs.c.is_held).limit(most))


def list_ended(tx: Transaction, job: JobRow, first: int) -> list[EndedChild]:
    """List children with this id or a higher one; the caller knows how earlier ones ended."""
    columns = (jobs.c.id, jobs.c.status, jobs.c.start_time, jobs.c.end_time)
    return tx.converted(select(*columns).where(*_parts_of(job), jobs.c.id >= first, jobs.c.is_finished), EndedChild)


def list_ran(tx: Transaction, job: JobRow) -> list[RanJob]:
    """List its children, in order of creation."""
    return tx.converted(_RAN.where(*_parts_of(job)).order_by(jobs.c.id), RanJob)


def find_ran(tx: Transaction, project_id: int, job_ids: Sequence[int]) -> list[RanJob]:
    return _find(tx, jobs.c.id, project_id, job_ids)


def find_parts(tx: Transaction, project_id: int, parent_ids: Sequence[int]) -> list[RanJob]:
    """The children of several jobs."""
    return _find(tx, jobs.c.parent_id, project_id, parent_ids)


def has_more_unfinished(tx: Transaction, job: JobRow, most: int) -> bool:
    """Whether more than so many are unfinished. Looks at the newest first, most of which are, and stops early."""
    newest = select(jobs.c.id).where(*_unfinished_of(job)).order_by(jobs.c.id.desc()).limit(1).offset(most)
    return tx.value(newest) is not None


def count_unfinished(tx: Transaction, job: JobRow) -> int:
    return _count(tx, *_unfinished_of(job))


def count_released(tx: Transaction, job: JobRow) -> int:
    """Count the unfinished children that are released."""
    return _count(tx, *_unfinished_of(job), ~jobs.c.is_held)


def has_child(tx: Transaction, job: JobRow, statuses: Iterable[str], on_error: str) -> bool:
    is_such = and_(jobs.c.status.in_(list(statuses)), jobs.c.on_error == on_error)
    return tx.value(select(jobs.c.id).where(*_parts_of(job), is_such).limit(1)) is not None


def end_waiting(tx: Transaction, job: JobRow, status: Status, **values: Any) -> list[JobRow]:
    """End all that have not begun, in one statement; returns them as they were."""
    mine = [*_unfinished_of(job), jobs.c.status.in_((Status.CREATED, Status.WAITING))]
    found = _read(tx, select(jobs).where(*mine))
    for before in {child.status for child in found}:
        check_change(before, status)
    # Reading them locks them, so that no worker claims one meanwhile.
    tx.change(update(jobs).where(*mine).values(status=status, **values, updated_time=clock.now()))
    return found


def _find(tx: Transaction, column: Column[Any], project_id: int, ids: Sequence[int]) -> list[RanJob]:
    found: list[RanJob] = []
    for begin in range(0, len(ids), AT_ONCE):
        wanted = column.in_(ids[begin : begin + AT_ONCE])
        found += tx.converted(_RAN.where(jobs.c.project_id == project_id, wanted).order_by(jobs.c.id), RanJob)
    return found


def _read(tx: Transaction, statement: Select[Any]) -> list[JobRow]:
    found = tx.connection.execute(tx.unclaimed(statement.order_by(jobs.c.id)))
    return [read_job(row) for row in found.mappings()]


def _count(tx: Transaction, *conditions: ColumnElement[bool]) -> int:
    return int(tx.value(select(func.count()).select_from(jobs).where(*conditions)))


def _parts_of(job: JobRow) -> list[ColumnElement[bool]]:
    return [jobs.c.project_id == job.project_id, jobs.c.parent_id == job.id]


def _unfinished_of(job: JobRow) -> list[ColumnElement[bool]]:
    return [*_parts_of(job), ~jobs.c.is_finished]
