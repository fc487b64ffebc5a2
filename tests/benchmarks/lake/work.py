"""Loads, upserts, exports and previews, each beside the same by hand.

By hand nobody looks whether a load was done before, keeps a time for each row or leaves alone what did not change, and
nothing is synced.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from functools import partial
from statistics import median

from penstock.foundation.lake import LakeTable, Query, count_rows, export_rows, read_rows
from tests.benchmarks.lake.bench import Bench, best, read_by_hand, seconds
from tests.benchmarks.lake.data import write_changes, write_rows
from tests.benchmarks.lines import Line

MILLION = 1_000_000
MAX_GROWTH_OF_ENGINE = 1.1


def measure_loads(bench: Bench) -> Iterator[Line]:
    file = write_rows(bench.folder / "1m.csv", MILLION)
    rows = read_by_hand(file)
    plain = partial(bench.by_hand, f"CREATE OR REPLACE TABLE hand.loaded AS FROM {rows}")
    ours, beside = bench.compare(partial(bench.load, LakeTable(1, "loaded"), file), plain)
    yield Line("load of 1M rows, 8 columns", ours, 1.2, beside)
    # The last of each key, as it is usually written.
    last = f"SELECT * EXCLUDE place FROM (SELECT *, row_number() OVER () AS place FROM {rows})"
    last += " QUALIFY row_number() OVER (PARTITION BY id ORDER BY place DESC) = 1"
    keyed = partial(bench.by_hand, f"CREATE OR REPLACE TABLE hand.keyed AS {last}")
    ours, beside = bench.compare(partial(bench.load, LakeTable(1, "keyed"), file, primary_key=("id",)), keyed)
    yield Line("the same with a key", ours, 1.2, beside)


def measure_upserts(bench: Bench) -> Iterator[Line]:
    """Into both tables in turn, so that what else the machine does meets both."""
    for millions in (1, 5):
        _fill(bench, millions)
    yield from measure_previews(bench, "preview of 100 rows of 5M, p50", 30)
    rounds = [(_upsert(bench, 1, number), _upsert(bench, 5, number)) for number in range(bench.rounds + 1)][1:]
    one, five = best([each[0] for each in rounds]), best([each[1] for each in rounds])
    yield Line("upsert of 100k rows into 1M", one[0], 1.5, one[1])
    yield Line("upsert of 100k rows into 5M", five[0], 1.5, five[1])
    # The engine alone reads the key of every row too, so that it takes longer with every row.
    growth, by_hand = five[0] / one[0], five[1] / one[1]
    yield Line("upsert into 5M beside 1M; the same by hand", growth, MAX_GROWTH_OF_ENGINE, by_hand, unit="×")
    yield from measure_previews(bench, "the same preview after those upserts, p50", 50)


def _fill(bench: Bench, millions: int) -> None:
    file = write_rows(bench.folder / f"{millions}m.csv", millions * MILLION)
    bench.load(LakeTable(2, f"{millions}m"), file, primary_key=("id",))
    bench.by_hand(f"CREATE TABLE hand.upserted_{millions} AS FROM {read_by_hand(file)}")


def _upsert(bench: Bench, millions: int, number: int) -> tuple[float, float]:
    table, name = LakeTable(2, f"{millions}m"), f"hand.upserted_{millions}"
    changes = write_changes(bench.folder / "changes.csv", millions * MILLION, number)
    statements = (
        "BEGIN",
        f"CREATE OR REPLACE TEMP TABLE changes AS FROM {read_by_hand(changes)}",
        f"DELETE FROM {name} AS old WHERE EXISTS (SELECT 1 FROM changes WHERE changes.id = old.id)",
        f"INSERT INTO {name} FROM changes",
        "COMMIT",
    )
    ours = seconds(partial(bench.load, table, changes, primary_key=("id",), incremental=True))
    beside = seconds(partial(bench.by_hand, *statements))
    assert count_rows(bench.lake, table) == bench.count_by_hand(name)
    return ours, beside


def measure_exports(bench: Bench) -> Iterator[Line]:
    table, name, folder = LakeTable(2, "1m"), "hand.upserted_1", bench.folder / "exported"
    target = bench.folder / "by-hand.csv.gz"
    copy = f"COPY {name} TO '{target}' (FORMAT csv, HEADER false, COMPRESSION gzip)"

    def export() -> None:
        shutil.rmtree(folder, ignore_errors=True)
        slices = export_rows(bench.lake, table, Query(), folder, gzip=True)
        assert sum(piece.rows for piece in slices) == bench.count_by_hand(name)

    ours, beside = bench.compare(export, partial(bench.by_hand, copy))
    yield Line("export of 1M rows to sliced gzip", ours, 1.3, beside)


def measure_previews(bench: Bench, name: str, limit: float) -> Iterator[Line]:
    look = partial(read_rows, bench.lake, LakeTable(2, "5m"), Query(limit=100))
    look()
    yield Line(name, median(seconds(look) for _ in range(40)) * 1000, limit, unit="ms")
