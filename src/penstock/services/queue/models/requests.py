"""A job that is asked for: as clients write it, and as everything after parsing.py works with it."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Annotated, Any

import msgspec

from penstock.foundation.limits import ROWS, Tasks

MODES = ("run", "forceRun", "debug")
SIZES = ("xsmall", "small", "medium", "large")
EXECUTORS = ("dind", "k8sContainers")
ON_ERROR = ("stop", "warning", "fail")

Scalar = str | int | float | bool
Name = str | int | None
"""An id that some clients write as a number."""


class NewJob(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """As it is written; parsing.py reads what may be written in several ways.

    `[]` and null mean "not given": one client sends every key. Keys that are not here are passed over.
    """

    component: str = ""
    config: Name = None
    config_data: dict[str, Any] | None = None
    config_row_ids: Annotated[Sequence[str | int], msgspec.Meta(max_length=ROWS)] | None = None
    mode: str = "run"
    tag: str | int | float | None = None
    branch_id: Name = None
    variable_values_id: Name = None
    variable_values_data: dict[str, Any] | None = None
    backend: str | dict[str, Any] | None = None
    executor: str | None = None
    parallelism: Name = None
    behavior: dict[str, Any] | None = None
    delay: Name = None
    delayed_start_time: Name = None
    orchestration_job_id: Name = None
    orchestration_task_id: Name = None
    orchestration_phase_id: Name = None
    only_orchestration_task_ids: Tasks[Scalar] | None = None
    previous_job_id: Name = None
    parent_run_id: str | None = None
    deduplication_id: Name = None


class JobRequest(msgspec.Struct, frozen=True, kw_only=True):
    """The same, parsed: every value is checked and has one form; what was left empty is None."""

    component: str
    config: str | None = None
    config_data: dict[str, Any] | None = None
    config_row_ids: list[str] = []
    mode: str = "run"
    tag: str | None = None
    branch_id: str | None = None
    variable_values_id: str | None = None
    variable_values: list[dict[str, str]] = []
    backend: dict[str, str] = {}
    executor: str | None = None
    parallelism: str | None = None
    on_error: str | None = None
    delayed_start_time: datetime | None = None
    orchestration_job_id: str | None = None
    orchestration_task_id: str | None = None
    orchestration_phase_id: str | None = None
    only_orchestration_task_ids: list[str] | None = None
    previous_job_id: str | None = None
    parent_run_id: str | None = None
    deduplication_id: str | None = None
