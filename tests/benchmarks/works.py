"""A benchmark that is a row of works: done in turn, each line told as it comes, then the table."""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import TypeVar

from tests.benchmarks.lines import Line, make_table
from tests.benchmarks.record import record

Place = TypeVar("Place")
"""Where the works are done: a lake, or a stack."""
Works = Mapping[str, Callable[[Place], Iterator[Line]]]
OpenPlace = Callable[[int], AbstractContextManager[Place]]
"""Takes how often each work is done."""


def in_folder(make: Callable[[Path, int], AbstractContextManager[Place]]) -> OpenPlace[Place]:
    """A place in a temporary folder."""

    @contextmanager
    def open_place(rounds: int) -> Generator[Place]:
        with tempfile.TemporaryDirectory() as folder, make(Path(folder), rounds) as place:
            yield place

    return open_place


def run_works(
    area: str,
    works: Works[Place],
    open_place: OpenPlace[Place],
    needs: Mapping[str, str] | None = None,
) -> int:
    """Returns 1 if something falls short. `needs` are those that look at what another has left."""
    options = _read_options(area, list(works))
    asked = options.only.split(",") if options.only else list(works)
    chosen = [name for name in works if name in asked or name in ((needs or {}).get(each) for each in asked)]
    with open_place(options.rounds) as place:
        lines = list(_run(works, place, chosen))
    table = make_table(lines)
    print(table)
    if options.record:
        record(area, table)
    return 0 if all(line.holds for line in lines) else 1


def _read_options(area: str, names: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog=f"python -m tests.benchmarks.{area}", description=__doc__)
    parser.add_argument("--only", default="", help=f"some of {','.join(names)}")
    parser.add_argument("--rounds", type=int, default=3, help="how often each is done; the best counts")
    parser.add_argument("--record", action="store_true", help="put the table into docs/benchmarks.md")
    options = parser.parse_args()
    if options.record and options.only:
        parser.error("only a whole run is recorded: leave out --only")
    return options


def _run(works: Works[Place], place: Place, names: list[str]) -> Iterator[Line]:
    for name in names:
        for line in works[name](place):
            print(f"{name}: {' · '.join(cell for cell in line.cells if cell)}", file=sys.stderr, flush=True)
            yield line
