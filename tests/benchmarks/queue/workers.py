"""A thousand jobs and four worker processes, on both databases: with nothing to do, beside a loop that only claims and
finishes them; and with a child each, beside as many sandboxes that nobody looks after."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from penstock.app import open_from
from penstock.foundation.outbound import Policy
from penstock.foundation.stack import Stack
from penstock.runtime.isolation import Wrapping, find_bubblewrap, wrap
from penstock.runtime.launch import Launch
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

JOBS, WORKERS, SANDBOXES = 1000, 4, 200
MAX_RATIO_OF_QUEUE, MAX_RATIO_OF_SANDBOX = 1 / 0.4, 1 / 0.3


def measure_workers(desk: Desk) -> Iterator[Line]:
    yield from _measure(desk.folder / "sqlite", lambda: None, "SQLite")
    server = PostgresServer(is_durable=True)
    try:
        yield from _measure(desk.folder / "postgresql", server.make_database, "PostgreSQL")
    finally:
        server.close()


def _measure(folder: Path, make_database: Callable[[], str | None], where: str) -> Iterator[Line]:
    bare, _ = _run(folder / "bare", make_database(), "bare")
    name = f"{where}: a job by {WORKERS} workers that start nothing; claimed and finished only"
    yield from _compare(folder / "nothing", make_database(), name, MAX_RATIO_OF_QUEUE, bare)
    name = f"{where}: a job by {WORKERS} workers that start true; true in a sandbox, one after the other"
    yield from _compare(folder / "true", make_database(), name, MAX_RATIO_OF_SANDBOX, _time_sandbox(folder))


def _compare(folder: Path, database: str | None, name: str, limit: float, beside: float) -> Iterator[Line]:
    taken, claim = _run(folder, database, folder.name)
    yield Line(f"{name}, {1000 / taken:.0f} a second", taken, limit, beside, unit="ms")
    yield Line(f"{name.split(':')[0]}: a claim meanwhile ({folder.name}), p99", claim, 20, unit="ms")


def _time_sandbox(folder: Path) -> float:
    """Return the milliseconds of `true` behind bubblewrap, with the mounts of a component."""
    bubblewrap, scratch = find_bubblewrap(), folder / "scratch"
    assert bubblewrap, "This machine allows no sandbox."
    for name in ("tmp", "shm"):
        (scratch / name).mkdir(parents=True)
    command = wrap(bubblewrap, Launch(command=("true",), folder=scratch), scratch, Wrapping())
    began = time.perf_counter()
    for _ in range(SANDBOXES):
        subprocess.run(command, check=True)
    return 1000 * (time.perf_counter() - began) / SANDBOXES


def _run(folder: Path, database: str | None, launcher: str) -> tuple[float, float]:
    """Return the milliseconds of a job and of a claim."""
    stack = open_from(Settings(data_dir=str(folder), jobs_per_project=2 * JOBS, database=database), Policy())
    _add_jobs(stack)
    reports = _work(folder, launcher, database)
    with stack.database.reading() as tx:
        assert not jobs.list_unfinished_ids(tx)
    stack.close()
    claims = sorted(taken for report in reports for taken in report["claims"])
    seconds = max(report["end"] for report in reports) - min(report["begin"] for report in reports)
    return 1000 * seconds / JOBS, 1000 * claims[int(len(claims) * 0.99)]


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
