"""A worker that ends when there is nothing left to do, and then says how long its claims took.

worker FOLDER DATABASE LAUNCHER NAME
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable

import msgspec

from penstock.app import open_from
from penstock.components.component import Component
from penstock.foundation.jobs.worker import WorkPoller
from penstock.foundation.outbound import Policy
from penstock.foundation.stack import Stack
from penstock.runtime.launch import Launch, ProcessExit
from penstock.runtime.launchers import Launcher
from penstock.runtime.launchers.local import LocalLauncher
from penstock.runtime.process import Process
from penstock.services.queue.models.jobs import JobRow
from penstock.services.queue.models.results import Result
from penstock.services.queue.models.statuses import Status
from penstock.services.queue.reports.job_events import caller_of
from penstock.services.queue.running.leases import JobOutcome, finish_job
from penstock.services.queue.worker import Worker
from penstock.settings import Settings


class Nothing:
    """A launcher that starts nothing: all that is left is the queue's own work."""

    warning = ""

    def start(self, launch: Launch, on_line: Callable[[str], object], clean: object = None) -> Nothing:
        return self

    def wait(self, timeout: float | None = None) -> ProcessExit:
        return ProcessExit(exit_code=0)

    def stop(self) -> None:
        """There is nothing to stop."""


class Truth:
    """Starts `/bin/true` in place of whatever is asked for."""

    warning = ""

    def __init__(self) -> None:
        self._local = LocalLauncher()

    def start(self, launch: Launch, on_line: Callable[[str], object], clean: object = None) -> Process:
        return self._local.start(msgspec.structs.replace(launch, command=("/bin/true",)), on_line)


LAUNCHERS: dict[str, Callable[[], Launcher]] = {"bare": Nothing, "nothing": Nothing, "true": Truth}


class Timed(Worker):
    """Ends with the last job, instead of waiting for more."""

    def __init__(self, stack: Stack, name: str, choose: Callable[[Component], Launcher]) -> None:
        super().__init__(stack, name, choose)
        self.claims: list[float] = []

    def claim(self) -> JobRow | None:
        began = time.perf_counter()
        job = super().claim()
        if job:
            self.claims.append(time.perf_counter() - began)
        return job

    def _should_claim(self, poller: WorkPoller) -> bool:
        is_due = super()._should_claim(poller)
        if not is_due:
            self.stop()
        return is_due


class Bare(Timed):
    """Claims a job and finishes it, ledger included, and does nothing between."""

    def perform(self, job: JobRow) -> None:
        outcome = JobOutcome(status=Status.SUCCESS, result=Result(message="Ended."))
        finish_job(self._stack, caller_of(job), job, outcome)


def main(folder: str, database: str, kind: str, name: str) -> None:
    stack = open_from(Settings(data_dir=folder, jobs_per_project=100_000, database=database or None), Policy())
    launcher = LAUNCHERS[kind]()
    worker = (Bare if kind == "bare" else Timed)(stack, name, lambda _component: launcher)
    begin = time.time()
    worker.run()
    print(json.dumps({"begin": begin, "end": time.time(), "claims": worker.claims}))


if __name__ == "__main__":
    main(*sys.argv[1:])
