"""A job as it is kept."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum
from typing import Any

import msgspec

from penstock.services.queue.models.statuses import Status


class Kind(StrEnum):
    """What a job does: it runs a component, or it is made of other jobs, its children."""

    STANDARD = "standard"
    CONTAINER = "container"
    ORCHESTRATION = "orchestrationContainer"
    PHASE = "phaseContainer"
    RETRY = "retryContainer"


class JobRow(msgspec.Struct, frozen=True, kw_only=True):
    """`attempt` counts its runs and is the fencing token: only the newest one may change it."""

    id: int
    project_id: int
    branch_id: int
    has_storage_branches: bool = False
    """Whether branches had their own storage when the job was created; its children are created as it was."""
    run_id: str
    parent_run_id: str = ""
    parent_id: int | None = None
    """The job that this one is a part of, and that is told when it ends."""
    token_id: int
    token_description: str
    mode: str
    component: str
    component_type: str = ""
    config: str | None
    config_data: bytes | None
    config_version: int | None = None
    """Of the stored configuration when the job was created."""
    config_row_ids: list[str] = []
    tag: str | None = None
    type: Kind = Kind.STANDARD
    status: Status
    desired_status: Status = Status.PROCESSING
    is_finished: bool
    is_held: bool = False
    """Whether the job that it is a part of has not let it begin yet."""
    lock_key: str | None = None
    """Of the unfinished jobs of a project and branch with one key, only the oldest runs."""
    result: bytes
    progress: bytes | None = None
    """How far it has come, for the worker that continues it: see models/progress.py and flows/."""
    usage_data: list[Any] = []
    metrics: dict[str, Any] = {}
    rows_written: int = 0
    """Rows that it has loaded into tables; 0 until it has ended."""
    variable_values_id: str | None = None
    variable_values_data: dict[str, Any] = {}
    backend: dict[str, Any] = {}
    executor: str | None = None
    parallelism: str | None = None
    on_error: str | None = None
    """What its failure does to the job that it is a part of."""
    orchestration_job_id: str | None = None
    orchestration_task_id: str | None = None
    orchestration_phase_id: str | None = None
    only_orchestration_task_ids: list[str] | None = None
    previous_job_id: str | None = None
    deduplication_id: str | None = None
    delayed_start_time: datetime | None = None
    created_time: datetime
    updated_time: datetime | None = None
    start_time: datetime | None = None
    end_time: datetime | None = None
    attempt: int = 0
    worker: str | None = None
    lease_until: datetime | None = None
    lost_leases: int = 0
    """How many workers stopped renewing their lease on it."""
