"""`make bench WHAT=crowd`: fifty projects beside each noisy pattern."""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path

from tests.benchmarks.crowd.crowd import Size, open_crowd
from tests.benchmarks.crowd.phases import MAX_GROWTH, Outcome, make_table
from tests.benchmarks.record import record
from tests.e2e.soak.noise import PATTERNS

SECONDS = 600 / len(PATTERNS)


def main() -> int:
    options = _read_options()
    patterns = [name for name in PATTERNS if any(text in name for text in options.only)]
    size = Size(projects=options.projects, clients=4, processes=4, pause=options.pause)
    with tempfile.TemporaryDirectory() as folder, open_crowd(Path(folder) / "data", size) as crowd:
        outcomes = crowd.run(patterns, options.seconds)
        logged = crowd.list_logged_exceptions()
    table = make_table(outcomes)
    print(table)
    _tell_errors(outcomes)
    print(f"Exceptions in the log of the stack: {len(logged)}.", *logged[:3], sep="\n")
    if options.record:
        record("crowd", table)
    return 0 if all([*(each.holds for each in outcomes), _is_level(outcomes), not logged]) else 1


def _tell_errors(outcomes: list[Outcome]) -> None:
    for each in outcomes:
        for error, count in [*each.errors.most_common(5), *each.unexplained.items()]:
            print(f"{each.name}: {count} × {error}", file=sys.stderr)


def _is_level(outcomes: list[Outcome]) -> bool:
    """Whether the server has no more memory at the end than after the first pattern that filled its caches."""
    half = len(outcomes) // 2
    before = max(each.memory.server for each in outcomes[: half or 1])
    after = outcomes[-1].memory.server
    print(f"Memory of the server: {before // 1_000_000} MB in the first half, {after // 1_000_000} MB at the end.")
    return after <= MAX_GROWTH * before


def _read_options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.crowd", description=__doc__)
    parser.add_argument("--only", nargs="+", default=[""], help="patterns whose name has one of these texts")
    parser.add_argument("--seconds", type=float, default=SECONDS, help="of each pattern, with the quiet ones before it")
    parser.add_argument("--projects", type=int, default=50)
    parser.add_argument("--pause", type=float, default=40.0, help="seconds between the rounds of a client")
    parser.add_argument("--record", action="store_true", help="put the table into docs/benchmarks.md")
    options = parser.parse_args()
    if options.record and options.only != [""]:
        parser.error("only a whole run is recorded: leave out --only")
    return options


if __name__ == "__main__":
    sys.exit(main())
