"""Runs one command to its end: CPU seconds, wall clock and peak memory of it and all that it starts."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from threading import Event, Thread

import msgspec

from tests.benchmarks.extractor.cores import bind

ROOT = Path(__file__).parents[3]
_NOT_OURS = ("PENSTOCK_", "KBC_", "PYTHON", "BENCH_")
_PAGE = os.sysconf("SC_PAGE_SIZE")
_MAXRSS_UNIT = 1 if sys.platform == "darwin" else 1024
_BETWEEN_LOOKS = 0.02
MAX_MEMORY = 4e9
"""Bytes; a process that takes more is stopped, before it takes the machine down."""


class Cost(msgspec.Struct, frozen=True):
    """In seconds and megabytes; CPU is user and system time together."""

    cpu: float
    wall: float
    peak: float


class Ended(msgspec.Struct, frozen=True):
    cost: Cost
    code: int
    errors: str
    """The end of what it wrote to standard error."""


def run_measured(command: Sequence[str], core: int | None, extra: Mapping[str, str]) -> Ended:
    with tempfile.TemporaryFile() as errors:
        began = time.perf_counter()
        process = subprocess.Popen(
            command,
            cwd=ROOT,
            env={**clean_environment(), **extra},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=errors,
            start_new_session=True,
            preexec_fn=None if core is None else partial(bind, core),
        )
        cost = _wait(process, began)
        errors.seek(0)
        return Ended(cost, process.returncode, errors.read().decode(errors="replace")[-400:].strip())


def clean_environment() -> dict[str, str]:
    """Without what whoever runs this has set for programs of their own, and without a proxy for a loopback address."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(_NOT_OURS)}
    return {name: value for name, value in kept.items() if not name.lower().endswith("_proxy")}


def _wait(process: subprocess.Popen[bytes], began: float) -> Cost:
    watch = _Watch(process.pid)
    try:
        _, status, usage = os.wait4(process.pid, 0)
    except BaseException:
        _kill(process.pid)
        process.wait()
        raise
    finally:
        watch.stop()
    wall = time.perf_counter() - began
    process.returncode = os.waitstatus_to_exitcode(status)
    return Cost(usage.ru_utime + usage.ru_stime, wall, max(watch.peak, usage.ru_maxrss * _MAXRSS_UNIT) / 1e6)


class _Watch:
    """The most memory that a process and its children held together; where /proc is missing, nothing.

    The system itself keeps the peak of the largest process exactly; only a tree must be looked at again and again.
    """

    def __init__(self, pid: int) -> None:
        self.peak = 0
        self._pid, self._stopped = pid, Event()
        self._thread = Thread(target=self._look, daemon=True)
        self._thread.start()

    def stop(self) -> None:
        self._stopped.set()
        self._thread.join()

    def _look(self) -> None:
        while not self._stopped.wait(_BETWEEN_LOOKS):
            self.peak = max(self.peak, _memory_of(self._pid))
            if self.peak > MAX_MEMORY:
                _kill(self._pid)


def _kill(pid: int) -> None:
    """It and all that it started, which is a session of its own."""
    with suppress(ProcessLookupError):
        os.killpg(pid, signal.SIGKILL)


def _memory_of(pid: int) -> int:
    """Bytes; 0 for one that is gone."""
    try:
        own = int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * _PAGE
        tasks = [path.read_text().split() for path in Path(f"/proc/{pid}/task").glob("*/children")]
    except (OSError, IndexError):
        return 0
    return own + sum(_memory_of(int(child)) for children in tasks for child in children)
