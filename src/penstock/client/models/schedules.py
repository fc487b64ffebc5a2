"""Schedules."""

from __future__ import annotations

from penstock.foundation.structs import Wire


class NewSchedule(Wire, frozen=True):
    configuration_id: str


class ScheduleTimes(Wire, frozen=True):
    cron_tab: str
    timezone: str
    state: str


class ScheduleTarget(Wire, frozen=True):
    component_id: str
    configuration_id: str
    configuration_row_ids: list[str] = []
    mode: str = "run"
    tag: str = ""


class Execution(Wire, frozen=True):
    job_id: str
    execution_time: str


class ScheduleError(Wire, frozen=True):
    execution_time: str
    message: str


class Schedule(Wire, frozen=True):
    """A configuration that runs by cron."""

    id: str
    configuration_id: str
    configuration_version_id: str
    token_id: str
    schedule: ScheduleTimes
    target: ScheduleTarget
    executions: list[Execution] = []
    """The newest first."""
    next_runs: list[str] = []
    last_error: ScheduleError | None = None
    """Why the newest run has no job."""
