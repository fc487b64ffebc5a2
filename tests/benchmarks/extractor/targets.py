"""The ratios that must hold, one line each. A line that was not measured is not held, and says so."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

import msgspec

from tests.benchmarks.extractor import workloads as w
from tests.benchmarks.extractor.figures import Figures, NotMeasured

Formula = Callable[[Figures], float]
Verdict = Literal["ok", "falls short", "not checked"]


class Target(msgspec.Struct, frozen=True):
    """Ours against something beside it, or against a number."""

    name: str
    unit: Literal["s CPU", "s wall", "MB"]
    ours: Formula
    bound: float
    beside: Formula | None = None
    beside_name: str = ""
    is_faster: bool = False
    """The bound is how many times faster ours must be; otherwise, how many times as much it may take."""


class Line(msgspec.Struct, frozen=True):
    """A target and what became of it."""

    target: Target
    verdict: Verdict
    ours: float = 0
    beside: float | None = None
    ratio: float = 0
    why: str = ""


def judge(target: Target, figures: Figures) -> Line:
    try:
        ours = target.ours(figures)
        beside = target.beside(figures) if target.beside else None
    except NotMeasured as missing:
        return Line(target, "not checked", why=str(missing))
    ratio = ours if beside is None else beside / ours if target.is_faster else ours / beside
    holds = ratio >= target.bound if target.is_faster else ratio <= target.bound
    return Line(target, "ok" if holds else "falls short", ours, beside, ratio)


def _cpu(workload: str, program: str = w.OURS) -> Formula:
    return lambda figures: figures.cpu(workload, program)


def _wall(workload: str, program: str = w.OURS) -> Formula:
    return lambda figures: figures.wall(workload, program)


def _peak(workload: str) -> Formula:
    return lambda figures: figures.peak(workload, w.OURS)


def _best_peer(workload: str) -> Formula:
    return lambda figures: figures.best_cpu(workload, w.PEERS)


def _sequential(figures: Figures) -> float:
    """Fetching alone, our start and end, and the one request that finds nothing more."""
    fetch = figures.wall("W5", w.FETCH)
    pages = next(each.pages for each in w.WORKLOADS if each.id == "W5")
    return fetch + figures.wall("W6", w.OURS) + fetch / pages


def _either_peak(choose: Callable[[float, float], float]) -> Formula:
    return lambda figures: choose(figures.peak("W1", w.OURS), figures.peak("W2", w.OURS))


def _duckdb(workload: str, title: str) -> Target:
    return Target(f"{workload}: {title}", "s CPU", _cpu(workload), 1.25, _cpu(workload, w.DUCKDB), "DuckDB")


TARGETS = (
    _duckdb("W1", "100k flat rows, offset"),
    _duckdb("W2", "1M flat rows, offset"),
    Target("W2: beside the best peer", "s CPU", _cpu("W2"), 8, _best_peer("W2"), "dlt", is_faster=True),
    Target(
        "W3: 100k nested rows into 4 tables", "s CPU", _cpu("W3"), 1.5, _cpu("W3", w.ROW_IDS), "tables with row ids"
    ),
    Target("W3: beside the best peer", "s CPU", _cpu("W3"), 4, _best_peer("W3"), "dlt", is_faster=True),
    _duckdb("W4", "100k flat rows, cursor"),
    Target(
        *("W5: W1 with 50 ms a page", "s wall", _wall("W5"), 1.05),
        beside=_sequential,
        beside_name="fetch + W6 + one request",
    ),
    Target('W5: with `"parallelism": "auto"`', "s wall", _wall("W5", w.PARALLEL), 1.5),
    Target("W6: one row, start to finish", "s wall", _wall("W6"), 0.35),
    Target("Peak memory, 100k rows (W1)", "MB", _peak("W1"), 200),
    Target("Peak memory, 1M rows (W2)", "MB", _peak("W2"), 200),
    Target("Peak memory, the larger of both", "MB", _either_peak(max), 1.1, _either_peak(min), "the smaller"),
    Target("Peak memory, 10M rows", "MB", _peak("10M"), 256),
    Target("Peak memory, 10M rows beside 100k", "MB", _peak("10M"), 1.3, _peak("W1"), "100k rows"),
    Target("Peak memory, one answer of 1 GB", "MB", _peak("1GB"), 300),
    Target("`penstock --help`", "s wall", _wall(w.START, w.HELP), 0.25),
    Target("Second start and stop of a stack", "s wall", _wall(w.START, w.SECOND), 3),
)
