"""Schedules as requested, stored and returned."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Literal

import msgspec

from penstock.foundation.limits import Rows
from penstock.foundation.structs import Wire

COMPONENT = "keboola.scheduler"
"""Each of its configurations is one schedule."""
MAX_SCHEDULES = 1_000
"""Schedules of a project: GET /schedules returns them all."""

Text = Annotated[str, msgspec.Meta(min_length=1, max_length=255)]
State = Literal["enabled", "disabled"]
Mode = Literal["run", "forceRun", "debug"]


class NewSchedule(Wire, frozen=True, kw_only=True):
    configuration_id: str
    """Id of a configuration of `keboola.scheduler`, which says when to run what."""
    configuration_version_id: str | int | None = None
    """Version of that configuration. Without it, the current one."""


class SchedulesQuery(Wire, frozen=True, kw_only=True):
    component_id: str = ""
    """Only schedules that run this component. Together with `configurationId`."""
    configuration_id: str = ""
    """Only schedules that run this configuration. Together with `componentId`."""


class Timing(Wire, frozen=True, kw_only=True):
    cron_tab: Text
    timezone: Text
    state: State


class Target(Wire, frozen=True, kw_only=True):
    component_id: Text
    configuration_id: Text
    configuration_row_ids: Rows[str] = []
    mode: Mode
    tag: Annotated[str, msgspec.Meta(max_length=255)] = ""


class Definition(msgspec.Struct, frozen=True):
    """What a configuration of keboola.scheduler says."""

    schedule: Timing
    target: Target


class ScheduleRow(msgspec.Struct, frozen=True, kw_only=True):
    id: int
    project_id: int
    branch_id: int
    """Main, in which its configurations are."""
    configuration_id: str
    configuration_version: int
    cron_tab: str
    timezone: str
    is_enabled: bool
    target: Target
    target_component: str
    target_configuration: str
    token_id: int
    next_time: datetime | None
    """The slot that runs next; None if it is disabled."""
    planned_time: datetime
    """When that was found, by the clock of that time."""
    created: datetime


class RunRow(msgspec.Struct, frozen=True, kw_only=True):
    """A slot that has run: a job was created, or could not be."""

    schedule_id: int
    slot: datetime
    id: int
    created: datetime
    job_id: int | None = None
    error: str | None = None
    missed: int = 0
    """How many earlier slots were not run."""


class Execution(Wire, frozen=True, kw_only=True):
    job_id: str
    execution_time: str


class RunError(Wire, frozen=True, kw_only=True):
    execution_time: str
    message: str


class Schedule(Wire, frozen=True, kw_only=True):
    id: str
    token_id: str
    configuration_id: str
    configuration_version_id: str
    schedule: Timing
    target: Target
    executions: list[Execution]
    """The newest first."""
    next_runs: list[str]
    last_error: RunError | None
    """Why the newest run has no job."""
