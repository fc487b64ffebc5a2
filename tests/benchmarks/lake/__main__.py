"""Runs the works in turn and prints the table; exits with 1 if something falls short."""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

from tests.benchmarks.lake.bench import Bench
from tests.benchmarks.lake.growth import measure_many_loads, measure_many_tables, measure_memory, measure_processes
from tests.benchmarks.lake.lines import Line, make_table
from tests.benchmarks.lake.work import measure_exports, measure_loads, measure_upserts

WORKS: dict[str, Callable[[Bench], Iterator[Line]]] = {
    "loads": measure_loads,
    "upserts": measure_upserts,
    "exports": measure_exports,
    "many-loads": measure_many_loads,
    "many-tables": measure_many_tables,
    "processes": measure_processes,
    "memory": measure_memory,
}
NEEDS = {"exports": "upserts", "many-tables": "many-loads"}
"""Those that look at what another has left."""


def main() -> int:
    options = _read_options()
    asked = options.only.split(",") if options.only else list(WORKS)
    chosen = [name for name in WORKS if name in asked or name in (NEEDS.get(each) for each in asked)]
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(Path(folder), options.rounds)
        lines = list(_run(bench, chosen))
        bench.close()
    print(make_table(lines))
    short = [line for line in lines if not line.holds]
    for line in short:
        print(f"falls short: {line.name}: {line.ratio:.3g} where at most {line.limit:g} was asked for", file=sys.stderr)
    return 1 if short else 0


def _read_options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.lake", description=__doc__)
    parser.add_argument("--only", default="", help=f"some of {','.join(WORKS)}")
    parser.add_argument("--rounds", type=int, default=5, help="how often each is done; the best counts")
    return parser.parse_args()


def _run(bench: Bench, names: list[str]) -> Iterator[Line]:
    for name in names:
        for line in WORKS[name](bench):
            print(f"{name}: {' · '.join(cell for cell in line.cells if cell)}", file=sys.stderr, flush=True)
            yield line


if __name__ == "__main__":
    sys.exit(main())
