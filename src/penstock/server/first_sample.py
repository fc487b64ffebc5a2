"""Runs the sample when a new data folder is started for the first time, so that the console has something to show."""

from __future__ import annotations

import threading
from collections.abc import Callable

from penstock.foundation.callers import Caller
from penstock.foundation.errors import AppError
from penstock.foundation.logging import Log
from penstock.foundation.stack import Stack
from penstock.foundation.stacks import QUEUE
from penstock.server.first_project import SAMPLE_COMPONENT, FirstProject
from penstock.services.queue import interface as queue
from penstock.services.storage import interface as storage

log = Log("stack")

CONFIGURATION, TABLE = "sample-customers", "in.c-sample.customers"
POLL_SECONDS = 0.2


class FirstSample:
    """One job, which is created once the stack responds; its end is reported in one line."""

    def __init__(self, stack: Stack, project: FirstProject, report: Callable[[str], object]) -> None:
        self._stack, self._project, self._report = stack, project, report
        self._stopped = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True, name="first-sample")

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        """Stop waiting for the job, which continues at the next start."""
        self._stopped.set()
        if self._thread.ident is not None:
            self._thread.join()

    def _run(self) -> None:
        try:
            caller = storage.authenticate(self._stack, self._project.token)
            with self._stack.database.writing(self._project.id) as tx:
                request = queue.NewJob(component=SAMPLE_COMPONENT, config=CONFIGURATION, mode="run")
                job = queue.create_job(tx, self._stack, caller, request)
            self._stack.notify_workers(QUEUE)
            while not job.is_finished and not self._stopped.wait(POLL_SECONDS):
                with self._stack.database.reading() as tx:
                    job = queue.get_job(tx, caller, str(job.id))
            if job.is_finished:
                self._report(self._describe(job, caller))
        except AppError as error:
            log.warning("run of the sample failed", reason=str(error))

    def _describe(self, job: queue.Job, caller: Caller) -> str:
        if job.status != "success":
            return f"The sample was not loaded: {job.message}"
        table, _ = storage.get_table(self._stack, caller, TABLE, "")
        return f"Loaded {TABLE}: {table.rows_count} rows"
