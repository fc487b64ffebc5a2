"""The jobs that another is made of. There may be thousands, so what is asked often does not read them all."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import Any

import msgspec
from sqlalchemy import ColumnElement, Select, and_, func, select, update

from penstock.foundation import clock
from penstock.foundation.database import Transaction
from penstock.services.queue.models.jobs import JobRow
from penstock.services.queue.models.statuses import Status, check_change
from penstock.services.queue.store.jobs import jobs, read_job


class EndedChild(msgspec.Struct, frozen=True):
    """How a child ended, without all that a job holds."""

    id: int
    status: Status
    start_time: datetime | None
    end_time: datetime | None


def list_children(tx: Transaction, job: JobRow) -> list[JobRow]:
    """In the order in which they were made."""
    return _read(tx, select(jobs).where(*_parts_of(job)))


def list_unfinished(tx: Transaction, job: JobRow) -> list[JobRow]:
    return _read(tx, select(jobs).where(*_unfinished_of(job)))


def list_held(tx: Transaction, job: JobRow, most: int) -> list[JobRow]:
    """Those that wait until they are let begin, the oldest first."""
    return _read(tx, select(jobs).where(*_unfinished_of(job), jobs.c.is_held).limit(most))


def list_ended(tx: Transaction, job: JobRow) -> list[EndedChild]:
    columns = (jobs.c.id, jobs.c.status, jobs.c.start_time, jobs.c.end_time)
    return tx.converted(select(*columns).where(*_parts_of(job), jobs.c.is_finished), EndedChild)


def count_unfinished(tx: Transaction, job: JobRow) -> int:
    return _count(tx, *_unfinished_of(job))


def count_released(tx: Transaction, job: JobRow) -> int:
    """Those that may run, or do."""
    return _count(tx, *_unfinished_of(job), ~jobs.c.is_held)


def has_child(tx: Transaction, job: JobRow, statuses: Iterable[str], on_error: str) -> bool:
    is_such = and_(jobs.c.status.in_(list(statuses)), jobs.c.on_error == on_error)
    return tx.value(select(jobs.c.id).where(*_parts_of(job), is_such).limit(1)) is not None


def end_waiting(tx: Transaction, job: JobRow, status: Status, **values: Any) -> list[JobRow]:
    """End all that have not begun, at once; they are given as they were."""
    mine = [*_unfinished_of(job), jobs.c.status.in_((Status.CREATED, Status.WAITING))]
    found = _read(tx, select(jobs).where(*mine))
    for before in {child.status for child in found}:
        check_change(before, status)
    # Nobody has begun one meanwhile: to read them here is to hold them.
    tx.change(update(jobs).where(*mine).values(status=status, **values, updated_time=clock.now()))
    return found


def _read(tx: Transaction, question: Select[Any]) -> list[JobRow]:
    found = tx.connection.execute(tx.unclaimed(question.order_by(jobs.c.id)))
    return [read_job(row) for row in found.mappings()]


def _count(tx: Transaction, *conditions: ColumnElement[bool]) -> int:
    return int(tx.value(select(func.count()).select_from(jobs).where(*conditions)))


def _parts_of(job: JobRow) -> list[ColumnElement[bool]]:
    return [jobs.c.project_id == job.project_id, jobs.c.parent_id == job.id]


def _unfinished_of(job: JobRow) -> list[ColumnElement[bool]]:
    return [*_parts_of(job), ~jobs.c.is_finished]
