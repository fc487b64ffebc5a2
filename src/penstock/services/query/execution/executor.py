"""What a server process has for query jobs: it starts them, cancels them, and renews their leases while they run."""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable, Sequence
from functools import partial
from weakref import WeakSet

from penstock.foundation import clock
from penstock.foundation.callers import Caller
from penstock.foundation.database import Database
from penstock.foundation.errors import Unavailable
from penstock.foundation.jobs.claims import RENEW_SECONDS, worker_name
from penstock.foundation.logging import Log
from penstock.foundation.stack import Stack
from penstock.services.query import store
from penstock.services.query.execution.fair_pool import FairPool
from penstock.services.query.execution.job_run import JobContext, JobRun
from penstock.services.query.models.rows import JobRow, StatementRow
from penstock.services.storage import interface as storage

log = Log("query")

THREADS = 16
PER_PROJECT = 12
"""Some threads are left for other projects."""
BEAT_SECONDS = 1.0
CLOSE_SECONDS = 5.0
CANCEL_SECONDS = 0.1
"""Between two tries to stop a canceled job."""


class Executor:
    """One per process and stack: see executor_of()."""

    def __init__(self, stack: Stack) -> None:
        self._stack = stack
        self.name = worker_name("query")
        self._pool = FairPool(THREADS, PER_PROJECT)
        self._ended = threading.Condition()
        self._runs: dict[int, JobRun] = {}
        self._listeners: dict[int, WeakSet[Callable[[], None]]] = {}
        self._sessions: dict[str, deque[JobRun]] = {}
        """Sessions that are in use, with the jobs that wait for them: statements of a session run in their order."""
        self._heartbeat: threading.Thread | None = None
        self._wakeup, self._renew_at = threading.Event(), 0.0

    def has_room(self, project_id: int, session_id: str) -> bool:
        """Whether a job of this project and session would begin at once."""
        return session_id not in self._sessions and self._pool.has_room(project_id)

    def start(self, caller: Caller, workspace: storage.SqlWorkspace, job: JobRow, rows: Sequence[StatementRow]) -> None:
        """Run a job that is stored and committed. Returns at once."""
        run = JobRun(JobContext(self._stack, caller, workspace), job, rows)
        with self._ended:
            self._runs[job.id] = run
            if not self._heartbeat:
                self._heartbeat = threading.Thread(target=self._beat_while_busy, name="query leases", daemon=True)
                self._heartbeat.start()
            if job.session_id in self._sessions:
                self._sessions[job.session_id].append(run)
                return
            self._sessions[job.session_id] = deque()
        self._submit(run)

    def cancel(self, job_id: int) -> None:
        """Stop a job whose record says that it is canceled."""
        if run := self._runs.get(job_id):
            run.cancel()
            self._wakeup.set()

    def notify(self, job_id: int, call: Callable[[], None]) -> None:
        """Call it when the job has ended, if it is one of this process, and the caller still holds it."""
        with self._ended:
            if job_id in self._runs:
                self._listeners.setdefault(job_id, WeakSet()).add(call)
                return
        call()

    def close(self) -> None:
        """Stop the jobs that run. They record that they failed before this returns, if that does not take long."""
        for run in list(self._runs.values()):
            run.stop()
        with self._ended:
            self._ended.wait_for(lambda: not self._runs, CLOSE_SECONDS)

    def _submit(self, run: JobRun) -> None:
        self._pool.submit(run.job.project_id, lambda: self._run(run))

    def _run(self, run: JobRun) -> None:
        try:
            run.run()
        finally:
            if following := self._finish(run):
                self._submit(following)

    def _finish(self, run: JobRun) -> JobRun | None:
        """The next job of its session."""
        with self._ended:
            del self._runs[run.job.id]
            self._ended.notify_all()
            for call in self._listeners.pop(run.job.id, ()):
                call()
            waiting = self._sessions[run.job.session_id]
            if waiting:
                return waiting.popleft()
            del self._sessions[run.job.session_id]
            return None

    def _beat_while_busy(self) -> None:
        while self._wait():
            for run in list(self._runs.values()):
                if run.is_canceled:
                    run.cancel()
            self._renew_if_due()

    def _wait(self) -> bool:
        """Wait until the next beat; return whether there is still something to do."""
        is_canceling = any(run.is_canceled for run in list(self._runs.values()))
        self._wakeup.wait(CANCEL_SECONDS if is_canceling else BEAT_SECONDS)
        self._wakeup.clear()
        with self._ended:
            if not self._runs:
                self._heartbeat = None
            return self._heartbeat is not None

    def _renew_if_due(self) -> None:
        if time.monotonic() < self._renew_at:
            return
        self._renew_at = time.monotonic() + RENEW_SECONDS
        try:
            with self._stack.database.unlocked() as tx:
                store.renew_leases(tx, list(self._runs), self.name, clock.now())
        except Unavailable as error:
            # Tried again with the next beat, or the lease expires.
            log.warning("renewal of leases of query jobs failed", reason=str(error))
        except Exception as error:
            log.error("renewal of leases of query jobs failed", exception=error)


_executors: dict[Database, Executor] = {}
_creating = threading.Lock()


def executor_of(stack: Stack) -> Executor:
    """Return the executor of the stack in this process. It is made when it is first used, and closed with the stack."""
    with _creating:
        found = _executors.get(stack.database)
        if not found:
            # Jobs that run are stopped before their engines, and say why.
            storage.prepare_engines(stack)
            found = _executors[stack.database] = Executor(stack)
            stack.closers.append(partial(_close, stack))
        return found


def _close(stack: Stack) -> None:
    with _creating:
        executor = _executors.pop(stack.database)
    executor.close()
