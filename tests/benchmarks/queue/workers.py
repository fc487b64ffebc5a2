"""A thousand jobs and four worker processes: with nothing to do, and with a child each; on both databases."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from penstock.app import open_from
from penstock.foundation.outbound import Policy
from penstock.foundation.stack import Stack
from penstock.server.first_project import ensure_project
from penstock.services.queue.models.requests import JobRequest
from penstock.services.queue.operations.creation import create_job
from penstock.services.queue.store import jobs
from penstock.services.storage import interface as storage
from penstock.settings import Settings
from tests.benchmarks.lines import Line
from tests.support.postgresql import PostgresServer

if TYPE_CHECKING:
    from tests.benchmarks.queue.work import Desk

JOBS, WORKERS = 1000, 4
TARGETS = {"nothing": 150, "true": 40}


def measure_workers(desk: Desk) -> Iterator[Line]:
    yield from _measure(desk.folder / "sqlite", lambda: None, "SQLite")
    server = PostgresServer(is_durable=True)
    try:
        yield from _measure(desk.folder / "postgresql", server.make_database, "PostgreSQL")
    finally:
        server.close()


def _measure(folder: Path, make_database: Callable[[], str | None], where: str) -> Iterator[Line]:
    for launcher, target in TARGETS.items():
        rate, claim = _run(folder / launcher, make_database(), launcher)
        name = f"{where}: {JOBS} jobs by {WORKERS} workers that start {launcher}, {rate:.0f} a second"
        yield Line(name, 1000 / rate, 1000 / target, unit="ms")
        yield Line(f"{where}: a claim meanwhile ({launcher}), p99", claim, 20, unit="ms")


def _run(folder: Path, database: str | None, launcher: str) -> tuple[float, float]:
    """Jobs a second, and milliseconds of a claim."""
    stack = open_from(Settings(data_dir=str(folder), jobs_per_project=2 * JOBS, database=database), Policy())
    _add_jobs(stack)
    reports = _work(folder, launcher, database)
    with stack.database.reading() as tx:
        assert not jobs.list_unfinished_ids(tx)
    stack.close()
    claims = sorted(taken for report in reports for taken in report["claims"])
    seconds = max(report["end"] for report in reports) - min(report["begin"] for report in reports)
    return JOBS / seconds, 1000 * claims[int(len(claims) * 0.99)]


def _add_jobs(stack: Stack) -> None:
    project = ensure_project(stack)
    caller = storage.authenticate(stack, project.token)
    wanted = JobRequest(component="keboola.runner-config-test", config_data={"parameters": {"operation": "list"}})
    with stack.database.writing() as tx:
        for _ in range(JOBS):
            create_job(tx, caller, stack, wanted)


def _work(folder: Path, launcher: str, database: str | None) -> list[dict[str, Any]]:
    program = [sys.executable, "-m", "tests.benchmarks.queue.worker", str(folder), database or "", launcher]
    workers = [
        subprocess.Popen([*program, f"worker-{number}"], stdout=subprocess.PIPE, text=True) for number in range(WORKERS)
    ]
    return [json.loads(worker.communicate()[0]) for worker in workers]
