"""Restarts workers that ended, with growing delays if they end immediately; logged, and noted for `penstock doctor`.

A worker that ran for a while and then ended is restarted immediately. One that repeatedly ends right after its start
has a problem that a restart does not solve.
"""

from __future__ import annotations

import time
from contextlib import suppress
from pathlib import Path

import msgspec

from penstock.foundation import clock
from penstock.foundation.files import durable
from penstock.foundation.logging import Log

log = Log("workers")

NOTE = "workers.json"
FIRST_SECONDS, MAX_SECONDS = 0.5, 15.0
STEADY_SECONDS = 10.0
"""A worker that ran this long counts as healthy."""
MANY = 3
_TAIL_BYTES = 64_000


class Failing(msgspec.Struct, frozen=True, rename="camel"):
    """A worker that ends right after its start."""

    worker: str
    ends: int
    """In a row."""
    last: str
    exit_code: int
    reason: str


class Restarts:
    """When each worker may be restarted."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._started: dict[str, float] = {}
        self._start_at: dict[str, float] = {}
        self._ends: dict[str, int] = {}
        self._failing: dict[str, Failing] = {}
        self._write()

    def started(self, name: str) -> None:
        self._started[name] = time.monotonic()
        self._start_at.pop(name, None)

    def ended(self, name: str, exit_code: int) -> None:
        """Record an end; only the first call after a start counts."""
        if name in self._start_at:
            return
        is_early = time.monotonic() - self._started[name] < STEADY_SECONDS
        ends = self._ends[name] = self._ends.get(name, 0) + 1 if is_early else 1
        wait = min(FIRST_SECONDS * 2 ** max(0, ends - MANY), MAX_SECONDS)
        self._start_at[name] = time.monotonic() + wait
        if ends < MANY:
            log.warning("worker ended; it is restarted", worker=name, exit_code=exit_code)
        else:
            self._log(name, ends, exit_code, wait)

    def may_start(self, name: str) -> bool:
        return time.monotonic() >= self._start_at.get(name, 0.0)

    def look(self) -> None:
        """Clear the record of workers that have stayed up since."""
        steady = [
            name
            for name in self._failing
            if name not in self._start_at and time.monotonic() - self._started[name] > STEADY_SECONDS
        ]
        for name in steady:
            del self._failing[name]
            self._ends[name] = 0
        if steady:
            self._write()

    def _log(self, name: str, ends: int, exit_code: int, wait: float) -> None:
        reason = find_reason(self._folder / "logs" / f"{name}.log")
        log.error(
            f"{name} does not stay up: it ended {ends} times in a row right after its start",
            exit_code=exit_code,
            reason=reason,
            next_start_seconds=wait,
        )
        last = clock.now().isoformat(timespec="seconds")
        self._failing[name] = Failing(worker=name, ends=ends, last=last, exit_code=exit_code, reason=reason)
        self._write()

    def _write(self) -> None:
        """If it cannot be written, only `penstock doctor` lacks it."""
        file = self._folder / NOTE
        with suppress(OSError):
            if self._failing:
                durable.write_file(file, msgspec.json.encode(list(self._failing.values())))
            else:
                file.unlink(missing_ok=True)


def read_failing(folder: Path) -> list[Failing]:
    try:
        return msgspec.json.decode((folder / NOTE).read_bytes(), type=list[Failing])
    except (OSError, msgspec.MsgspecError):
        return []


def find_reason(file: Path) -> str:
    """The last error in a worker's log: the end of its traceback, or its message."""
    for line in reversed(_read_tail(file).splitlines()):
        with suppress(msgspec.MsgspecError):
            entry = msgspec.json.decode(line, type=dict[str, object])
            if entry.get("level") == "error":
                message = str(entry.get("traceback") or entry.get("message") or "").strip()
                return message.rpartition("\n")[2][:500]
    return "its log does not say why"


def _read_tail(file: Path) -> bytes:
    try:
        with file.open("rb") as opened:
            opened.seek(max(0, file.stat().st_size - _TAIL_BYTES))
            return opened.read()
    except OSError:
        return b""
