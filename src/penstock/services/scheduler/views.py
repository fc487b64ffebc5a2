"""Schedules as responses show them."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from itertools import chain, islice

from penstock.foundation.errors import Invalid
from penstock.services.scheduler.cron import read_timetable
from penstock.services.scheduler.models import Execution, RunError, RunRow, Schedule, ScheduleRow, Timing

NEXT_RUNS = 5


def schedule_view(row: ScheduleRow, runs: Sequence[RunRow]) -> Schedule:
    """`runs` are the newest, newest first."""
    return Schedule(
        id=str(row.id),
        token_id=str(row.token_id),
        configuration_id=row.configuration_id,
        configuration_version_id=str(row.configuration_version),
        schedule=Timing(
            cron_tab=row.cron_tab, timezone=row.timezone, state="enabled" if row.is_enabled else "disabled"
        ),
        target=row.target,
        executions=[
            Execution(job_id=str(run.job_id), execution_time=_to_text(run.created)) for run in runs if run.job_id
        ],
        next_runs=[_to_text(slot) for slot in list_next(row)],
        last_error=_find_error(runs[0]) if runs else None,
    )


def list_next(row: ScheduleRow) -> list[datetime]:
    if row.next_time is None:
        return []
    try:
        following = read_timetable(row.cron_tab, row.timezone).after(row.next_time)
    except Invalid:
        # It was valid when it was activated, such as a time zone that the machine does not know any more.
        return [row.next_time]
    return list(islice(chain([row.next_time], following), NEXT_RUNS))


def _find_error(newest: RunRow) -> RunError | None:
    return RunError(execution_time=_to_text(newest.created), message=newest.error) if newest.error else None


def _to_text(moment: datetime) -> str:
    return moment.isoformat(timespec="seconds")
