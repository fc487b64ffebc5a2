"""The SQL engine of a workspace, without HTTP, beside DuckDB on the same files."""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

from tests.benchmarks.sql.work import Desk, measure_exports, measure_loads, measure_queries, measure_statements
from tests.benchmarks.works import Works, run_works

WORKS: Works[Desk] = {
    "statements": measure_statements,
    "queries": measure_queries,
    "loads": measure_loads,
    "exports": measure_exports,
}


@contextmanager
def open_desk(rounds: int) -> Generator[Desk]:
    with tempfile.TemporaryDirectory() as folder, Desk(Path(folder), rounds) as desk:
        yield desk


if __name__ == "__main__":
    sys.exit(run_works("sql", WORKS, open_desk))
