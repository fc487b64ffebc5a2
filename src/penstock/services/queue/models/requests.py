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
    """The job to create. `[]` and null mean that a field is not set; fields that are not listed here are ignored."""

    # As clients write it: parsing.py reads what may be written in several ways.

    component: str = ""
    """Id of the component to run, such as `ex-generic-v2`. Required."""
    config: Name = None
    """Id of the stored configuration to run. Required, unless `configData` is given."""
    config_data: dict[str, Any] | None = None
    """A configuration that is run instead of the stored one. With it, `configRowIds` is ignored, and `config` only
    names the default bucket and what the job locks."""
    config_row_ids: Annotated[Sequence[str | int], msgspec.Meta(max_length=ROWS)] | None = None
    """Ids of the rows to run, even if they are disabled. Without them, all enabled rows run."""
    mode: str = "run"
    """`run`; `forceRun` also runs a disabled configuration; `debug` writes no tables, and stores the data folder of
    each step as a file."""
    tag: str | int | float | None = None
    """Version of the component to run, instead of the one that the configuration or the component says."""
    branch_id: Name = None
    """Id of the branch, or `default`. Without it, the job runs in Main."""
    variable_values_id: Name = None
    """Id of the row of a `keboola.variables` configuration whose values are used. Not together with
    `variableValuesData`."""
    variable_values_data: dict[str, Any] | None = None
    """Values of variables: `{"values": [{"name": "day", "value": "2026-01-31"}]}`. Not together with
    `variableValuesId`."""
    backend: str | dict[str, Any] | None = None
    """Size of the backend: `xsmall`, `small`, `medium` or `large`; or an object with `type`, `containerType` and
    `context`."""
    executor: str | None = None
    """`dind` or `k8sContainers`. It is stored and returned, and changes nothing."""
    parallelism: Name = None
    """How many rows run side by side: a number, or `infinity`. 0 runs one after another."""
    behavior: dict[str, Any] | None = None
    """What a flow does if this part of it fails: `{"onError": "stop"}`, `"warning"` or `"fail"`."""
    delay: Name = None
    """Seconds until the job may start. Not together with `delayedStartTime`."""
    delayed_start_time: Name = None
    """The earliest time of the start, such as `2026-01-31T10:00:00+00:00`."""
    orchestration_job_id: Name = None
    """Id of the job of the flow that this job is a part of. Flows set it."""
    orchestration_task_id: Name = None
    """Id of the task of the flow. Flows set it."""
    orchestration_phase_id: Name = None
    """Id of the phase of the flow. Flows set it."""
    only_orchestration_task_ids: Tasks[Scalar] | None = None
    """Ids of the only tasks of a flow to run. Conditions of the flow are then ignored."""
    previous_job_id: Name = None
    """Id of an earlier job of the same flow: tasks that succeeded in it are not run again."""
    parent_run_id: str | None = None
    """Run id of the job that this one is a part of. The header `X-KBC-RunId` means the same."""
    deduplication_id: Name = None
    """While a job with this text is not finished, another one with it is refused."""


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
