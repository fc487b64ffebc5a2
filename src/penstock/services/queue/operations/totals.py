"""How the jobs of a project went: by day and status, what runs, and which configurations fail now."""

from __future__ import annotations

from collections import Counter
from datetime import datetime, timedelta

import msgspec

from penstock.foundation import clock
from penstock.foundation.callers import Caller
from penstock.foundation.database import Transaction
from penstock.foundation.stack import Stack
from penstock.services.management import interface as management
from penstock.services.queue.models.jobs import JobRow
from penstock.services.queue.models.searching import Filters, read_filters
from penstock.services.queue.models.totals import DayTotals, TotalsQuery
from penstock.services.queue.operations.searching import scope_of
from penstock.services.queue.store import totals

DAY = timedelta(days=1)
SETTLED = timedelta(hours=1)
"""How long after its end an hour is added up: until then, jobs that ended in it may still be stored."""
MAX_FAILING = 5


class Totals(msgspec.Struct, frozen=True):
    """Of the jobs that a caller may see."""

    days: list[DayTotals]
    """Every day, oldest first."""
    unfinished: dict[str, int]
    last_success: JobRow | None
    failing: list[JobRow]


def get_totals(tx: Transaction, caller: Caller, query: TotalsQuery) -> Totals:
    """Return the totals of jobs that ended today or on the days before, by the day (UTC) on which they ended."""
    scope, now = scope_of(caller), clock.now()
    since = _start_of_day(now) - (query.days - 1) * DAY
    branches = read_filters(Filters(branch_id=query.branch_id), caller.main_branch_id).lists.get("branch_id", ())
    ended = totals.sum_ended(tx, scope, branches, since)
    return Totals(
        days=[_total(since + number * DAY, ended) for number in range(query.days)],
        unfinished={str(status): count for status, count in totals.count_unfinished(tx, scope, branches).items()},
        last_success=totals.find_last_success(tx, scope, branches),
        failing=totals.list_failing(tx, scope, branches, since, MAX_FAILING),
    )


def add_up_hours(stack: Stack) -> None:
    """Keep the totals of hours that are over. One transaction adds up one day of one project."""
    now = clock.now()
    until = now.replace(minute=0, second=0, microsecond=0) - SETTLED
    with stack.database.reading() as tx:
        projects = [project.id for project in management.list_projects(tx)]
    for project_id in projects:
        while _add_up_day(stack, project_id, until):
            pass


def _add_up_day(stack: Stack, project_id: int, until: datetime) -> bool:
    """Whether there was something to add up."""
    with stack.database.reading() as tx:
        first = totals.find_first_end(tx, project_id, totals.find_end(tx, project_id))
    if not first or first >= until:
        return False
    with stack.database.writing(project_id) as tx:
        since = first.replace(minute=0, second=0, microsecond=0)
        totals.add_up(tx, project_id, since, min(since + DAY, until))
    return True


def _total(day: datetime, ended: list[totals.Total]) -> DayTotals:
    found, statuses = [total for total in ended if total.day == day], Counter[str]()
    for total in found:
        statuses[str(total.status)] += total.jobs
    rows = sum(total.rows_written for total in found)
    return DayTotals(day=day.date().isoformat(), statuses={**statuses}, rows_written=rows)


def _start_of_day(moment: datetime) -> datetime:
    return moment.replace(hour=0, minute=0, second=0, microsecond=0)
