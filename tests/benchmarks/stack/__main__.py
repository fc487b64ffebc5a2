"""A stack over HTTP: what its clients wait for."""

from __future__ import annotations

import sys
from collections.abc import Generator
from contextlib import contextmanager

from tests.benchmarks.lake.__main__ import open_bench
from tests.benchmarks.stack.client import measure_client
from tests.benchmarks.stack.deletes import measure_deletes
from tests.benchmarks.stack.imports import measure_imports
from tests.benchmarks.stack.projects import measure_manage_verify, measure_projects
from tests.benchmarks.stack.requests import measure_verify
from tests.benchmarks.stack.suggestions import measure_suggestions
from tests.benchmarks.stack.work import (
    Office,
    measure_loads,
    measure_memory,
    measure_previews,
    measure_tables,
)
from tests.benchmarks.works import Works, run_works

WORKS: Works[Office] = {
    "verify": measure_verify,
    "manage": measure_manage_verify,
    "projects": measure_projects,
    "deletes": measure_deletes,
    "imports": measure_imports,
    "previews": measure_previews,
    "memory": measure_memory,
    "tables": measure_tables,
    "loads": measure_loads,
    "client": measure_client,
    "suggestions": measure_suggestions,
}


@contextmanager
def open_office(rounds: int) -> Generator[Office]:
    with open_bench(rounds) as bench, Office(bench) as office:
        yield office


if __name__ == "__main__":
    sys.exit(run_works("stack", WORKS, open_office))
