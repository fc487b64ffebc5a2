"""The SQL engine of a workspace beside DuckDB on the same files, and the SQL port beside PostgreSQL; without HTTP, but
for one line."""

from __future__ import annotations

import sys

from tests.benchmarks.sql.port import measure_port
from tests.benchmarks.sql.work import (
    Desk,
    measure_exports,
    measure_loads,
    measure_many,
    measure_queries,
    measure_statements,
)
from tests.benchmarks.works import Works, in_folder, run_works

WORKS: Works[Desk] = {
    "statements": measure_statements,
    "queries": measure_queries,
    "loads": measure_loads,
    "exports": measure_exports,
    "many": measure_many,
    "port": measure_port,
}


if __name__ == "__main__":
    sys.exit(run_works("sql", WORKS, in_folder(Desk)))
