"""Imports, upserts and exports with the official client, beside the same by hand in this process."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

from kbcstorage.client import Client

from tests.benchmarks.lake.bench import Work, best, read_by_hand, seconds
from tests.benchmarks.lake.data import write_changes, write_rows
from tests.benchmarks.lines import Line
from tests.benchmarks.stack.work import MILLION, Office


def measure_imports(office: Office) -> Iterator[Line]:
    """The client sends the whole file before it asks for the load, so no import is faster than the client with a server
    that stores nothing and the engine after it: the line says what that takes."""
    bench, bucket = office.bench, office.bucket()
    file = write_rows(bench.folder / "1m.csv", MILLION)
    by_hand = partial(bench.by_hand, f"CREATE OR REPLACE TABLE hand.loaded AS FROM {read_by_hand(file)}")
    with open_sink() as sink:
        send = partial(sink.tables.create, bucket, "sent", str(file))
        ours, sent, loaded = _best_of_turns(bench.rounds, lambda: office.create(bucket, file), send, by_hand)
    least = (sent + loaded) / loaded
    name = f"import of 1M rows with the client; the engine alone (the client, then the engine: {least:.2f} ×)"
    yield Line(name, ours, 1.5, loaded)
    yield from _measure_upserts(office, bucket, file)


def _best_of_turns(rounds: int, *works: Work) -> list[float]:
    turns = [[seconds(work) for work in works] for _ in range(rounds)]
    return [min(each) for each in zip(*turns, strict=True)]


@contextmanager
def open_sink() -> Generator[Client]:
    """A client of a server that stores nothing, in a process of its own as a stack is."""
    program = [sys.executable, "-m", "tests.benchmarks.stack.sink"]
    with subprocess.Popen(program, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout
        try:
            yield Client(server.stdout.readline().strip(), "none", "default")
        finally:
            server.kill()


def _measure_upserts(office: Office, bucket: str, file: Path) -> Iterator[Line]:
    bench, table = office.bench, office.create(bucket, file, ["id"])
    bench.by_hand(f"CREATE OR REPLACE TABLE hand.keyed AS FROM {read_by_hand(file)}")
    pairs: list[tuple[float, float]] = []
    for number in range(bench.rounds + 1):
        changes = write_changes(bench.folder / "changes.csv", MILLION, number)
        statements = (
            "BEGIN",
            f"CREATE OR REPLACE TEMP TABLE changes AS FROM {read_by_hand(changes)}",
            "DELETE FROM hand.keyed AS old WHERE EXISTS (SELECT 1 FROM changes WHERE changes.id = old.id)",
            "INSERT INTO hand.keyed FROM changes",
            "COMMIT",
        )
        load = partial(office.client.tables.load, table, str(changes), is_incremental=True)
        ours = seconds(load)
        pairs.append((ours, seconds(partial(bench.by_hand, *statements))))
    ours, beside = best(pairs[1:])
    yield Line("upsert of 100k rows into 1M, with the client", ours, 1.5, beside)
    target = bench.folder / "by-hand.csv.gz"
    copy = partial(bench.by_hand, f"COPY hand.keyed TO '{target}' (FORMAT csv, HEADER false, COMPRESSION gzip)")
    ours, beside = bench.compare(lambda: _export(office, table), copy)
    yield Line("export of 1M rows to sliced gzip, until the job is done", ours, 1.5, beside)


def _export(office: Office, table: str) -> None:
    job = office.client.tables.export_raw(table, is_gzip=True)
    while (status := office.client.jobs.detail(job["id"])["status"]) not in ("success", "error"):
        time.sleep(0.02)
    assert status == "success"
