"""`python -m penstock.components.runner_test`."""

from __future__ import annotations

from penstock.components.program import run_program
from penstock.components.runner_test.operations import operate

if __name__ == "__main__":
    raise SystemExit(run_program(operate))
