"""`make bench`: runs everything, prints the tables, and exits with 1 when a ratio falls short.

Progress goes to standard error, the tables as Markdown to standard output.
"""

from __future__ import annotations

import compileall
import json
import signal
import subprocess
import sys
import tempfile
from argparse import ArgumentParser, ArgumentTypeError, Namespace
from functools import partial
from os import environ, getloadavg
from pathlib import Path

from tests.benchmarks.extractor import report
from tests.benchmarks.extractor.api import serve
from tests.benchmarks.extractor.cores import Cores, bind, choose_cores
from tests.benchmarks.extractor.figures import Figures
from tests.benchmarks.extractor.measure import ROOT, Cost, clean_environment
from tests.benchmarks.extractor.programs import all_programs, dlt_python
from tests.benchmarks.extractor.rounds import Rounds
from tests.benchmarks.extractor.targets import TARGETS, judge
from tests.benchmarks.extractor.workloads import SECOND, START, WORKLOADS, Workload
from tests.benchmarks.record import record

_BUSY = 0.7
"""Processes of others that were running, on average over the last minute."""
_NAMES = (*(workload.id for workload in WORKLOADS), START)


def main() -> int:
    options = _options()
    signal.signal(signal.SIGTERM, _stop)
    # Otherwise the first round would pay for all others.
    for folder in ("src", "tests/benchmarks"):
        compileall.compile_dir(ROOT / folder, quiet=1)
    busy, cores = getloadavg()[0], choose_cores()
    try:
        return _report(_measure(options, cores), options, busy)
    except KeyboardInterrupt:
        print("Stopped.", file=sys.stderr)
        return 130


def _options() -> Namespace:
    parser = ArgumentParser(
        prog="python -m tests.benchmarks.extractor", description="The extractor, timed beside its limits."
    )
    parser.add_argument("--only", type=_names, default=_NAMES, metavar="NAMES", help=f"of {','.join(_NAMES)}")
    parser.add_argument("--rounds", type=_count, default=5, help="how often each program runs (default: 5)")
    parser.add_argument("--quick", action="store_true", help="one round, without W2, 10M and 1GB")
    parser.add_argument("--record", action="store_true", help="put the tables into docs/benchmarks.md")
    parser.add_argument(
        "--peers", type=Path, default=environ.get("PENSTOCK_BENCH_PEERS"), help="folder with peers/dlt_peer.py"
    )
    options = parser.parse_args()
    if options.record and (options.quick or set(options.only) != set(_NAMES)):
        parser.error("only a whole run is recorded: leave out --only and --quick")
    return options


def _names(text: str) -> tuple[str, ...]:
    names = tuple(text.split(","))
    if unknown := set(names) - set(_NAMES):
        raise ArgumentTypeError(f"{', '.join(sorted(unknown))} is none of {', '.join(_NAMES)}")
    return names


def _count(text: str) -> int:
    if not text.isdecimal() or not int(text):
        raise ArgumentTypeError(f"{text} is no number from 1 up")
    return int(text)


def _measure(options: Namespace, cores: Cores | None) -> Figures:
    if cores:
        bind(cores.server)
    core = cores.measured if cores else None
    rounds = 1 if options.quick else options.rounds
    with serve() as api, tempfile.TemporaryDirectory(prefix="penstock-bench-") as folder:
        turns = Rounds(api, core, Path(folder), all_programs(_peers(options)))
        for workload in _chosen(options):
            turns.run(workload, rounds)
        if START in options.only:
            _add_start(turns.figures, core, rounds)
    return turns.figures


def _chosen(options: Namespace) -> list[Workload]:
    named = [workload for workload in WORKLOADS if workload.id in options.only]
    return [workload for workload in named if not (options.quick and workload.is_long)]


def _peers(options: Namespace) -> Path | None:
    """Peers are measured where they are installed."""
    folder = Path(options.peers).resolve() if options.peers else None
    is_there = folder and (folder / "peers" / "dlt_peer.py").exists() and dlt_python().exists()
    return folder if is_there else None


def _add_start(figures: Figures, core: int | None, rounds: int) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "tests.benchmarks.extractor.start", str(rounds)],
        cwd=ROOT,
        env=clean_environment(),
        stdout=subprocess.PIPE,
        check=False,
        preexec_fn=None if core is None else partial(bind, core),
    )
    if done.returncode:
        figures.add(START, SECOND, Cost(0, 0, 0), "the stack did not start: see above")
        return
    for name, waits in json.loads(done.stdout).items():
        for seconds in waits:
            figures.add(START, name, Cost(0, seconds, 0))


def _report(figures: Figures, options: Namespace, busy: float) -> int:
    lines = [judge(target, figures) for target in TARGETS]
    wrong = [*report.short_lines(lines), *figures.faults()]
    parts = [report.targets_table(lines), report.measured_table(figures)]
    if busy > _BUSY:
        parts.append(f"The machine was busy when this began (load {busy:.1f}): do not trust the wall clock.")
    if not _peers(options):
        parts.append(f"The peers were not run, and no figure beside theirs was checked: {_why_no_peers(options)}.")
    if wrong:
        parts.append("\n".join(["Falls short:\n", *(f"- {each}" for each in wrong)]))
    print("\n\n".join(parts))
    if options.record:
        record("extractor", "\n\n".join(parts))
    return 1 if wrong else 0


def _why_no_peers(options: Namespace) -> str:
    if not options.peers:
        return "name their folder with `make bench PEERS=path/to/bench`"
    return "the environment of dlt is not installed, or the folder has no peers/dlt_peer.py"


def _stop(_number: int, _frame: object) -> None:
    """Leave through every `finally`, so that no process stays behind."""
    sys.exit(143)


if __name__ == "__main__":
    sys.exit(main())
