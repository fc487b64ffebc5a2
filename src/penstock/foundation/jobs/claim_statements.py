"""The SQL of claims: which jobs of a table may run, in which order, and how one is taken.

Statements are built once for each table, since that takes longer than to execute them.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from sqlalchemy import (
    BigInteger,
    Column,
    ColumnElement,
    Select,
    Table,
    Text,
    and_,
    bindparam,
    case,
    false,
    func,
    null,
    or_,
    select,
    update,
)
from sqlalchemy.sql.dml import ReturningUpdate

from penstock.foundation.database import Timestamp

READY, PROCESSING, TERMINATING = ("created", "waiting"), "processing", "terminating"

NOW = bindparam("now", type_=Timestamp)
"""The time of a claim, as a parameter of conditions that are built once."""
PROJECT = bindparam("claimed_project", type_=BigInteger)
_LIMIT = bindparam("project_limit", type_=BigInteger)


class Projects(NamedTuple):
    """Columns of the table of projects that say which of their jobs may run."""

    id: Column[int]
    is_closed: ColumnElement[bool]
    """It may use NOW. Jobs of such a project are not claimed."""
    limits: ColumnElement[Any]
    """A document with the limits of a project, by name."""


def is_early(delayed: ColumnElement[Any]) -> ColumnElement[bool]:
    return func.coalesce(delayed > NOW, false())


def finding_free(jobs: Table, held: str | None, delayed: str | None) -> Select[int]:
    is_due = [~is_early(jobs.c[delayed])] if delayed else []
    is_free = or_(jobs.c.status.in_(READY), jobs.c.lease_until < NOW)
    return select(jobs.c.id).where(*_is_open(jobs, held), is_free, *is_due).limit(1)


def finding_next_time(jobs: Table, held: str | None, delayed: str | None) -> Select[Any]:
    """Reads the jobs that run or are delayed; those made of other jobs have no lease."""
    lease = jobs.c.lease_until
    time = case((jobs.c.status.in_(READY), jobs.c[delayed]), else_=lease) if delayed else lease
    return select(func.min(time, type_=Timestamp)).where(*_is_open(jobs, held))


def _is_open(some: Any, held: str | None) -> list[ColumnElement[bool]]:
    return [~some.c.is_finished, ~some.c[held]] if held else [~some.c.is_finished]


def oldest_of(some: Any, project: ColumnElement[int], held: str | None) -> Select[int]:
    """The oldest job of a project that waits, or whose lease has expired.

    "From the project to the project": of "equals", PostgreSQL concludes that any index by id gives the right order, and
    then reads the jobs of all projects.
    """
    is_free = or_(some.c.status.in_(READY), some.c.lease_until < NOW)
    mine = [some.c.project_id >= project, some.c.project_id <= project]
    found = select(some.c.id).where(*_is_open(some, held), *mine, is_free)
    return found.order_by(some.c.project_id, some.c.id).limit(1)


def listing_projects(jobs: Table, held: str | None, projects: Projects | None) -> Select[Any, int, Any, bool, Any]:
    """Projects, each with its oldest waiting job and how many of its jobs are running.

    Skips from project to project in the index, however many jobs each has; DISTINCT would read all of them.
    """
    start, following, running, waiting = (jobs.alias(name) for name in ("start", "following", "running", "waiting"))
    smallest = select(start.c.project_id).where(*_is_open(start, held)).order_by(start.c.project_id).limit(1)
    found = select(smallest.scalar_subquery().label("project_id")).cte("projects", recursive=True)
    greater = [*_is_open(following, held), following.c.project_id > found.c.project_id]
    then = select(following.c.project_id).where(*greater).order_by(following.c.project_id).limit(1)
    found = found.union_all(select(then.scalar_subquery()).where(found.c.project_id.is_not(None)))
    oldest = oldest_of(waiting, found.c.project_id, held).scalar_subquery().label("oldest")
    busy = _count_running(running).subquery("busy")
    both = found.outerjoin(busy, busy.c.project_id == found.c.project_id)
    state: list[ColumnElement[Any]] = [false().label("is_closed"), null().label("limits")]
    if projects:
        both = both.outerjoin(projects.id.table, projects.id == found.c.project_id)
        state = [projects.is_closed.label("is_closed"), projects.limits.label("limits")]
    running_count = func.coalesce(busy.c.running, 0).label("running")
    listed = select(found.c.project_id, oldest, running_count, *state).select_from(both)
    return listed.where(found.c.project_id.is_not(None))


def _count_running(some: Any) -> Select[Any, int]:
    """Count the jobs of all projects together: for a single one, the database would use the index of all its jobs.
    Flows do not count, since no worker holds them."""
    running = select(some.c.project_id, func.count().label("running"))
    return running.where(~some.c.is_finished, some.c.worker.is_not(None)).group_by(some.c.project_id)


def is_one_too_many(jobs: Table) -> ColumnElement[bool]:
    running = jobs.alias("running")
    full = _count_running(running).having(func.count() >= _LIMIT).subquery("full")
    # A job that is taken over is counted as running already.
    return and_(jobs.c.worker.is_(None), jobs.c.project_id.in_(select(full.c.project_id)))


def holding(jobs: Table, candidate: Select[int]) -> Select[int, Any]:
    """Lock a job that no other worker is claiming, and then the claims of its project.

    Both in one statement. The key of the lock is a hash of the table and the project; two that collide only wait for
    each other.
    """
    candidate_row = candidate.add_columns(jobs.c.project_id).with_for_update(of=jobs, skip_locked=True).cte("found")
    number = func.hashtextextended(jobs.name + "/", candidate_row.c.project_id)
    return select(candidate_row.c.id, func.pg_advisory_xact_lock(number))


def taking(jobs: Table) -> ReturningUpdate[Any]:
    is_ready = jobs.c.status.in_(READY)
    taking = update(jobs).values(
        status=case((jobs.c.status == TERMINATING, TERMINATING), else_=PROCESSING),
        worker=bindparam("new_worker", type_=Text),
        attempt=jobs.c.attempt + 1,
        lost_leases=jobs.c.lost_leases + case((is_ready, 0), else_=1),
        lease_until=bindparam("new_lease", type_=Timestamp),
        start_time=func.coalesce(jobs.c.start_time, NOW),
    )
    return taking.returning(*jobs.c)
