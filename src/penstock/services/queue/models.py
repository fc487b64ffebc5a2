"""What Queue receives, keeps and returns."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum
from typing import Any

import msgspec
from msgspec import UNSET, UnsetType


class Status(StrEnum):
    """created → processing → success or error; waiting while the same configuration runs."""

    CREATED = "created"
    WAITING = "waiting"
    PROCESSING = "processing"
    SUCCESS = "success"
    ERROR = "error"


MODES = ("run", "forceRun")
NOT_YET = {
    "config_row_ids": "configRowIds",
    "tag": "tag",
    "variable_values_id": "variableValuesId",
    "variable_values_data": "variableValuesData",
    "delay": "delay",
    "delayed_start_time": "delayedStartTime",
    "parallelism": "parallelism",
}


class NewJob(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """`[]` and null mean "not given". What this version cannot do is refused when it is asked for."""

    component: str = ""
    config: str | int | None = None
    config_data: dict[str, Any] | None = None
    mode: str = "run"
    branch_id: str | int | None = None
    parent_run_id: str = ""
    config_row_ids: Any = None
    tag: Any = None
    variable_values_id: Any = None
    variable_values_data: Any = None
    delay: Any = None
    delayed_start_time: Any = None
    parallelism: Any = None


class JobRow(msgspec.Struct, frozen=True, kw_only=True):
    """A job as it is kept. `attempt` counts its runs and is the fencing token: only the newest one may change it."""

    id: int
    project_id: int
    branch_id: int
    run_id: str
    token_id: int
    token_description: str
    mode: str
    component: str
    config: str | None
    config_data: bytes | None
    status: Status
    is_finished: bool
    result: bytes
    created_time: datetime
    start_time: datetime | None = None
    end_time: datetime | None = None
    attempt: int = 0
    worker: str | None = None
    lease_until: datetime | None = None
    deaths: int = 0
    """How many workers stopped renewing their lease on it."""
    collected_attempt: int | None = None
    """The attempt whose output is complete on disk; a later attempt only loads it."""


class ProjectRef(msgspec.Struct, frozen=True):
    id: str
    name: str


class TokenRef(msgspec.Struct, frozen=True):
    id: str
    description: str


class Job(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """A job as clients see it; strict ones want every key to be there."""

    id: str
    run_id: str
    parent_run_id: str
    project: ProjectRef
    token: TokenRef
    status: str
    mode: str
    component: str
    config: str | None
    config_data: Any
    created_time: str
    start_time: str | None
    end_time: str | None
    duration_seconds: int
    result: Any
    is_finished: bool
    url: str
    branch_id: str
    desired_status: str = "processing"
    config_row_ids: list[str] = []
    tag: str | None = None
    delayed_start_time: str | None = None
    usage_data: list[Any] = []
    variable_values_id: str | None = None
    variable_values_data: dict[str, list[Any]] = msgspec.field(default_factory=lambda: {"values": []})
    backend: dict[str, Any] = {}
    executor: str | None = None
    metrics: dict[str, Any] = {}
    behavior: dict[str, str | None] = msgspec.field(default_factory=lambda: {"onError": None})
    parallelism: str | None = None
    type: str = "standard"
    orchestration_job_id: str | None = None
    orchestration_task_id: str | None = None
    previous_job_id: str | None = None
    only_orchestration_task_ids: list[str] | None = None


class OutputTable(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    id: str
    name: str
    display_name: str
    columns: list[dict[str, str]]
    metrics: list[dict[str, Any]]


class Output(msgspec.Struct, frozen=True):
    tables: list[OutputTable] = []


class Failure(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    type: str
    exception_id: str


class Result(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """How a job ended."""

    message: str
    config_version: str | UnsetType = UNSET
    output: Output = Output()
    error: Failure | UnsetType = UNSET
