"""Things that several tools take and return."""

from __future__ import annotations

from typing import Annotated

import msgspec

from penstock.client import Event, Job
from penstock.mcp.paging import shorten
from penstock.mcp.tool import Output

LINE_CHARACTERS = 2_000

ComponentId = Annotated[
    str,
    msgspec.Meta(min_length=1, max_length=255, description="The id of a component.", examples=["ex-generic-v2"]),
]
ConfigurationId = Annotated[
    str,
    msgspec.Meta(min_length=1, max_length=255, description="The id of a configuration.", examples=["sample-orders"]),
]
JobId = Annotated[str, msgspec.Meta(min_length=1, max_length=64, description="The number of a job.")]


class ColumnView(Output, frozen=True):
    name: str
    type: str


class TaskView(Output, frozen=True):
    """A task of a flow."""

    name: str
    status: str
    job_id: str = ""


class LogLine(Output, frozen=True):
    time: str
    type: str
    message: str


class JobSummary(Output, frozen=True):
    job_id: str
    status: str
    component_id: str
    config_id: str = ""
    created: str = ""
    seconds: int | None = None
    message: str = ""


class JobView(Output, frozen=True):
    job: JobSummary
    is_finished: bool
    tables: list[str] = []
    """Those that it has written."""
    tasks: list[TaskView] = []
    log: list[LogLine] = []
    """The last lines, oldest first."""
    next: dict[str, object] | None = None
    hint: str = ""


def summarize_job(job: Job) -> JobSummary:
    return JobSummary(
        job_id=job.id,
        status=job.status,
        component_id=job.component,
        config_id=job.config or "",
        created=job.created_time or "",
        seconds=job.duration_seconds,
        message=shorten(job.message, LINE_CHARACTERS),
    )


def log_view(events: list[Event]) -> list[LogLine]:
    return [
        LogLine(time=event.created, type=event.type, message=shorten(event.message, LINE_CHARACTERS))
        for event in events
    ]
