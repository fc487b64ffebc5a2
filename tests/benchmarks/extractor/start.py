"""How long a person waits: for the help, and for a stack that was started before. Beside them, Python alone.

A program of its own, which prints seconds as JSON: what it imports would make the memory of the one who measures large.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from tests.benchmarks.extractor.workloads import HELP, PYTHON, SECOND


def measure_start(rounds: int) -> dict[str, list[float]]:
    """Seconds of each, in the rounds' order."""
    with tempfile.TemporaryDirectory() as folder:
        data = Path(folder) / "data"
        _start(data)
        waits = {PYTHON: _run_python, HELP: _show_help, SECOND: lambda: _start(data)}
        turns = [{name: _seconds(work) for name, work in waits.items()} for _ in range(rounds)]
    return {name: [turn[name] for turn in turns] for name in waits}


def _seconds(work: Callable[[], object]) -> float:
    began = time.perf_counter()
    work()
    return time.perf_counter() - began


def _run_python() -> None:
    subprocess.run([sys.executable, "-c", ""], check=True)


def _show_help() -> None:
    subprocess.run([Path(sys.executable).parent / "penstock", "--help"], check=True, capture_output=True)


def _start(data: Path) -> None:
    from tests.support.stacks import RunningStack

    RunningStack(data).stop()


if __name__ == "__main__":
    print(json.dumps(measure_start(int(sys.argv[1]))))
