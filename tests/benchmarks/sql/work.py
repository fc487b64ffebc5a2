"""What is measured of the SQL engine, and DuckDB doing the same by hand."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from statistics import median
from types import TracebackType
from typing import Self

import duckdb
import pyarrow.ipc

from penstock.client import connect
from penstock.foundation.lake import Column, CsvSource, LakeTable, Load, load_csv
from penstock.foundation.lake.table_files import find_files
from penstock.settings import Settings
from penstock.sql import Engines, FileFormat, Names, Statement, TableLink, TableLoad, Workspace
from tests.benchmarks.lines import Line
from tests.support.stacks import ServicesOnly

ORDERS, CUSTOMERS, LOADED = 5_000_000, 100_000, 1_000_000
BUCKET, TIMES, MANY = "in.c-bench", 50, 20


class Desk:
    """A stack with three project tables, a workspace, and DuckDB with the same limits."""

    def __init__(self, folder: Path, rounds: int) -> None:
        self.folder, self.rounds = folder, rounds
        self.services = ServicesOnly(folder / "data", sql_threads=Settings().sql_threads)
        self.stack = self.services.stack
        self.engines = Engines(self.stack)
        self.workspace = Workspace(1, 1, "WORKSPACE_1", "KBC_1")
        self.links: dict[str, TableLink] = {}
        self._number = 0

    def __enter__(self) -> Self:
        self.make("orders", f"SELECT range AS id, range % {CUSTOMERS} AS customer, range % 97 AS price", ORDERS)
        self.make("customers", "SELECT range AS id, 'c' || range % 50 AS country", CUSTOMERS)
        self.make("loaded", "SELECT range AS id, 'name ' || range AS name, range % 7 AS day", LOADED)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.engines.close()
        self.services.close()

    def make(self, name: str, query: str, rows: int) -> None:
        file = self.folder / f"{name}.csv"
        duckdb.sql(f"COPY ({query} FROM range({rows})) TO '{file}' (HEADER true)")
        described = duckdb.sql(f"{query} FROM range(1)")
        columns = tuple(Column(name, str(kind)) for name, kind in zip(described.columns, described.types, strict=True))
        source = CsvSource(paths=(file,), columns=tuple(described.columns), has_header=True)
        table = LakeTable(1, name)
        load_csv(self.stack.lake, table, Load(id=name, source=source, types=columns))
        self.links[name] = TableLink(schema=BUCKET, name=name, table=table, columns=columns)

    def run(self, sql: str) -> str:
        self._number += 1
        statement = Statement(id=f"s{self._number}", sql=sql, dialect="duckdb")
        with self.engines.open(self.workspace) as engine:
            engine.execute(statement, self.find)
            engine.page(statement.id, 0, 1000)
        return statement.id

    def find(self, names: Names) -> list[TableLink]:
        return [self.links[each.name] for each in names.tables if each.name in self.links]

    def files(self, name: str) -> str:
        paths = [str(file.path) for file in find_files(self.stack.lake, self.links[name].table).files]
        return f"read_parquet({paths})"

    def best(self, work: Callable[[], object]) -> float:
        return min(timed(work) for _ in range(self.rounds))

    def compare(self, ours: Callable[[], object], theirs: Callable[[], object]) -> tuple[float, float]:
        """In turns, so that whatever else the machine does is equally in both."""
        times = [(timed(ours), timed(theirs)) for _ in range(self.rounds)]
        return min(each[0] for each in times), min(each[1] for each in times)


def timed(work: Callable[[], object]) -> float:
    begun = time.perf_counter()
    work()
    return time.perf_counter() - begun


def by_hand(desk: Desk) -> duckdb.DuckDBPyConnection:
    threads = desk.stack.settings.sql_threads
    path = str(desk.folder / f"{time.time_ns()}.duckdb")
    return duckdb.connect(path, config={"threads": threads, "memory_limit": "678MB"})


def run_by_hand(desk: Desk, sql: str) -> None:
    """On a new connection: one that has read the files before still has their metadata."""
    with by_hand(desk) as database:
        database.execute(sql).fetchall()


def measure_statements(desk: Desk) -> Iterator[Line]:
    def start() -> None:
        desk.engines.remove(desk.workspace)
        desk.run("SELECT 1")

    yield Line("trivial query, cold workspace", 1000 * desk.best(start), 600, unit="ms")
    warm = median(timed(lambda: desk.run("SELECT 1")) for _ in range(TIMES))
    yield Line("trivial query, warm (median)", 1000 * warm, 40, unit="ms")
    storage = desk.services.service("storage")
    with connect(storage.base, desk.services.project.token) as client:
        through_http = median(timed(lambda: client.sql("SELECT 1").first_page) for _ in range(TIMES))
    yield Line("trivial query through HTTP, warm (median)", 1000 * through_http, 40, unit="ms")


def measure_queries(desk: Desk) -> Iterator[Line]:
    group = "SELECT customer, count(*), sum(price) FROM {orders} GROUP BY 1 ORDER BY 3 DESC LIMIT 100"
    join = "SELECT c.country, sum(o.price) FROM {orders} AS o JOIN {customers} AS c ON c.id = o.customer GROUP BY 1"
    for name, sql in {"group-by over 5M rows": group, "join of 5M and 100k rows": join}.items():
        ours = sql.format(orders=f'"{BUCKET}".orders', customers=f'"{BUCKET}".customers')
        theirs = sql.format(orders=desk.files("orders"), customers=desk.files("customers"))
        mine, beside = desk.compare(lambda text=ours: desk.run(text), lambda text=theirs: run_by_hand(desk, text))
        yield Line(name, mine, 1.3, beside)


def measure_loads(desk: Desk) -> Iterator[Line]:
    def load(mode: str) -> None:
        load = TableLoad(link=desk.links["loaded"], target=mode, mode=mode, overwrite=True)  # pyright: ignore[reportArgumentType]
        with desk.engines.open(desk.workspace) as engine:
            engine.load(load)

    load("clone")
    yield Line("clone of 1M rows", 1000 * desk.best(lambda: load("clone")), 50, unit="ms")
    with by_hand(desk) as database:
        create = f"CREATE OR REPLACE TABLE t AS SELECT id, name, day FROM {desk.files('loaded')}"
        mine, beside = desk.compare(lambda: load("copy"), lambda: database.execute(create))
        yield Line("copy of 1M rows", mine, 1.3, beside)


def measure_exports(desk: Desk) -> Iterator[Line]:
    result = desk.run(f'SELECT * FROM "{BUCKET}".loaded')

    def export(kind: FileFormat) -> None:
        with desk.engines.open(desk.workspace) as engine:
            engine.export(result, kind).unlink()

    with by_hand(desk) as database:
        rows = f"SELECT id, name, day FROM {desk.files('loaded')}"
        copied = f"COPY ({rows}) TO '{desk.folder}/out.csv' (HEADER true, FORCE_QUOTE *)"
        mine, beside = desk.compare(lambda: export("csv"), lambda: database.execute(copied))
        yield Line("1M rows as CSV", mine, 1.3, beside)
        target = desk.folder / "out.arrow"
        mine, beside = desk.compare(lambda: export("arrow"), lambda: write_arrow(database.sql(rows), target))
        yield Line("1M rows as Arrow", mine, 1.3, beside)


def write_arrow(rows: duckdb.DuckDBPyRelation, target: Path) -> None:
    """The stream format of Arrow IPC, by the library of Arrow itself."""
    reader = rows.to_arrow_reader()
    with pyarrow.ipc.new_stream(target, reader.schema) as writer:
        for batch in reader:
            writer.write_batch(batch)


def measure_many(desk: Desk) -> Iterator[Line]:
    """The same work in twenty workspaces at once."""
    spaces = [Workspace(1, number, f"WORKSPACE_{number}", "KBC_1") for number in range(100, 100 + MANY)]
    group = f'SELECT customer, sum(price) FROM "{BUCKET}".orders GROUP BY 1'
    statement = Statement(id="s", sql=group, dialect="duckdb")

    def run(workspace: Workspace) -> float:
        with desk.engines.open(workspace) as engine:
            return timed(lambda: engine.execute(statement, desk.find))

    with ThreadPoolExecutor(MANY) as pool:
        times = sorted(pool.map(run, spaces))
    most = MANY * desk.stack.settings.sql_memory_megabytes
    yield Line(f"memory of {MANY} engines, beside their limits", _count_megabytes(desk), 1, most, unit="MB")
    yield Line(f"group-by in {MANY} workspaces: the slowest, beside the median", times[-1], 2, median(times))
    for workspace in spaces:
        desk.engines.remove(workspace)


def _count_megabytes(desk: Desk) -> float:
    """What the engines of this stack have in memory."""
    found = 0
    for entry in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            command = (entry / "cmdline").read_bytes()
            if b"penstock.sql.process" in command and str(desk.folder.resolve()).encode() in command:
                found += int((entry / "statm").read_text().split()[1])
    return found * os.sysconf("SC_PAGE_SIZE") / 1_000_000
