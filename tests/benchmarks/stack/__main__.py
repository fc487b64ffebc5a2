"""Runs the works in turn and prints the table; exits with 1 if something falls short."""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

from tests.benchmarks.lake.bench import Bench
from tests.benchmarks.lake.lines import Line, make_table
from tests.benchmarks.stack.requests import measure_verify
from tests.benchmarks.stack.work import Office, measure_imports, measure_loads, measure_previews, measure_tables

WORKS: dict[str, Callable[[Office], Iterator[Line]]] = {
    "verify": measure_verify,
    "imports": measure_imports,
    "previews": measure_previews,
    "tables": measure_tables,
    "loads": measure_loads,
}


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.stack", description=__doc__)
    parser.add_argument("--only", default="", help=f"some of {','.join(WORKS)}")
    parser.add_argument("--rounds", type=int, default=3, help="how often each is done; the best counts")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(Path(folder), options.rounds)
        with Office(bench) as office:
            lines = list(_run(office, options.only.split(",") if options.only else list(WORKS)))
        bench.close()
    print(make_table(lines))
    return 0 if all(line.holds for line in lines) else 1


def _run(office: Office, names: list[str]) -> Iterator[Line]:
    for name in names:
        for line in WORKS[name](office):
            print(f"{name}: {' · '.join(cell for cell in line.cells if cell)}", file=sys.stderr, flush=True)
            yield line


if __name__ == "__main__":
    sys.exit(main())
