"""The progress of a job on a terminal: one line below its log, with the running task, the rows so far and the rate."""

from __future__ import annotations

import re
import sys
import time
from typing import TYPE_CHECKING, TextIO

if TYPE_CHECKING:
    from penstock.client import Client, Event, Job

FLOWS = ("container", "orchestrationContainer", "phaseContainer", "retryContainer")
TASKS_SECONDS = 2.0
"""How often the tasks of a flow are looked up."""
_ROWS = re.compile(r"([\d,]+) records so far, after ([\d,]+) seconds|Records written: ([\d,]+)")


class Progress:
    """Shows nothing if the stream is not a terminal."""

    def __init__(self, client: Client, stream: TextIO | None = None) -> None:
        self._client, self._stream = client, stream or sys.stderr
        self._is_shown = self._stream.isatty()
        self._started, self._looked = time.monotonic(), float("-inf")
        self._rows: dict[str, int] = {}
        self._rate = 0.0
        self._tasks = ""

    def read(self, event: Event) -> None:
        """Takes the rows so far from a line of the log."""
        match = _ROWS.search(event.message)
        if not match:
            return
        rows, seconds, written = (int((text or "0").replace(",", "")) for text in match.groups())
        self._rows[event.run_id or ""] = rows or written
        self._rate = rows / seconds if seconds else self._rate

    def show(self, job: Job) -> None:
        if self._is_shown:
            self._look_at_tasks(job)
            self._write(self._line(job))

    def clear(self) -> None:
        if self._is_shown:
            self._write("")

    def _line(self, job: Job) -> str:
        seconds = int(time.monotonic() - self._started)
        parts = [job.status, self._tasks, f"{seconds // 60}:{seconds % 60:02}"]
        if rows := sum(self._rows.values()):
            parts.append(f"{rows:,} rows")
        if self._rate:
            parts.append(f"{self._rate:,.0f} rows/s")
        return ", ".join(part for part in parts if part)

    def _look_at_tasks(self, job: Job) -> None:
        now = time.monotonic()
        if job.type not in FLOWS or now - self._looked < TASKS_SECONDS:
            return
        self._looked = now
        children = self._client.jobs.search({"parentRunId": job.events_id, "limit": 500})
        running = [child.config or child.component for child in children if child.status == "processing"]
        done = sum(child.is_finished for child in children)
        self._tasks = f"running {', '.join(running)} ({done} tasks done)" if running else f"{done} tasks done"

    def _write(self, text: str) -> None:
        from penstock.cli.output.table import terminal_width
        from penstock.cli.output.text import clean, truncate

        self._stream.write(f"\r\x1b[K{truncate(clean(text), (terminal_width() or 80) - 1)}")
        self._stream.flush()
