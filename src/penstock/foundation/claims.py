"""A table of jobs is a queue: a worker claims a row for a while by writing its name into it, and renews its claim.

Every change of a claimed job names the attempt that it belongs to, so that a worker that was given up for dead changes
nothing when it comes back.
"""

from __future__ import annotations

import os
import socket
from datetime import datetime, timedelta
from typing import Any, Protocol, TypeVar

from sqlalchemy import Boolean, Column, ColumnElement, Integer, Table, Text, and_, case, func, or_, select, update

from penstock.foundation.database import Moment, Transaction

T = TypeVar("T")

LEASE = timedelta(seconds=15)
RENEW_SECONDS = 5.0
DEATHS = 3
"""A job that has brought down so many workers is not tried again."""

PROCESSING = "processing"


def worker_name(name: str) -> str:
    """What this process writes into the jobs that it claims."""
    return f"{socket.gethostname()}/{name}/{os.getpid()}"


def is_gone(worker: str) -> bool:
    """Whether a worker is known to have ended: a process of this machine that is not there."""
    host, _, rest = worker.partition("/")
    pid = rest.rpartition("/")[2]
    if host != socket.gethostname() or not pid.isdecimal():
        return False
    try:
        os.kill(int(pid), 0)
    except ProcessLookupError:
        return True
    except OSError:
        return False
    return False


class LeaseLost(Exception):
    """Another worker has the job now; whatever this one still does must not count."""


class Claimed(Protocol):
    """A row that a worker has claimed."""

    @property
    def id(self) -> int: ...
    @property
    def attempt(self) -> int: ...
    @property
    def worker(self) -> str | None: ...


def columns() -> list[Column[Any]]:
    """What a table needs to be a queue, besides an `id` that grows."""
    return [
        Column("status", Text, nullable=False),
        Column("is_finished", Boolean, nullable=False),
        Column("created_time", Moment, nullable=False),
        Column("start_time", Moment),
        Column("end_time", Moment),
        Column("attempt", Integer, nullable=False),
        Column("worker", Text),
        Column("lease_until", Moment),
        Column("deaths", Integer, nullable=False),
    ]


def claim(
    tx: Transaction, jobs: Table, worker: str, now: datetime, is_blocked: ColumnElement[bool], into: type[T]
) -> T | None:
    """Take the oldest job that may run: a new one, or one whose worker has stopped renewing its lease."""
    is_open, given_up = ~jobs.c.is_finished, and_(jobs.c.status == PROCESSING, jobs.c.lease_until < now)
    free = or_(jobs.c.status != PROCESSING, given_up)
    candidate = select(jobs.c.id).where(is_open, free, ~is_blocked).order_by(jobs.c.id).limit(1)
    taking = update(jobs).where(jobs.c.id == candidate.scalar_subquery())
    taking = taking.values(
        status=PROCESSING,
        worker=worker,
        attempt=jobs.c.attempt + 1,
        deaths=jobs.c.deaths + case((jobs.c.status == PROCESSING, 1), else_=0),
        lease_until=now + LEASE,
        start_time=func.coalesce(jobs.c.start_time, now),
    )
    return tx.one(taking.returning(*jobs.c), into=into)


def give_up_gone(tx: Transaction, jobs: Table, now: datetime) -> None:
    """End the leases of workers that have ended, so that nobody waits for them."""
    claimed = select(jobs.c.worker).where(~jobs.c.is_finished, jobs.c.status == PROCESSING).distinct()
    gone = [worker for worker in tx.connection.execute(claimed).scalars() if worker and is_gone(worker)]
    if gone:
        held = and_(~jobs.c.is_finished, jobs.c.worker.in_(gone))
        tx.change(update(jobs).where(held).values(lease_until=now - timedelta(seconds=1)))


def change_claimed(tx: Transaction, jobs: Table, job: Claimed, **values: Any) -> None:
    """Change a job that this attempt has claimed; raises LeaseLost if it is no longer this attempt's to change."""
    mine = and_(jobs.c.id == job.id, jobs.c.attempt == job.attempt, jobs.c.worker == job.worker, ~jobs.c.is_finished)
    if not tx.change(update(jobs).where(mine).values(**values)):
        raise LeaseLost
