"""The lake: loads, upserts, exports, previews, and what must not grow."""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Generator
from contextlib import closing, contextmanager
from pathlib import Path

from tests.benchmarks.lake.bench import Bench
from tests.benchmarks.lake.growth import measure_many_loads, measure_many_tables, measure_memory, measure_processes
from tests.benchmarks.lake.work import measure_exports, measure_loads, measure_upserts
from tests.benchmarks.works import Works, run_works

WORKS: Works[Bench] = {
    "loads": measure_loads,
    "upserts": measure_upserts,
    "exports": measure_exports,
    "many-loads": measure_many_loads,
    "many-tables": measure_many_tables,
    "processes": measure_processes,
    "memory": measure_memory,
}


@contextmanager
def open_bench(rounds: int) -> Generator[Bench]:
    with tempfile.TemporaryDirectory() as folder, closing(Bench(Path(folder), rounds)) as bench:
        yield bench


if __name__ == "__main__":
    sys.exit(run_works("lake", WORKS, open_bench, needs={"exports": "upserts", "many-tables": "many-loads"}))
