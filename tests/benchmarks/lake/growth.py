"""What must not grow: with loads, with tables, with processes, with rows."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from statistics import median

from penstock.foundation.lake import Column, Lake, LakeTable, Query, count_rows, create_table, read_rows
from tests.benchmarks.lake.bench import Bench, seconds
from tests.benchmarks.lake.data import COLUMNS, write_rows
from tests.benchmarks.lines import Line

LOADS, PROCESSES, LOADS_OF_EACH = 1000, 4, 60

_LOADER = """
import sys
from pathlib import Path
from penstock.foundation.lake import CsvSource, Lake, LakeTable, Load, load_csv
from tests.benchmarks.lake.data import COLUMNS
folder, table, file, first, count, key = Path(sys.argv[1]), sys.argv[2], Path(sys.argv[3]), *map(int, sys.argv[4:])
lake = Lake(folder / "lake")
source = CsvSource(paths=(file,), columns=COLUMNS, has_header=True)
for number in range(first, first + count):
    load = Load(id=f"loader-{number}", source=source, incremental=True, primary_key=("id",) if key else ())
    with lake.one_writer(LakeTable(4, table)):
        load_csv(lake, LakeTable(4, table), load)
lake.close()
if (status := Path("/proc/self/status")).exists():
    print(next(line.split()[1] for line in status.read_text().splitlines() if line.startswith("VmHWM:")))
"""
"""Tells its peak in KiB where the system says it. What getrusage() says counts the process that started it too."""


def measure_many_loads(bench: Bench) -> Iterator[Line]:
    file = write_rows(bench.folder / "100.csv", 100)
    table = LakeTable(3, "often")
    bench.load(table, file)
    times = [seconds(partial(bench.load, table, file, incremental=True)) for _ in range(LOADS)]
    assert count_rows(bench.lake, table) == 100 * (LOADS + 1)
    yield Line(f"the last 20 of {LOADS} small loads, beside the first 20", median(times[-20:]), 1.5, median(times[:20]))


def measure_many_tables(bench: Bench) -> Iterator[Line]:
    few, many = LakeTable(20, "t7"), LakeTable(2000, "t7")
    columns, folder = [Column(name) for name in COLUMNS], bench.folder / "lake"
    for table, count in ((few, 20), (many, 2000)):
        for number in range(count):
            create_table(bench.lake, LakeTable(table.bucket, f"t{number}"), columns)
        bench.load(table, write_rows(bench.folder / "100.csv", 100))
    opened = [(_open(folder, many), _open(folder, few)) for _ in range(9)]
    yield Line(
        "open and read a table of 2,000, beside one of 20",
        *(median(each[0] for each in opened), 1.5, median(each[1] for each in opened)),
    )
    made = [tuple(_create(bench, table.bucket, number, columns) for table in (many, few)) for number in range(9)]
    yield Line(
        "create a table beside 2,000, beside 20",
        *(median(each[0] for each in made), 1.5, median(each[1] for each in made)),
    )


def _open(folder: Path, table: LakeTable) -> float:
    """By an engine that knows neither bucket yet."""
    lake = Lake(folder)
    with lake.session(LakeTable(3, "often")):
        pass
    taken = seconds(partial(read_rows, lake, table, Query(limit=100)))
    lake.close()
    return taken


def _create(bench: Bench, bucket: int, number: int, columns: list[Column]) -> float:
    return seconds(partial(create_table, bench.lake, LakeTable(bucket, f"new {number}"), columns))


def measure_processes(bench: Bench) -> Iterator[Line]:
    """As many rows as were loaded: none lost, none doubled."""
    file = write_rows(bench.folder / "100.csv", 100)
    for what, names in (("one table", ["shared"] * PROCESSES), ("own tables", [f"own{n}" for n in range(PROCESSES)])):
        running = [
            _start(bench.folder, name, file, number * LOADS_OF_EACH, LOADS_OF_EACH) for number, name in enumerate(names)
        ]
        failed = sum(bool(process.wait()) for process in running)
        rows = sum(count_rows(bench.lake, LakeTable(4, name)) for name in set(names))
        wrong = abs(rows - PROCESSES * LOADS_OF_EACH * 100) + failed
        yield Line(f"{PROCESSES} processes, {LOADS_OF_EACH} loads each, {what}: wrong rows", wrong, 0, unit="rows")


def measure_memory(bench: Bench) -> Iterator[Line]:
    """Nothing where the system does not tell it."""
    file = write_rows(bench.folder / "10m.csv", 10_000_000)
    for what, key in (("", 0), (" by key", 1)):
        process = _start(bench.folder, f"memory {key}", file, 10_000 + key, 1, key)
        if told := process.communicate()[0]:
            yield Line(f"peak memory of a load of 10M rows{what}", int(told) * 1024 / 1e6, 600, unit="MB")


def _start(folder: Path, table: str, file: Path, first: int, count: int, key: int = 0) -> subprocess.Popen[str]:
    options = [str(folder), table, str(file), *map(str, (first, count, key))]
    return subprocess.Popen([sys.executable, "-c", _LOADER, *options], stdout=subprocess.PIPE, text=True)
