"""The queue over HTTP, and its workers."""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

from tests.benchmarks.queue.work import Desk, measure_creation, measure_first_lines, measure_stops, measure_takeover
from tests.benchmarks.queue.workers import measure_workers
from tests.benchmarks.works import Works, run_works

WORKS: Works[Desk] = {
    "creation": measure_creation,
    "first-lines": measure_first_lines,
    "stops": measure_stops,
    "takeover": measure_takeover,
    "workers": measure_workers,
}


@contextmanager
def open_desk(rounds: int) -> Generator[Desk]:
    with tempfile.TemporaryDirectory() as folder, Desk(Path(folder), rounds) as desk:
        yield desk


if __name__ == "__main__":
    sys.exit(run_works("queue", WORKS, open_desk))
