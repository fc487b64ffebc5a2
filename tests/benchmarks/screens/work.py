"""Opens screens in Chromium, from the address to what is shown: with the program in the browser's cache."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from statistics import median
from typing import Self

from tests.benchmarks.lines import Line
from tests.benchmarks.screens.fill import FIRST_JOB, JOBS, SAMPLE, fill_project
from tests.support.browser import Console, build_console, new_page, open_browser
from tests.support.stacks import ALL_THREADS, RunningStack

OPENED = 20
SCREENS = {
    "overview": "",
    "jobs": "queue",
    "failed jobs": "queue?status=error",
    "a job": f"queue/{FIRST_JOB + JOBS - 1}",
    "configurations": "components/configurations",
    "a configuration": "components/ex-generic-v2/bench-77",
    "storage": "storage",
    "a table": "storage/in.c-sample/table/customers",
    "flows": "flows",
    "automation": "automation",
}
SECONDS = 1.0
IS_SHOWN = """() => document.querySelector("main h1") && !document.querySelector("[aria-label=Loading]")
  && performance.now() / 1000"""


class Window:
    """A stack with the project of a year, and a browser."""

    def __init__(self, folder: Path, rounds: int) -> None:
        self.rounds = rounds
        build_console()
        first = RunningStack(folder / "data")
        first.run_job(SAMPLE)
        first.stop()
        fill_project(folder / "data")
        self.stack = RunningStack(folder / "data", variables=ALL_THREADS)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        self.stack.stop()


def measure_totals(window: Window) -> Iterator[Line]:
    """The one request of the overview that counts jobs."""
    taken: list[float] = []
    for _ in range(OPENED):
        began = time.perf_counter()
        totals = window.stack.queue.get("/stats/jobs").json
        taken.append(time.perf_counter() - began)
        assert totals["statuses"]["error"] > 0
    yield Line("totals of 300,000 jobs (median)", 1000 * median(taken), 50, unit="ms")


def measure_screens(window: Window) -> Iterator[Line]:
    with open_browser() as browser:
        console = Console(new_page(browser), window.stack)
        console.open()
        for name, path in SCREENS.items():
            taken = sorted(open_screen(console, path) for _ in range(OPENED))
            yield Line(f"{name}, the slowest but one of {OPENED}", taken[-2], SECONDS)


def open_screen(console: Console, path: str) -> float:
    """Seconds from the address to what is shown."""
    console.go(path)
    return float(console.page.wait_for_function(IS_SHOWN, polling="raf").json_value())
