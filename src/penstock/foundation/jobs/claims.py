"""A table of jobs is a queue: a worker claims a row for a while by writing its name into it, and renews its claim.

Every change of a claimed job names the attempt that it belongs to, so that a worker whose lease ran out changes nothing
when it continues.

Jobs of a project that cannot be used now, such as a disabled one, wait until it can (Projects).

Claims are fair: the next job is one of the project that has the fewest running; those that have as few take turns. A
project without a job that may run reserves nothing, so no worker is idle while any project has one. And no project runs
more jobs than its limit, where one is set.

With SQLite one transaction writes at a time. With PostgreSQL many workers claim at once: each skips rows that another
has locked (`SKIP LOCKED`), and only workers that claim jobs of the same project wait for each other.
"""

from __future__ import annotations

import os
import socket
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from functools import cache
from typing import Any, Protocol, TypeVar
from weakref import WeakKeyDictionary

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    ColumnElement,
    Engine,
    Integer,
    Table,
    Text,
    Update,
    and_,
    bindparam,
    select,
    update,
)
from sqlalchemy.sql.dml import ReturningUpdate

from penstock.foundation import clock
from penstock.foundation.database import Timestamp, Transaction
from penstock.foundation.jobs.claim_statements import (
    PROJECT,
    Projects,
    finding_free,
    finding_next_time,
    holding,
    is_early,
    is_one_too_many,
    listing_projects,
    oldest_of,
    taking,
)

T = TypeVar("T")

LEASE = timedelta(seconds=15)
RENEW_SECONDS = 5.0
MAX_LOST_LEASES = 3
"""A job whose workers died this many times is not tried again."""

NO_LIMIT = 2**31 - 1
_HELD = ("id", "attempt", "worker")
SUCCESS, ERROR = "success", "error"


def worker_name(name: str) -> str:
    """What this process writes into the jobs that it claims."""
    return f"{socket.gethostname()}/{name}/{os.getpid()}"


def is_gone(worker: str) -> bool:
    """Whether a worker is known to have ended: a process of this machine that no longer exists."""
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
    """Another worker has the job now; nothing that this one still does may count."""


class Claimed(Protocol):
    """A row that a worker has claimed."""

    @property
    def id(self) -> int: ...
    @property
    def attempt(self) -> int: ...
    @property
    def worker(self) -> str | None: ...


def columns() -> list[Column[Any]]:
    """The columns that make a table a queue, besides a growing `id` and a `project_id`."""
    return [
        Column("status", Text, nullable=False),
        Column("is_finished", Boolean, nullable=False),
        Column("created_time", Timestamp, nullable=False),
        Column("start_time", Timestamp),
        Column("end_time", Timestamp),
        Column("attempt", Integer, nullable=False),
        Column("worker", Text),
        Column("lease_until", Timestamp),
        Column("lost_leases", Integer, nullable=False),
    ]


class Claims:
    """How the jobs of one table are claimed. Statements are built once, since that takes longer than to execute them.

    `blocks` are conditions of jobs that may not run yet; they may use NOW, and other parameters that claim() is given.
    `held` is the column of jobs that are never candidates; the index by project leaves them out.
    `delayed` is the column with the time before which a job may not run.
    `limit_name` is the limit of a project that says how many of its jobs run at a time.
    """

    def __init__(
        self,
        jobs: Table,
        *blocks: ColumnElement[bool],
        held: str | None = None,
        delayed: str | None = None,
        projects: Projects | None = None,
        limit_name: str = "",
    ) -> None:
        # As separate conditions: for NOT (a OR b), the database does not use the index.
        delays = [is_early(jobs.c[delayed])] if delayed else []
        may_run = [~block for block in (*delays, *blocks, is_one_too_many(jobs))]
        candidate = oldest_of(jobs, PROJECT, held).where(*may_run)
        take = taking(jobs)
        self._list_projects, self._limit_name = listing_projects(jobs, held, projects), limit_name
        self._turns = WeakKeyDictionary[Engine, dict[int, int]]()
        """When each project of a database had its last turn in this process, as a number that grows."""
        self._take = take.where(jobs.c.id == candidate.scalar_subquery())
        self._hold = holding(jobs, candidate)
        self._take_held = take.where(jobs.c.id == bindparam("held_id", type_=BigInteger), *may_run)
        self._jobs = jobs
        self._find_free = finding_free(jobs, held, delayed)
        self._find_next_time = finding_next_time(jobs, held, delayed)

    def find_due_time(self, tx: Transaction, now: datetime) -> datetime | None:
        """When a claim may find a job, if nothing is written until then: now, when a delay or a lease ends, or never.
        It only reads, and what blocks a job is not looked at."""
        if tx.value(self._find_free, now=now) is not None:
            return now
        return tx.value(self._find_next_time)

    def expire_gone_workers(self, tx: Transaction, now: datetime) -> None:
        """End the leases of workers that have ended, so that their jobs are claimed at once."""
        _expire_gone_workers(tx, self._jobs, now)

    def claim(
        self, tx: Transaction, worker: str, now: datetime, limit: int = NO_LIMIT, **values: Any
    ) -> dict[str, Any] | None:
        """Claim a job that may run: a new one, or one whose worker has stopped renewing its lease."""
        known = {"now": now, "new_worker": worker, "new_lease": now + LEASE, "project_limit": limit, **values}
        turns = self._turns.setdefault(tx.connection.engine, {})
        for project, most in self._in_turn(tx, now, turns):
            if row := self._claim_of(tx, {**known, "claimed_project": project, "project_limit": min(limit, most)}):
                turns[project] = max(turns.values(), default=0) + 1
                return row
        return None

    def _in_turn(self, tx: Transaction, now: datetime, turns: Mapping[int, int]) -> list[tuple[int, int]]:
        """Projects for which something waits, each with its limit: those with the fewest running first; of these, whose
        last turn was the longest ago. Otherwise a project with many short jobs would always be the one whose job has
        waited longest."""
        listed = tx.connection.execute(self._list_projects, {"now": now})
        waiting = [each for each in listed if each.oldest is not None and not each.is_closed]
        waiting.sort(key=lambda each: (each.running, turns.get(each.project_id, 0), each.oldest))
        return [(each.project_id, self._read_limit(each.limits)) for each in waiting]

    def _read_limit(self, limits: Mapping[str, float] | None) -> int:
        """0 would mean that a project has no job at all: it is the same as 1."""
        wanted = (limits or {}).get(self._limit_name)
        return NO_LIMIT if wanted is None else max(int(wanted), 1)

    def _claim_of(self, tx: Transaction, parameters: dict[str, Any]) -> dict[str, Any] | None:
        """The oldest one of a project."""
        if not tx.has_concurrent_writers:
            return _first(tx, self._take, parameters)
        held = tx.connection.execute(self._hold, parameters).first()
        # Checked again: meanwhile another worker may have claimed a job of the same project that blocks this one.
        return _first(tx, self._take_held, {**parameters, "held_id": held.id}) if held else None


def _first(tx: Transaction, statement: ReturningUpdate[Any], values: dict[str, Any]) -> dict[str, Any] | None:
    row = tx.connection.execute(statement, values).mappings().first()
    return {str(name): value for name, value in row.items()} if row else None


def _expire_gone_workers(tx: Transaction, jobs: Table, now: datetime) -> None:
    claimed = select(jobs.c.worker).where(~jobs.c.is_finished, jobs.c.worker.is_not(None)).distinct()
    gone = [worker for worker in tx.connection.execute(claimed).scalars() if worker and is_gone(worker)]
    if gone:
        held = and_(~jobs.c.is_finished, jobs.c.worker.in_(gone))
        tx.change(update(jobs).where(held).values(lease_until=now - timedelta(seconds=1)))


def change_claimed(
    tx: Transaction, jobs: Table, job: Claimed, *, before: Sequence[str] | None = None, **values: Any
) -> None:
    """Change a job that this attempt has claimed; raises LeaseLost if it is no longer this attempt's to change.

    `before` are the statuses that it may have until now.
    """
    mine: dict[str, Any] = {f"held_{name}": getattr(job, name) for name in _HELD}
    if before is not None:
        mine["held_status"] = before
    if not tx.change(_changing(jobs, before is not None), [{**values, **mine}]):
        raise LeaseLost


def finish(tx: Transaction, jobs: Table, job: Claimed, error: str | None = None, **values: Any) -> None:
    """End a job of a table with a column `error`; raises LeaseLost if another worker has claimed it."""
    status = SUCCESS if error is None else ERROR
    ended = {"status": status, "is_finished": True, "end_time": clock.now(), "lease_until": None, "error": error}
    change_claimed(tx, jobs, job, **ended, **values)


def delay(tx: Transaction, jobs: Table, job: Claimed, until: datetime, **values: Any) -> None:
    """Release a job of a table with a column `delayed_until`, to be claimed again at that time."""
    change_claimed(tx, jobs, job, status="waiting", worker=None, lease_until=None, delayed_until=until, **values)


@cache
def _changing(jobs: Table, has_before: bool) -> Update:
    """The columns to change are those of the values that it is executed with."""
    held = {name: bindparam(f"held_{name}", type_=jobs.c[name].type) for name in _HELD}
    # IS NOT DISTINCT FROM only where NULL is possible: PostgreSQL cannot use an index for it.
    mine = [jobs.c.id == held["id"], jobs.c.attempt == held["attempt"]]
    mine.append(jobs.c.worker.is_not_distinct_from(held["worker"]))
    if has_before:
        mine.append(jobs.c.status.in_(bindparam("held_status", type_=Text, expanding=True)))
    return update(jobs).where(*mine, ~jobs.c.is_finished)
