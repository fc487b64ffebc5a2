"""What is measured: how many rows of which kind, in which way they are paged, and who reads them."""

from __future__ import annotations

import msgspec

OURS, PARALLEL = "penstock", "penstock, parallel"
FETCH, FETCH_AHEAD = "limit: fetch alone", "limit: fetch, 16 at once"
DUCKDB, ROW_IDS = "limit: DuckDB", "limit: tables with row ids"
PEERS = ("dlt tuned, csv", "dlt tuned, parquet")
START, PYTHON, HELP, SECOND = "start", "python alone", "help", "second start and stop"
"""What `start.py` measures, which reads no rows."""


class Workload(msgspec.Struct, frozen=True):
    id: str
    title: str
    way: str
    kind: str
    rows: int
    programs: tuple[str, ...]
    delay: int = 0
    """Milliseconds before each response."""
    is_once: bool = False
    """Too long to be repeated, and only its memory counts."""
    is_long: bool = False
    """Left out of a quick run."""

    @property
    def pages(self) -> int:
        return -(-self.rows // 1000)


WORKLOADS = (
    Workload("W6", "one row, start to finish", "offset", "flat", 1, (OURS, FETCH, *PEERS)),
    Workload("W1", "100 thousand flat rows, offset", "offset", "flat", 100_000, (OURS, DUCKDB, FETCH, *PEERS)),
    Workload("W4", "100 thousand flat rows, cursor", "cursor", "flat", 100_000, (OURS, DUCKDB, *PEERS)),
    Workload(
        "W3", "100 thousand nested rows into 4 tables", "offset", "nested", 100_000, (OURS, ROW_IDS, DUCKDB, *PEERS)
    ),
    Workload(
        *("W5", "W1 with 50 ms latency a page", "offset", "flat", 100_000),
        programs=(OURS, PARALLEL, FETCH, FETCH_AHEAD, *PEERS),
        delay=50,
    ),
    Workload("W2", "1 million flat rows, offset", "offset", "flat", 1_000_000, (OURS, DUCKDB, *PEERS), is_long=True),
    Workload("10M", "10 million flat rows", "offset", "flat", 10_000_000, (OURS,), is_once=True, is_long=True),
    Workload("1GB", "one answer of 1 GB", "whole", "wide", 2_000_000, (OURS,), is_once=True, is_long=True),
)
"""In the order in which they run: what takes longest comes last."""
