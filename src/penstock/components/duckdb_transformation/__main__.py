"""`python -m penstock.components.duckdb_transformation`: inputs become tables, scripts run, outputs are written."""

from __future__ import annotations

from penstock.components.duckdb_transformation.transform import transform
from penstock.components.program import run_program

if __name__ == "__main__":
    raise SystemExit(run_program(transform))
