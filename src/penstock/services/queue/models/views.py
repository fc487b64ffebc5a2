"""A job as clients see it; strict ones want every key to be there."""

from __future__ import annotations

from datetime import datetime
from typing import Any, Protocol

import msgspec

from penstock.foundation import clock
from penstock.services.queue.models.jobs import JobRow


class ProjectRef(msgspec.Struct, frozen=True):
    id: str
    name: str


class TokenRef(msgspec.Struct, frozen=True):
    id: str
    description: str


class Job(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    id: str
    """Id of the job."""
    run_id: str
    """The ids of the jobs that it is a part of and its own, with dots between them."""
    parent_run_id: str
    """Run id of the job that it is a part of; empty if there is none."""
    project: ProjectRef
    """The project that it runs in."""
    token: TokenRef
    """The token that created it."""
    status: str
    """`created`, `waiting`, `processing` or `terminating`; once it has ended `success`, `warning`, `error`, `cancelled`
    or `terminated`."""
    desired_status: str
    """`processing`, or `terminating` after a request to stop it."""
    mode: str
    """`run`, `forceRun` or `debug`."""
    component: str
    """Id of the component."""
    config: str | None
    """Id of the stored configuration that it runs."""
    config_data: Any
    """The configuration that it was given instead of the stored one. Secrets are ciphers."""
    config_row_ids: list[str]
    """Ids of the only rows that it runs. Empty: all enabled rows."""
    tag: str | None
    """Version of the component."""
    created_time: str
    """When it was created."""
    start_time: str | None
    """When it began."""
    end_time: str | None
    """When it ended."""
    delayed_start_time: str | None
    """The earliest time of its start, if it was delayed."""
    duration_seconds: int
    """How long it has run, in seconds. Waiting does not count."""
    result: Any
    """What came of it: `message`, the `input` and `output` tables with their columns, of a flow its `tasks`, and of a
    failed job the `error`."""
    usage_data: list[Any]
    """What the component counted, as it wrote it."""
    is_finished: bool
    """Whether it has ended. Poll until it has."""
    url: str
    """Address of the job, to poll it."""
    branch_id: str
    """Id of the branch that it runs in."""
    variable_values_id: str | None
    """Id of the row whose values of variables it uses."""
    variable_values_data: dict[str, Any]
    """Values of variables that it was given."""
    backend: dict[str, Any]
    """Size of its backend: `type`, `containerType` and `context`, as far as they were set."""
    executor: str | None
    """The executor that was asked for."""
    metrics: dict[str, Any]
    """Bytes of its input and output tables, and the size of its backend."""
    behavior: dict[str, str | None]
    """What a flow does if it fails, in `onError`."""
    parallelism: str | None
    """How many rows run side by side: a number or `infinity`."""
    type: str
    """`standard`; `container` runs the rows of a configuration as jobs of their own; the other kinds are flows, their
    phases and their retries."""
    orchestration_job_id: str | None
    """Id of the job of the flow that it is a part of."""
    orchestration_task_id: str | None
    """Id of its task in the flow."""
    previous_job_id: str | None
    """Id of the earlier job whose tasks are not run again."""
    only_orchestration_task_ids: list[str] | None
    """Ids of the only tasks of the flow that run."""


class JobGroup(msgspec.Struct, frozen=True):
    """Jobs, with what they have in common."""

    group: dict[str, str | None]
    """What the jobs have in common."""
    jobs: list[Job]
    """The newest jobs of the group."""


def job_view(job: JobRow, project_name: str, queue_url: str) -> Job:
    return Job(
        id=str(job.id),
        run_id=job.run_id,
        parent_run_id=job.parent_run_id,
        project=ProjectRef(str(job.project_id), project_name),
        token=TokenRef(str(job.token_id), job.token_description),
        status=job.status,
        desired_status=job.desired_status,
        mode=job.mode,
        component=job.component,
        config=job.config,
        config_data=msgspec.Raw(job.config_data or b"{}"),
        config_row_ids=job.config_row_ids,
        tag=job.tag,
        created_time=to_text(job.created_time),
        start_time=to_text(job.start_time) if job.start_time else None,
        end_time=to_text(job.end_time) if job.end_time else None,
        delayed_start_time=to_text(job.delayed_start_time) if job.delayed_start_time else None,
        duration_seconds=duration_of(job),
        result=msgspec.Raw(job.result),
        usage_data=job.usage_data,
        is_finished=job.is_finished,
        url=f"{queue_url}/jobs/{job.id}",
        branch_id=str(job.branch_id),
        variable_values_id=job.variable_values_id,
        variable_values_data=job.variable_values_data or {"values": []},
        backend=job.backend,
        executor=job.executor,
        metrics=job.metrics,
        behavior={"onError": job.on_error},
        parallelism=job.parallelism,
        type=job.type,
        orchestration_job_id=job.orchestration_job_id,
        orchestration_task_id=job.orchestration_task_id,
        previous_job_id=job.previous_job_id,
        only_orchestration_task_ids=job.only_orchestration_task_ids,
    )


class Timed(Protocol):
    """A job, or what is known of one."""

    @property
    def start_time(self) -> datetime | None: ...
    @property
    def end_time(self) -> datetime | None: ...


def duration_of(job: Timed) -> int:
    """Seconds since it began, or from its beginning to its end."""
    if not job.start_time:
        return 0
    return int(((job.end_time or clock.now()) - job.start_time).total_seconds())


def to_text(moment: datetime) -> str:
    """Queue writes the offset with a colon, unlike Storage."""
    return moment.isoformat(timespec="seconds")
