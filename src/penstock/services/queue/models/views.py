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
    run_id: str
    parent_run_id: str
    project: ProjectRef
    token: TokenRef
    status: str
    desired_status: str
    mode: str
    component: str
    config: str | None
    config_data: Any
    config_row_ids: list[str]
    tag: str | None
    created_time: str
    start_time: str | None
    end_time: str | None
    delayed_start_time: str | None
    duration_seconds: int
    result: Any
    usage_data: list[Any]
    is_finished: bool
    url: str
    branch_id: str
    variable_values_id: str | None
    variable_values_data: dict[str, Any]
    backend: dict[str, Any]
    executor: str | None
    metrics: dict[str, Any]
    behavior: dict[str, str | None]
    parallelism: str | None
    type: str
    orchestration_job_id: str | None
    orchestration_task_id: str | None
    previous_job_id: str | None
    only_orchestration_task_ids: list[str] | None


class JobGroup(msgspec.Struct, frozen=True):
    """Jobs, with what they have in common."""

    group: dict[str, str | None]
    jobs: list[Job]


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
