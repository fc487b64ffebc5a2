"""How long a person waits: for the help, and for a stack that was started before. Beside each, Python alone."""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median

from tests.support.stacks import PENSTOCK, RunningStack

ROUNDS = 5


def main() -> None:
    bare = median(_seconds(_run_python) for _ in range(ROUNDS))
    shown = median(_seconds(_show_help) for _ in range(ROUNDS))
    print(f"help: {shown:.2f} s (limit 0.25 s), {shown / bare:.1f} times Python alone ({bare:.2f} s)")
    with tempfile.TemporaryDirectory() as folder:
        data = Path(folder) / "data"
        _start(data)
        again = median(_seconds(lambda: _start(data)) for _ in range(ROUNDS))
    print(f"second start and stop: {again:.2f} s (limit 3 s for the start), {again / bare:.1f} times Python alone")


def _seconds(work: Callable[[], object]) -> float:
    began = time.perf_counter()
    work()
    return time.perf_counter() - began


def _run_python() -> None:
    subprocess.run([sys.executable, "-c", ""], check=True)


def _show_help() -> None:
    subprocess.run([*PENSTOCK, "--help"], check=True, capture_output=True)


def _start(data: Path) -> None:
    RunningStack(data).stop()
