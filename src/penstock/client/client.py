"""The client of one project in a stack."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from types import TracebackType
from typing import Any, Self

from penstock.client.apps import Apps
from penstock.client.components import Components
from penstock.client.configurations import Configurations
from penstock.client.discovery import ROOT, Discovery, read_storage_url
from penstock.client.files import Files
from penstock.client.frames import TableData, write_table
from penstock.client.jobs import Jobs, Schedules
from penstock.client.loads import Storage
from penstock.client.models import Apis, Event, Job, JobWish, Preview, Table
from penstock.client.project import Project, VerifiedToken
from penstock.client.sql import Queries, SqlResult
from penstock.client.sql.queries import DUCKDB
from penstock.client.sql.workspace import Workspaces
from penstock.client.storage_jobs import StorageJobs
from penstock.client.tables import Tables
from penstock.client.tokens import Tokens
from penstock.client.transport import PAUSES, Transport
from penstock.client.usage import Billing
from penstock.foundation.outbound import Policy

OnEvent = Callable[[Event], None]
OnPoll = Callable[[Job], None]

_EVENTS_AT_ONCE = 1000
_MIN_PAUSE, _MAX_PAUSE = 0.2, 2.0


def connect(
    url: str, token: str, *, project: str = "", policy: Policy | None = None, pauses: Sequence[float] = PAUSES
) -> Client:
    """Connect to a stack by the address of its storage. No request is sent before it is needed.

    A personal access token opens any project of its owner, so `project` has the number of the one that is meant.
    `policy` controls outgoing connections, by default from the environment (proxy, certificates); `pauses` are the
    seconds before each retry of a GET, so an empty one disables retries.
    """
    transport = Transport(token.strip(), policy or Policy.from_environment(), pauses, project)
    return Client(Discovery(read_storage_url(url), transport), transport)


class Client:
    """Created by connect(). Use it in a `with` block, or close() it."""

    def __init__(self, discovery: Discovery, transport: Transport) -> None:
        self._discovery, self._transport = discovery, transport
        self._storage = f"{discovery.storage_url}{ROOT}"
        self.tokens = Tokens(discovery.storage_url, transport)
        self.configurations = Configurations(discovery.storage_url, transport)
        self.components = Components(self.url_of, transport)
        self.storage_jobs = StorageJobs(discovery.storage_url, transport)
        self.files = Files(discovery.storage_url, transport)
        self.tables = Tables(Storage(self._storage, transport, self.files, self.storage_jobs))
        self.queries = Queries(self.url_of, Workspaces(discovery.storage_url, transport), transport)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        self._transport.close()

    def url_of(self, service_id: str) -> str:
        """The address of a service, from the storage index."""
        return self._discovery.url_of(service_id)

    def list_apis(self) -> Apis:
        """The portal's index: each service with its address and the exact address of its specification."""
        return self._discovery.apis

    def read_specification(self, service_id: str) -> bytes:
        """The OpenAPI document of a service from the portal; the suffix of its address determines JSON or YAML."""
        return self._transport.get_bytes(self._discovery.api_of(service_id).open_api_spec_url)

    @property
    def project(self) -> Project:
        """The project of the token."""
        verified = self._transport.get(f"{self._storage}/tokens/verify", VerifiedToken)
        return Project(verified.owner, self.tables)

    def _repr_html_(self) -> str:
        """Notebooks show the project."""
        return self.project.to_html()

    @property
    def jobs(self) -> Jobs:
        """Every job of the project; the address of the queue is looked up on first use."""
        return Jobs(self.url_of("queue"), self._transport)

    @property
    def schedules(self) -> Schedules:
        """The address of the scheduler is looked up on first use."""
        return Schedules(self.url_of("scheduler"), self._transport)

    @property
    def apps(self) -> Apps:
        """The registry of components; the token is one for it, and not one of a project."""
        return Apps(self.url_of("developer"), self._transport)

    @property
    def billing(self) -> Billing:
        """The credits of the project, and what it used."""
        return Billing(self.url_of("billing"), self._transport)

    def run_job(self, component: str, config: str, mode: str = "run") -> Job:
        """Create a job. It is not retried: after a lost response, a retry could start a second one."""
        return self.jobs.create(JobWish(component=component, config=config, mode=mode))

    def get_job(self, job_id: str) -> Job:
        return self.jobs.get(job_id)

    def wait(self, job: Job, on_event: OnEvent | None = None, on_poll: OnPoll | None = None) -> Job:
        """Wait until the job has ended. Meanwhile `on_event` is called with each line of its log, in order, and
        `on_poll` with the job after each look at it."""
        last_id, pause = 0, _MIN_PAUSE
        while True:
            # The job first: events from before its end are then certainly included.
            job = self.get_job(job.id)
            seen_id = self._deliver(job.events_id, last_id, on_event) if on_event else last_id
            if job.is_finished:
                return job
            if on_poll:
                on_poll(job)
            pause = _MIN_PAUSE if seen_id > last_id else min(pause * 1.3, _MAX_PAUSE)
            last_id = seen_id
            time.sleep(pause)

    def read_events(self, run_id: str, since_id: int = 0) -> Iterator[Event]:
        """Events of a run after the event `since_id`, oldest first."""
        is_full = True
        while is_full:
            events = self._read_some_events(run_id, since_id)
            yield from events
            is_full = len(events) == _EVENTS_AT_ONCE
            since_id = int(events[-1].id) if events else since_id

    def read_last_events(self, run_id: str, count: int) -> list[Event]:
        """The newest events, oldest first."""
        events = self._transport.get(f"{self._storage}/events", list[Event], {"runId": run_id, "limit": count})
        return sorted(events, key=lambda event: int(event.id))

    def list_tables(self) -> list[Table]:
        return self.tables.list()

    def get_table(self, table_id: str) -> Table:
        return self.tables.get(table_id)

    def preview(self, table_id: str, limit: int = 100) -> Preview:
        """The first rows of a table."""
        return self.tables.preview(table_id, limit)

    def table(self, table_id: str) -> TableData:
        """The rows of a table for Arrow, pandas, Polars or DuckDB: `client.table("in.c-shop.orders").to_arrow()`."""
        return TableData(self.tables, table_id)

    def sql(self, statement: str, *, dialect: str = DUCKDB, timeout: float | None = None) -> SqlResult:
        """Run a statement over the tables of the project: `client.sql('FROM "in.c-shop"."orders"').to_arrow()`.

        It runs in a workspace of the project that is created at the first use. Statements of one client share a
        session. `dialect` is `duckdb` or `snowflake`, and `timeout` is in seconds.
        """
        return self.queries.run(statement, dialect, timeout)

    def write_table(
        self, data: Any, table_id: str, *, primary_key: Sequence[str] = (), incremental: bool = False
    ) -> Table:
        """Write an Arrow table, a pandas or Polars data frame, or a DuckDB relation, with the types of its columns.

        A missing table is created, with its bucket. The rows replace those of the table; with `incremental` they are
        added, and replace rows with the same primary key.
        """
        return write_table(self.tables, data, table_id, primary_key, incremental)

    def _deliver(self, run_id: str, last_id: int, on_event: OnEvent) -> int:
        for event in self.read_events(run_id, last_id):
            on_event(event)
            last_id = int(event.id)
        return last_id

    def _read_some_events(self, run_id: str, since_id: int) -> list[Event]:
        query = {"runId": run_id, "sinceId": since_id, "sortOrder": "asc", "limit": _EVENTS_AT_ONCE}
        events = self._transport.get(f"{self._storage}/events", list[Event], query)
        return sorted(events, key=lambda event: int(event.id))
