"""A running job's pulse: its log lines become events a few times a second, its lease is renewed, and when the lease is
lost or the worker must stop, the component is stopped too.
"""

from __future__ import annotations

import threading
import time
from contextlib import suppress

from penstock.foundation.callers import Caller
from penstock.foundation.claims import LeaseLost
from penstock.foundation.errors import Unavailable
from penstock.foundation.redaction import Redactor
from penstock.foundation.stack import Stack
from penstock.runtime.log import read_line
from penstock.runtime.process import Process
from penstock.services.queue import leases
from penstock.services.queue.models import JobRow
from penstock.services.storage.interface import NewEvent

FLUSH_SECONDS = 0.3
RENEW_SECONDS = 5.0
LINES_KEPT = 10_000
STOP_SECONDS = 5.0


class Stopped(Exception):
    """The worker was asked to end while the job was running."""


class Feed:
    """Use as a context manager around the work; call check() between its steps."""

    def __init__(self, stack: Stack, caller: Caller, job: JobRow) -> None:
        self._stack, self._caller, self._job = stack, caller, job
        self._lines: list[NewEvent] = []
        self._left_out = 0
        self._guard, self._writing = threading.Lock(), threading.Lock()
        self._redactor = Redactor.of({})
        self._process: Process | None = None
        self._problem: Exception | None = None
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._beat, daemon=True)
        self.last_error = ""

    def __enter__(self) -> Feed:
        self._thread.start()
        return self

    def __exit__(self, *_error: object) -> None:
        self._over.set()
        self._thread.join()

    def hide(self, redactor: Redactor) -> None:
        self._redactor = redactor

    def clean(self, text: str) -> str:
        return self._redactor.clean(text)

    def watch(self, process: Process) -> None:
        self._process = process
        self.check()

    def tell(self, text: str) -> None:
        """A line of the component's output."""
        line = read_line(self.clean(text))
        if line.type == "error":
            self.last_error = line.message
        self.say(line.type, line.message)

    def say(self, kind: str, message: str) -> None:
        with self._guard:
            if len(self._lines) < LINES_KEPT:
                self._lines.append(leases.to_event(self._job, kind, self.clean(message)))
            else:
                self._left_out += 1

    def stop(self, problem: Exception) -> None:
        """End the component; the next check() raises the problem."""
        self._problem = self._problem or problem
        if self._process:
            self._process.stop()

    def check(self) -> None:
        """Raise what ended the work; by then the component is gone."""
        if self._problem:
            if self._process:
                self._process.stop()
                self._process.wait(STOP_SECONDS)
            raise self._problem

    def flush(self) -> None:
        """Write what was said so far; what cannot be written now stays for the next time."""
        with self._writing:
            with self._guard:
                lines, left_out = list(self._lines), self._left_out
            missing = [leases.to_event(self._job, "warn", f"{left_out} lines of the log were left out.")]
            if lines:
                leases.add_log(self._stack, self._caller, lines + (missing if left_out else []))
            with self._guard:
                del self._lines[: len(lines)]
                self._left_out -= left_out

    def _beat(self) -> None:
        renew_at = time.monotonic() + RENEW_SECONDS
        while not self._over.wait(FLUSH_SECONDS):
            # Nothing is lost by waiting: what was not written comes with the next beat, or the lease runs out.
            with suppress(Unavailable):
                if time.monotonic() >= renew_at:
                    self._renew()
                    renew_at = time.monotonic() + RENEW_SECONDS
                self.flush()

    def _renew(self) -> None:
        try:
            leases.renew_lease(self._stack, self._job)
        except LeaseLost as lost:
            self.stop(lost)
