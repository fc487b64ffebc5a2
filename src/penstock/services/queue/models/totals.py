"""Totals of jobs, as clients ask for them and see them."""

from __future__ import annotations

from typing import Annotated

import msgspec

from penstock.services.queue.models.searching import Texts
from penstock.services.queue.models.views import Job

DEFAULT_DAYS, MAX_DAYS = 14, 90


class TotalsQuery(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    days: Annotated[int, msgspec.Meta(ge=1, le=MAX_DAYS)] = DEFAULT_DAYS
    """How many days are counted, with today."""
    branch_id: Texts = None
    """Only jobs of these branches; `default` is Main."""


class DayTotals(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """Of the jobs that ended on a day, in UTC."""

    day: str
    """As `2026-01-31`."""
    statuses: dict[str, int]
    """How many jobs ended with each status."""
    rows_written: int
    """How many rows they have loaded into tables."""


class JobTotals(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    days: list[DayTotals]
    """Every day, oldest first."""
    statuses: dict[str, int]
    """How many jobs ended with each status on these days."""
    rows_written: int
    """How many rows these jobs have loaded into tables."""
    unfinished: dict[str, int]
    """How many jobs have not ended now, by status."""
    last_success: Job | None
    """The newest job that succeeded, whenever it was."""
    failing: list[Job]
    """The last jobs of the configurations whose last job failed on these days, newest first."""


def sum_statuses(days: list[DayTotals]) -> dict[str, int]:
    statuses: dict[str, int] = {}
    for day in days:
        for status, count in day.statuses.items():
            statuses[status] = statuses.get(status, 0) + count
    return statuses
