"""The queue over HTTP, and its workers."""

from __future__ import annotations

import sys

from tests.benchmarks.queue.ledger import measure_ledger
from tests.benchmarks.queue.work import Desk, measure_creation, measure_first_lines, measure_stops, measure_takeover
from tests.benchmarks.queue.workers import measure_workers
from tests.benchmarks.works import Works, in_folder, run_works

WORKS: Works[Desk] = {
    "creation": measure_creation,
    "first-lines": measure_first_lines,
    "stops": measure_stops,
    "takeover": measure_takeover,
    "workers": measure_workers,
    "ledger": measure_ledger,
}


if __name__ == "__main__":
    sys.exit(run_works("queue", WORKS, in_folder(Desk)))
