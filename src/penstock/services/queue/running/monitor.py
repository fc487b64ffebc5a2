"""Runs beside a job: its log lines become events a few times a second, its lease is renewed, and its component is
stopped when the job must end.

The first line after a pause is written at once, because a client may be waiting for it; those that follow are written
together.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Generator
from contextlib import contextmanager

from penstock.foundation.audit import NewEntry
from penstock.foundation.callers import Caller
from penstock.foundation.interruption import Interrupted, Interruption
from penstock.foundation.jobs.lease import Lease
from penstock.foundation.logging import Log
from penstock.foundation.redaction import Redactor
from penstock.foundation.stack import Stack
from penstock.foundation.text.repeated_messages import repeats
from penstock.runtime.launchers import Running
from penstock.runtime.log import LogLine, LogQuota, read_line
from penstock.services.queue.models.jobs import JobRow
from penstock.services.queue.reports.job_events import to_event
from penstock.services.queue.running import leases
from penstock.services.storage.interface import NewEvent

log = Log("queue")

FLUSH_SECONDS = 0.3
LINES_KEPT = 10_000
STOP_SECONDS = 5.0


class Stopped(Interrupted):
    """The worker was asked to end while the job was running."""


class Terminated(Interrupted):
    """A client asked for the job to be terminated."""


class JobMonitor:
    """Use as a context manager around the work; call check() between its steps."""

    def __init__(self, stack: Stack, caller: Caller, job: JobRow) -> None:
        self._stack, self._caller, self._job = stack, caller, job
        self._lines: list[NewEvent] = []
        self._audit: list[NewEntry] = []
        self._left_out, self._quota = 0, LogQuota()
        self._guard, self._writing = threading.Lock(), threading.Lock()
        self.redactor = Redactor.of({})
        self._folders: dict[str, str] = {}
        self._process: Running | None = None
        self._work: Interruption | None = None
        self._lease = Lease(self._renew, self._check_wanted, self._interrupt, FLUSH_SECONDS)
        self._woken_at = 0.0
        self.last_error = ""
        self._warnings: set[str] = set()

    def __enter__(self) -> JobMonitor:
        self._lease.__enter__()
        return self

    def __exit__(self, *_error: object) -> None:
        self._lease.__exit__()

    def redact_with(self, redactor: Redactor) -> None:
        self.redactor = redactor

    def clean(self, text: str) -> str:
        """Return the text without secrets, and without paths of this machine."""
        text = self.redactor.clean(text)
        for folder, name in self._folders.items():
            text = text.replace(folder, name)
        return self._stack.paths.hide(text)

    def rename(self, folder: str, name: str) -> None:
        """Show another name for a folder of this machine that is not the stack's."""
        if folder:
            self._folders[folder] = name

    def watch(self, process: Running) -> None:
        self._process = process
        self.check()

    def add_output(self, text: str) -> None:
        """A line of the component's output."""
        self.add_line(read_line(self.clean(text)))

    def add_line(self, line: LogLine) -> None:
        """A record of the component's log. What is meant for the operator alone goes into the worker's log."""
        if line.type == "error":
            self.last_error = self.clean(line.message)
        if line.internal:
            log.info("component output", job_id=self._job.id, said=self.clean(line.internal))
        self.log(line.type, line.message)

    def add_unless_logged(self, line: LogLine) -> None:
        """A record that may repeat the component's last error: many programs write it on both streams."""
        if line.type != "error" or not self._has_logged(line.message):
            self.add_line(line)

    def log(self, kind: str, message: str) -> None:
        with self._guard:
            self._add(kind, self.clean(message))

    def warn_once(self, message: str) -> None:
        if message not in self._warnings:
            self._warnings.add(message)
            self.log("warn", message)

    def add_last_event(self, kind: str, message: str) -> None:
        """How the job ended, unless the last error of the log says it, and before it how much of the log is missing."""
        with self._guard:
            if self._quota.left_out:
                self._lines.append(to_event(self._job, "warn", self._quota.message))
            if kind != "error" or not self._has_logged(message):
                self._lines.append(to_event(self._job, kind, self.clean(message)))

    def _has_logged(self, error: str) -> bool:
        """False if lines are missing: then the last error may be one of them."""
        is_whole = not (self._quota.left_out or self._left_out)
        return is_whole and repeats(self.clean(error), self.last_error)

    def _add(self, kind: str, message: str) -> None:
        if not self._quota.admit(message):
            return
        if len(self._lines) < LINES_KEPT:
            self._lines.append(to_event(self._job, kind, message))
        else:
            self._left_out += 1
        self._wake()

    def _wake(self) -> None:
        """Wake the heartbeat at most as often as the heartbeat itself: while the database is away, every line would be
        an attempt."""
        now = time.monotonic()
        if now - self._woken_at > FLUSH_SECONDS:
            self._woken_at = now
            self._lease.wake()

    def add_audit(self, entries: list[NewEntry]) -> None:
        """Add entries to the audit log. They are stored with the next lines of the log, in one transaction."""
        if entries:
            with self._guard:
                self._audit += entries
            self._lease.wake()

    @contextmanager
    def interruptible(self) -> Generator[None]:
        """Around one load or export of a table: if the job is stopped it ends early, and raises the reason."""
        self._work = work = Interruption()
        self.check()
        try:
            with work.applied():
                yield
        finally:
            self._work = None

    def stop(self, reason: Exception) -> None:
        """End the component, or the load of a table; the next check() raises the reason."""
        self._lease.stop(reason)

    def _interrupt(self, reason: Exception) -> None:
        if self._process:
            self._process.stop()
        if work := self._work:
            work.stop(reason)

    def check(self) -> None:
        """Raise the reason for which the job must end, after its component has ended."""
        if self._lease.reason:
            if self._process:
                self._process.stop()
                self._process.wait(STOP_SECONDS)
            raise self._lease.reason

    def flush(self) -> None:
        """Store pending events; what cannot be stored now is stored the next time."""
        with self.pending() as pending:
            if pending.events or pending.audit:
                leases.add_log(self._stack, self._caller, pending)

    @contextmanager
    def pending(self) -> Generator[leases.Pending]:
        """What is not stored yet. When the block ends without an error, it counts as stored."""
        with self._writing:
            with self._guard:
                lines, left_out, entries = list(self._lines), self._left_out, list(self._audit)
            missing = [to_event(self._job, "warn", f"{left_out} lines of the log were left out.")]
            yield leases.Pending(lines + (missing if left_out else []), entries)
            with self._guard:
                del self._lines[: len(lines)]
                del self._audit[: len(entries)]
                self._left_out -= left_out

    def _renew(self) -> None:
        leases.renew_lease(self._stack, self._job)

    def _check_wanted(self) -> Exception | None:
        self.flush()
        return Terminated() if leases.is_unwanted(self._stack, self._job) else None
