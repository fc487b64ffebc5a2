"""The tables as Markdown: first what must hold, then everything that was measured."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from tests.benchmarks.extractor.figures import Figures, Result
from tests.benchmarks.extractor.targets import Line

_LARGE = 10
_TEXTS = ("", "workload", "program")
"""Heads of the columns that hold no numbers."""


def targets_table(lines: Iterable[Line]) -> str:
    head = ("", "ours", "beside it", "ratio", "target", "")
    return _table(head, [_target_row(line) for line in lines])


def measured_table(figures: Figures) -> str:
    head = ("workload", "program", "rounds", "CPU s", "wall s", "peak MB")
    return _table(head, [_measured_row(*names, result) for names, result in figures])


def short_lines(lines: Iterable[Line]) -> list[str]:
    """The lines that fell short, in words."""
    return [
        f"{line.target.name}: {_number(line.ratio)} where {_bound(line)} was asked for"
        for line in lines
        if line.verdict == "falls short"
    ]


def _target_row(line: Line) -> list[str]:
    target = line.target
    if line.verdict == "not checked":
        return [target.name, "", "", "", _bound(line), f"not checked: {line.why}"]
    beside = "" if line.beside is None else f"{_number(line.beside)} {target.unit}, {target.beside_name}"
    ratio = "" if line.beside is None else f"{_number(line.ratio)} ×"
    return [target.name, f"{_number(line.ours)} {target.unit}", beside, ratio, _bound(line), line.verdict]


def _bound(line: Line) -> str:
    target = line.target
    sign = "≥" if target.is_faster else "≤"
    return f"{sign} {target.bound:g} {target.unit if target.beside is None else '×'}"


def _measured_row(workload: str, program: str, result: Result) -> list[str]:
    if result.fault:
        return [workload, program, str(len(result.costs)), "failed", "", ""]
    costs = result.costs
    peak = max(cost.peak for cost in costs)
    return [
        *(workload, program, str(len(costs))),
        _spread([cost.cpu for cost in costs]),
        _spread([cost.wall for cost in costs]),
        f"{peak:.0f}" if peak else "",
    ]


def _spread(values: Sequence[float]) -> str:
    """The best round, and the worst; nothing where nothing was measured."""
    if not any(values):
        return ""
    if len(values) == 1:
        return _number(values[0])
    return f"{_number(min(values))} (to {_number(max(values))})"


def _number(value: float) -> str:
    return f"{value:.2f}" if value < _LARGE else f"{value:.1f}" if value < _LARGE**2 else f"{value:.0f}"


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    rule = ["---" if name in _TEXTS else "--:" for name in head]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in (head, rule, *rows))
