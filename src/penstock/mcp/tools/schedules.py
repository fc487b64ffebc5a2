"""Schedules: list, create, delete."""

from __future__ import annotations

from contextlib import suppress
from typing import Annotated

import msgspec

from penstock.client import Client, ClientError, Schedule
from penstock.mcp.paging import Limit, Next, Offset, take
from penstock.mcp.tool import Arguments, NotConfirmed, Output
from penstock.mcp.tools.views import ComponentId, ConfigurationId

COMPONENT = "keboola.scheduler"
NEXT_RUNS = 3

ScheduleId = Annotated[str, msgspec.Meta(min_length=1, max_length=64, description="The number of a schedule.")]


class SchedulesQuery(Arguments, frozen=True):
    limit: Limit = 20
    offset: Offset = 0


class NewSchedule(Arguments, frozen=True):
    component_id: ComponentId
    config_id: ConfigurationId
    cron: Annotated[
        str,
        msgspec.Meta(
            min_length=1,
            max_length=255,
            description="Five fields: minute, hour, day of month, month, day of week.",
            examples=["30 2 * * MON-FRI"],
        ),
    ]
    timezone: Annotated[
        str, msgspec.Meta(min_length=1, max_length=255, description="An IANA name.", examples=["Europe/Prague"])
    ] = "UTC"
    name: Annotated[str, msgspec.Meta(max_length=255, description="Empty: named after what it runs.")] = ""


class ScheduleToDelete(Arguments, frozen=True):
    schedule_id: ScheduleId
    confirm: Annotated[bool, msgspec.Meta(description="True after the user agreed.")] = False


class ScheduleView(Output, frozen=True):
    schedule_id: str
    config_id: str
    """Of the schedule itself, a configuration of keboola.scheduler."""
    cron: str
    timezone: str
    state: str
    runs_component_id: str
    runs_config_id: str
    next_runs: list[str] = []
    last_run: str = ""
    last_error: str = ""


class Schedules(Output, frozen=True):
    found: int
    schedules: list[ScheduleView]
    next: Next | None = None


class Deleted(Output, frozen=True):
    schedule_id: str
    hint: str


def list_schedules(client: Client, arguments: SchedulesQuery) -> Schedules:
    """The schedules of the project: what runs when, the next runs, and errors of the last one.

    Example: {}"""
    schedules = client.schedules.list()
    page, following = take(schedules, arguments.offset, arguments.limit)
    return Schedules(found=len(schedules), schedules=[_view(each) for each in page], next=following)


def create_schedule(client: Client, arguments: NewSchedule) -> ScheduleView:
    """Run a configuration at the times of a cron expression, from now on.

    Flows are configurations too. Example: {"component_id": "ex-generic-v2", "config_id": "sample-customers", "cron":
    "30 2 * * *", "timezone": "Europe/Prague"}"""
    # Whether it exists is otherwise found out when it runs.
    target = client.configurations.get(arguments.component_id, arguments.config_id)
    document = {
        "schedule": {"cronTab": arguments.cron, "timezone": arguments.timezone, "state": "enabled"},
        "target": {"componentId": arguments.component_id, "configurationId": arguments.config_id, "mode": "run"},
    }
    created = client.configurations.create(COMPONENT, arguments.name or f"Schedule of {target.name}"[:255], document)
    try:
        return _view(client.schedules.activate(created.id))
    except ClientError:
        with suppress(ClientError):  # what cannot be activated would only be in the way
            client.configurations.delete(COMPONENT, created.id)
        raise


def delete_schedule(client: Client, arguments: ScheduleToDelete) -> Deleted:
    """End a schedule; its configuration is kept.

    Needs `confirm: true`, after the user agreed. Example: {"schedule_id": "12", "confirm": true}"""
    if not arguments.confirm:
        raise NotConfirmed(f"end the schedule {arguments.schedule_id}")
    client.schedules.delete(arguments.schedule_id)
    return Deleted(schedule_id=arguments.schedule_id, hint="Its configuration of keboola.scheduler is kept.")


def _view(schedule: Schedule) -> ScheduleView:
    return ScheduleView(
        schedule_id=schedule.id,
        config_id=schedule.configuration_id,
        cron=schedule.schedule.cron_tab,
        timezone=schedule.schedule.timezone,
        state=schedule.schedule.state,
        runs_component_id=schedule.target.component_id,
        runs_config_id=schedule.target.configuration_id,
        next_runs=schedule.next_runs[:NEXT_RUNS],
        last_run=schedule.executions[0].execution_time if schedule.executions else "",
        last_error=schedule.last_error.message if schedule.last_error else "",
    )
