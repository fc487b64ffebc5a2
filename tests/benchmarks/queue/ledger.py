"""What the ledger adds to the end of a job: jobs are ended by hand, every second one without an entry."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from datetime import timedelta
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, Any

import msgspec

from penstock.app import open_from
from penstock.foundation import clock
from penstock.foundation.outbound import Policy
from penstock.foundation.stack import Stack
from penstock.server.first_project import ensure_project
from penstock.services.billing import interface as billing
from penstock.services.management import interface as management
from penstock.services.queue.models.jobs import JobRow
from penstock.services.queue.models.requests import JobRequest
from penstock.services.queue.models.results import Result
from penstock.services.queue.models.statuses import Status
from penstock.services.queue.operations.creation import create_job
from penstock.services.queue.reports.job_events import caller_of
from penstock.services.queue.running import leases
from penstock.services.queue.store import jobs
from penstock.services.storage import interface as storage
from penstock.settings import Settings
from tests.benchmarks.lines import Line
from tests.support.postgresql import PostgresServer

if TYPE_CHECKING:
    from tests.benchmarks.queue.work import Desk

JOBS, ENTRIES, LIMIT = 400, 20_000, 1.0
OUTCOME = leases.JobOutcome(status=Status.SUCCESS, result=Result(message="Ended."))


def measure_ledger(desk: Desk) -> Iterator[Line]:
    yield from _measure(desk.folder / "ledger-sqlite", None, "SQLite")
    server = PostgresServer(is_durable=True)
    try:
        yield from _measure(desk.folder / "ledger-postgresql", server.make_database(), "PostgreSQL")
    finally:
        server.close()


def _measure(folder: Path, database: str | None, where: str) -> Iterator[Line]:
    stack = open_from(Settings(data_dir=str(folder), database=database), Policy())
    project_id = ensure_project(stack).id
    with stack.database.writing() as tx:
        management.set_feature(tx, project_id, management.PAY_AS_YOU_GO, is_on=True)
    few = _compare(stack)
    _fill(stack, project_id)
    many = _compare(stack)
    stack.close()
    yield Line(f"{where}: the ledger at the end of a job, p50", few, LIMIT, unit="ms")
    yield Line(f"{where}: the same with {ENTRIES:,} entries before", many, LIMIT, unit="ms")


def _compare(stack: Stack) -> float:
    """Milliseconds between the medians with and without an entry."""
    charge: Callable[..., Any] = leases.charge_job
    taken: dict[bool, list[float]] = {True: [], False: []}
    try:
        for number, job in enumerate(_add_jobs(stack)):
            is_charged = number % 2 == 0
            leases.charge_job = charge if is_charged else _nothing
            began = time.perf_counter()
            leases.finish_job(stack, caller_of(job), job, OUTCOME)
            taken[is_charged].append(1000 * (time.perf_counter() - began))
    finally:
        leases.charge_job = charge
    return max(median(taken[True]) - median(taken[False]), 0.0)


def _nothing(*_args: object) -> None:
    """In place of an entry."""


def _add_jobs(stack: Stack) -> list[JobRow]:
    caller = storage.authenticate(stack, ensure_project(stack).token)
    wanted = JobRequest(component="keboola.runner-config-test", config_data={"parameters": {"operation": "list"}})
    start = clock.now() - timedelta(seconds=5)
    with stack.database.writing() as tx:
        made = [create_job(tx, caller, stack, wanted) for _ in range(JOBS)]
        running = {"status": Status.PROCESSING, "worker": "bench", "attempt": 1, "start_time": start}
        return [jobs.change_job(tx, job, **running) for job in made]


def _fill(stack: Stack, project_id: int) -> None:
    used = billing.Used(project_id=project_id, kind=billing.Kind.JOB, reference="", duration=1, component="any")
    for begin in range(0, ENTRIES, 1000):
        with stack.database.writing(project_id) as tx:
            for number in range(begin, begin + 1000):
                billing.charge(tx, stack, msgspec.structs.replace(used, reference=f"before-{number}"))
