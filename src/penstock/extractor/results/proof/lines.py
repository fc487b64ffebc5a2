"""The report as it is printed: a line per job and one per table, in columns."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from penstock.extractor.results.proof.findings import count

MAX_LINES = 50
"""How many jobs and tables are printed at most; `report.json` has all of them."""
MAX_NAME_LENGTH = 60
Line = Callable[[dict[str, Any]], tuple[str, ...]]


def render_lines(report: dict[str, Any]) -> list[str]:
    return [*_section(report["jobs"], _job, "jobs"), *_section(report["tables"], _table, "tables")]


def _section(items: Sequence[dict[str, Any]], line: Line, things: str) -> list[str]:
    lines = _aligned([line(item) for item in items[:MAX_LINES]])
    more = len(items) - MAX_LINES
    return [*lines, f"And {more:,} more {things}: see report.json."] if more > 0 else lines


def _job(job: dict[str, Any]) -> tuple[str, ...]:
    numbers = (count(job["items"], "item"), count(job["pages"], "page"), count(job["requests"], "request"))
    return ("Job", _short(job["endpoint"]), *numbers, "; ".join(_notes(job)))


def _notes(job: dict[str, Any]) -> list[str]:
    """Returns numbers that are shown only if they are unusual."""
    notes = [f"{job['runs']:,} runs"] if job["runs"] != 1 else []
    notes += [f"{job['expected']:,} expected"] if job["expected"] is not None else []
    notes += [f"{job['retries']:,} retried"] if job["retries"] else []
    notes += [f"{job['rejected']:,} rejected"] if job["rejected"] else []
    notes += [f"{job['unverified']:,} of unknown length"] if job["unverified"] else []
    return notes


def _table(table: dict[str, Any]) -> tuple[str, ...]:
    duplicates = table["duplicates"]
    note = "" if duplicates is None else count(duplicates, "duplicate")
    return ("Table", _short(table["name"]), count(table["rows"], "row"), note)


def _aligned(rows: Sequence[tuple[str, ...]]) -> list[str]:
    """Names are aligned left, numbers right, notes not at all."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return [_line(row, widths) for row in rows]


def _line(row: tuple[str, ...], widths: list[int]) -> str:
    numbers = [cell.rjust(width) for cell, width in zip(row[2:-1], widths[2:-1], strict=True)]
    return "  ".join([row[0], row[1].ljust(widths[1]), *numbers, row[-1]]).rstrip()


def _short(name: str) -> str:
    return name if len(name) <= MAX_NAME_LENGTH else f"{name[: MAX_NAME_LENGTH - 1]}…"
