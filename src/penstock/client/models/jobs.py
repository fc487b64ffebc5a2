"""Jobs of the queue with their events, and jobs of Storage."""

from __future__ import annotations

from typing import Any

import msgspec

from penstock.client.html import facts_html
from penstock.foundation.structs import Wire


class OutputTable(Wire, frozen=True):
    id: str


class Tables(Wire, frozen=True):
    tables: list[OutputTable] = []


class Task(Wire, frozen=True):
    """A task of a flow, with its result."""

    id: str
    name: str = ""
    phase: str | None = None
    status: str = ""
    component: str = ""
    job_id: str | None = None
    duration: int | None = None


class Result(Wire, frozen=True):
    """The result of a job. Some stacks send an empty object as `[]`."""

    message: str | None = None
    input: Tables | list[Any] | None = None
    output: Tables | list[Any] | None = None
    tasks: list[Task] | None = None


class JobWish(Wire, frozen=True, omit_defaults=True):
    """A job to create; the documentation of the queue explains the fields."""

    mode: str
    component: str
    config: str | None = None
    config_data: Any = None
    config_row_ids: list[str] = []
    branch_id: str | None = None
    tag: str | None = None
    variable_values_id: str | None = None
    variable_values_data: Any = None
    backend: Any = None
    executor: str | None = None
    parallelism: str | None = None
    only_orchestration_task_ids: list[str] = []
    previous_job_id: str | None = None


class Job(Wire, frozen=True):
    id: str
    status: str
    component: str
    config: str | None = None
    mode: str = "run"
    type: str = "standard"
    run_id: str = ""
    parent_run_id: str = ""
    config_data: Any = None
    config_row_ids: list[str] | None = None
    branch_id: str | None = None
    tag: str | None = None
    variable_values_id: str | None = None
    variable_values_data: Any = None
    backend: Any = None
    executor: str | None = None
    parallelism: str | None = None
    only_orchestration_task_ids: list[str] | None = None
    created_time: str | None = None
    start_time: str | None = None
    end_time: str | None = None
    duration_seconds: int | None = None
    is_finished: bool = False
    result: Any = None
    """As the stack sends it: empty, in one of several forms, until the job has ended."""

    @property
    def is_success(self) -> bool:
        return self.status == "success"

    @property
    def events_id(self) -> str:
        """The id that selects the log of this job; for a flow, together with the logs of its tasks."""
        return self.run_id or self.id

    @property
    def message(self) -> str:
        return self._ending.message or ""

    @property
    def tables(self) -> list[OutputTable]:
        """The tables that the job has written."""
        return _tables(self._ending.output)

    @property
    def tables_read(self) -> list[OutputTable]:
        return _tables(self._ending.input)

    @property
    def tasks(self) -> list[Task]:
        """The tasks of a flow."""
        return self._ending.tasks or []

    @property
    def _ending(self) -> Result:
        return msgspec.convert(self.result or {}, Result)

    def _repr_html_(self) -> str:
        """Notebooks show this."""
        facts: dict[str, object] = {
            "Status": self.status,
            "Component": self.component,
            "Configuration": self.config,
            "Created": self.created_time,
            "Started": self.start_time,
            "Ended": self.end_time,
            "Seconds": self.duration_seconds,
            "Tables": ", ".join(table.id for table in self.tables),
            "Message": self.message,
        }
        return facts_html(f"Job {self.id}", facts)


def _tables(part: Tables | list[Any] | None) -> list[OutputTable]:
    return part.tables if isinstance(part, Tables) else []


class Event(Wire, frozen=True):
    id: str
    message: str
    type: str = "info"
    component: str = ""
    run_id: str | None = None
    created: str = ""


class StorageJobError(Wire, frozen=True):
    message: str = ""
    code: str = ""


class StorageJob(Wire, frozen=True):
    """A load, an export or another change of tables."""

    id: int
    status: str
    operation_name: str = ""
    table_id: str | None = None
    created_time: str | None = None
    start_time: str | None = None
    end_time: str | None = None
    error: StorageJobError | None = None
    results: Any = None

    @property
    def is_finished(self) -> bool:
        return self.status in ("success", "error")
