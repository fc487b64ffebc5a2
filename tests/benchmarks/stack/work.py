"""Previews and many tables over HTTP."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from statistics import median
from typing import Any

from kbcstorage.client import Client

from tests.benchmarks.lake.bench import Bench, seconds
from tests.benchmarks.lake.data import write_rows
from tests.benchmarks.lines import Line
from tests.support.stacks import ALL_THREADS, RunningStack

MILLION = 1_000_000
MEGABYTE = 1024 * 1024
PREVIEWS = 40
BUCKETS, TABLES_IN_BUCKET = 20, 100


class Office:
    """A stack, and the official client at its door."""

    def __init__(self, bench: Bench) -> None:
        self.bench = bench
        self.stack = RunningStack(bench.folder / "data", variables=ALL_THREADS)
        self.client = Client(self.stack.greeting["storageUrl"], self.stack.greeting["token"], "default")
        self._numbers = 0

    def __enter__(self) -> Office:
        return self

    def __exit__(self, *_error: object) -> None:
        self.stack.stop()

    def bucket(self) -> str:
        self._numbers += 1
        return self.client.buckets.create(name=f"bench{self._numbers}")["id"]

    def create(self, bucket: str, file: Path, key: list[str] | None = None) -> str:
        self._numbers += 1
        return self.client.tables.create(bucket, f"t{self._numbers}", str(file), primary_key=key)

    def ask(self, path: str) -> float:
        return seconds(lambda: self.stack.storage.get(f"/v2/storage/{path}"))

    def post(self, path: str, body: dict[str, Any]) -> None:
        response = self.stack.storage.post(f"/v2/storage/{path}", body)
        assert response.status < 300, response.text


def measure_previews(office: Office) -> Iterator[Line]:
    file = write_rows(office.bench.folder / "5m.csv", 5 * MILLION)
    table = office.create(office.bucket(), file, ["id"])
    taken = [office.ask(f"tables/{table}/data-preview?limit=100") for _ in range(PREVIEWS)]
    yield Line("preview of 100 rows of 5M, p50", 1000 * median(taken), 50, unit="ms")


def measure_memory(office: Office) -> Iterator[Line]:
    file = write_rows(office.bench.folder / "10m.csv", 10 * MILLION)
    with PeakMemory(office) as peak:
        office.create(office.bucket(), file, ["id"])
    yield Line("peak memory of a worker while importing 10M rows", peak.megabytes, 600, unit="MB")


def measure_tables(office: Office) -> Iterator[Line]:
    """In a project of 20 tables and in one of 2,000, a hundred to a bucket."""
    few = _make_and_look(office, 20)
    for _ in range(BUCKETS - 1):
        _make_and_look(office, TABLES_IN_BUCKET)
    many = _make_and_look(office, TABLES_IN_BUCKET)
    for (what, ours), (_, beside) in zip(many, few, strict=True):
        yield Line(f"{what} with 2,000 tables beside 20", ours, 1.5, beside, unit="ms")


def _make_and_look(office: Office, count: int) -> list[tuple[str, float]]:
    bucket, names = office.bucket(), [f"m{number}" for number in range(count)]
    body = {"dataString": "id,name\n1,Ada\n"}
    taken = [seconds(partial(office.post, f"buckets/{bucket}/tables", {**body, "name": name})) for name in names]
    last = [office.ask(f"tables/{bucket}.{names[-1]}/data-preview") for _ in range(PREVIEWS)]
    return [("create table", 1000 * median(taken[-20:])), ("preview", 1000 * median(last))]


def measure_loads(office: Office) -> Iterator[Line]:
    bucket = office.bucket()
    office.post(f"buckets/{bucket}/tables", {"name": "small", "dataString": "id,name\n0,x\n", "primaryKey": "id"})
    taken = [_load_one(office, f"{bucket}.small", number) for number in range(1000)]
    first, last = 1000 * median(taken[:20]), 1000 * median(taken[-20:])
    yield Line("the last 20 of 1,000 small loads beside the first 20", last, 1.5, first, unit="ms")


def _load_one(office: Office, table: str, number: int) -> float:
    body = {"dataString": f"id,name\n{number},Ada\n", "incremental": 1}
    return seconds(partial(office.post, f"tables/{table}/import", body))


class PeakMemory:
    """Of the stack's processes, looked at often."""

    def __init__(self, office: Office) -> None:
        self._office, self.megabytes = office, 0.0
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._look, daemon=True)

    def __enter__(self) -> PeakMemory:
        self._thread.start()
        return self

    def __exit__(self, *_error: object) -> None:
        self._over.set()
        self._thread.join()

    def _look(self) -> None:
        parent = self._office.stack.process.pid
        children = Path(f"/proc/{parent}/task/{parent}/children")
        while not self._over.wait(0.02):
            for pid in children.read_text().split():
                self.megabytes = max(self.megabytes, _resident(pid))


def _resident(pid: str) -> float:
    try:
        pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    except (OSError, IndexError):
        return 0.0
    return pages * 4096 / MEGABYTE
