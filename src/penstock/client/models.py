"""Responses of a stack, as far as the client reads them; unknown fields are ignored."""

from __future__ import annotations

from typing import Any

import msgspec

from penstock.client.html import facts_html, table_html


class Wire(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """camelCase outside, snake_case here."""


class Service(Wire, frozen=True):
    id: str
    url: str


class Index(Wire, frozen=True):
    """The storage's list of services, with their addresses."""

    services: list[Service]
    stack: str = ""


class Api(Wire, frozen=True):
    """A service in the portal's list. Specifications name servers of their own: `api_url` is the base to use."""

    id: str
    name: str
    api_url: str
    open_api_spec_url: str


class Apis(Wire, frozen=True):
    stack: str
    services: list[Api]


class ConfigurationRow(Wire, frozen=True):
    """A part of a configuration, with a document and a state of its own."""

    id: str
    name: str = ""
    description: str = ""
    is_disabled: bool = False
    version: int = 1
    configuration: Any = None
    state: Any = None


class Configuration(Wire, frozen=True):
    """`configuration` is the document. Secrets in it are encrypted; lists without documents leave it out."""

    id: str
    component: str = ""
    name: str = ""
    description: str = ""
    is_disabled: bool = False
    version: int = 1
    created: str | None = None
    change_description: str = ""
    configuration: Any = None
    state: Any = None
    rows: list[ConfigurationRow] = []
    rows_sort_order: list[str] = []


class Version(Wire, frozen=True):
    """A version of a configuration, without its document."""

    version: int
    created: str = ""
    change_description: str = ""


class Component(Wire, frozen=True):
    """A component; where it is listed for them, with its configurations."""

    id: str
    name: str = ""
    type: str = ""
    description: str = ""
    long_description: str = ""
    """Its documentation, with all settings and examples."""
    configuration_schema: dict[str, Any] = {}
    configuration_row_schema: dict[str, Any] = {}
    configurations: list[Configuration] = []


class NewRow(Wire, frozen=True, omit_defaults=True):
    """A row to create, or the new contents of one."""

    name: str
    description: str
    is_disabled: bool
    configuration: Any
    row_id: str = ""


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
        """What selects the log of this job; of a flow, together with the logs of its tasks."""
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
        """Of a flow."""
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


class NewSchedule(Wire, frozen=True):
    configuration_id: str


class ScheduleTimes(Wire, frozen=True):
    cron_tab: str
    timezone: str
    state: str


class ScheduleTarget(Wire, frozen=True):
    component_id: str
    configuration_id: str
    configuration_row_ids: list[str] = []
    mode: str = "run"
    tag: str = ""


class Execution(Wire, frozen=True):
    job_id: str
    execution_time: str


class ScheduleError(Wire, frozen=True):
    execution_time: str
    message: str


class Schedule(Wire, frozen=True):
    """A configuration that runs by cron."""

    id: str
    configuration_id: str
    configuration_version_id: str
    token_id: str
    schedule: ScheduleTimes
    target: ScheduleTarget
    executions: list[Execution] = []
    """The newest first."""
    next_runs: list[str] = []
    last_error: ScheduleError | None = None
    """Why the newest run has no job."""


class Event(Wire, frozen=True):
    id: str
    message: str
    type: str = "info"
    component: str = ""
    run_id: str | None = None
    created: str = ""


class NewToken(Wire, frozen=True, omit_defaults=True):
    """A token to create. Its only permissions: read or write buckets, run components."""

    description: str = ""
    bucket_permissions: dict[str, str] = {}
    component_access: list[str] = []
    can_manage_buckets: bool = False
    expires_in: int | None = None
    """Seconds."""


class Admin(Wire, frozen=True):
    """The member of the project that a token belongs to."""

    role: str = "admin"


class Token(Wire, frozen=True):
    id: str
    description: str = ""
    created: str | None = None
    expires: str | None = None
    is_master_token: bool = False
    is_expired: bool = False
    can_manage_buckets: bool = False
    can_manage_tokens: bool = False
    can_create_jobs: bool = False
    bucket_permissions: dict[str, str] = {}
    component_access: list[str] = []
    admin: Admin | None = None
    token: str | None = None
    """The secret; only in the response that created it."""


class ColumnType(Wire, frozen=True):
    """As Storage returns it, such as NUMBER with the length 38,0."""

    type: str = ""
    length: str | None = None
    nullable: bool = True


class Column(Wire, frozen=True):
    name: str
    definition: ColumnType | list[Any] | None = None
    basetype: str | None = None


class Definition(Wire, frozen=True):
    columns: list[Column] = []


class Table(Wire, frozen=True):
    id: str
    name: str
    rows_count: int | None = None
    data_size_bytes: int | None = None
    primary_key: list[str] = []
    columns: list[str] = []
    is_typed: bool = False
    is_alias: bool = False
    created: str | None = None
    last_import_date: str | None = None
    definition: Definition | None = None

    @property
    def types(self) -> dict[str, str]:
        """The base type of each column in order, such as INTEGER; all are STRING unless the table is typed."""
        known = {column.name: column.basetype for column in self.definition.columns} if self.definition else {}
        return {name: known.get(name) or "STRING" for name in self.columns}

    def _repr_html_(self) -> str:
        """Notebooks show this."""
        facts: dict[str, object] = {
            "Rows": self.rows_count,
            "Bytes": self.data_size_bytes,
            "Primary key": ", ".join(self.primary_key),
            "Last load": self.last_import_date,
        }
        return facts_html(self.id, facts) + table_html(("Column", "Type"), self.types.items())


class Cell(Wire, frozen=True):
    value: str | None
    is_truncated: bool = False


class Preview(Wire, frozen=True):
    """The first rows of a table. Very long values are truncated, which is indicated."""

    columns: list[str]
    cells: list[list[Cell]] = msgspec.field(name="rows")

    @property
    def rows(self) -> list[list[str]]:
        return [[cell.value or "" for cell in row] for row in self.cells]

    @property
    def is_truncated(self) -> bool:
        return any(cell.is_truncated for row in self.cells for cell in row)
