"""The end of a run: its report, and whether its results may be published."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import msgspec

from penstock.extractor.base.json_text import json_text
from penstock.extractor.config.policies import Policies
from penstock.extractor.responses.tally import JobTally, Tally
from penstock.extractor.results.proof.findings import find
from penstock.extractor.results.proof.history import History
from penstock.extractor.results.proof.lines import render_lines

VERSION = 1
MAX_CURSOR_LENGTH = 100
Clean = Callable[[str], str]
"""Redacts the secrets in a text."""


class Facts(msgspec.Struct, frozen=True):
    """Facts about a run that are not in the tally."""

    started: str
    seconds: float
    is_resumed: bool = False
    written: int | None = None
    """How many records were written to tables, counted by the writers."""
    failure: str | None = None
    """The error of a run that failed before the checks."""
    warnings: tuple[str, ...] = ()
    """What was logged as a warning about the configuration."""
    collapses: Sequence[str] = ()
    """Which tables will lose rows because of their primary keys."""


class Conclusion(msgspec.Struct, frozen=True):
    report: dict[str, Any]
    lines: list[str]
    """The report as it is printed."""
    warnings: list[str]
    """Those of the report that are not logged yet."""
    error: str | None
    """Why the results must not be published."""
    is_unbalanced: bool
    """Whether records were lost or duplicated, which is a bug of the extractor."""
    history: dict[str, Any] | None
    """The value for the state under STATE_KEY; None to leave the state unchanged."""

    @property
    def text(self) -> str:
        """Returns the content of `report.json`."""
        return json.dumps(self.report, indent=2) + "\n"


def conclude(
    tally: Tally,
    rows: Mapping[str, int],
    duplicates: Mapping[str, int],
    policies: Policies,
    history: History,
    *,
    facts: Facts,
    clean: Clean,
) -> Conclusion:
    """`rows` and `duplicates` are by table; a table without a primary key has no number of duplicates."""
    warnings, errors = _read_status(tally, policies, history, facts)
    error = clean(" ".join(errors)) or None
    report: dict[str, Any] = {
        "version": VERSION,
        "status": "error" if error else "warning" if warnings or facts.warnings else "ok",
        "started": facts.started,
        "seconds": round(facts.seconds, 3),
        "resumed": facts.is_resumed,
        "jobs": [_job(job, clean) for job in tally.jobs],
        "tables": [{"name": clean(name), "rows": rows[name], "duplicates": duplicates.get(name)} for name in rows],
        "balance": _balance(tally, facts),
        "warnings": list(map(clean, [*facts.warnings, *warnings])),
        "error": error,
    }
    updated = history.after(tally.jobs, policies.runs).as_state() if policies.needs_history else None
    is_unbalanced = facts.failure is None and bool(_imbalance(report["balance"]))
    new = list(map(clean, warnings))
    return Conclusion(report, render_lines(report), new, error, is_unbalanced, updated)


def _read_status(tally: Tally, policies: Policies, history: History, facts: Facts) -> tuple[list[str], list[str]]:
    """Warnings and errors; a failed run is not checked, because it is incomplete anyway."""
    if facts.failure is not None:
        return [], [facts.failure]
    findings = find(tally.jobs, policies, history)
    errors = [finding.sentence for finding in findings if finding.action == "error"]
    warnings = [finding.sentence for finding in findings if finding.action == "warning"]
    return [*warnings, *facts.collapses], errors + _imbalance(_balance(tally, facts))


def _balance(tally: Tally, facts: Facts) -> dict[str, int | None]:
    return {
        "received": sum(job.received for job in tally.jobs),
        "written": facts.written,
        "rejected": sum(job.rejected_items for job in tally.jobs),
    }


def _imbalance(balance: dict[str, int | None]) -> list[str]:
    received, written, rejected = (balance[name] or 0 for name in ("received", "written", "rejected"))
    if balance["written"] is None or received == written + rejected:
        return []
    return [
        f"{received:,} records were received, but {written:,} written and {rejected:,} rejected: "
        "the extractor has lost or doubled some. Nothing is published. Please report it."
    ]


def _job(job: JobTally, clean: Clean) -> dict[str, Any]:
    return {
        "job": clean(job.job),
        "endpoint": clean(job.name),
        "runs": job.runs,
        "pages": job.pages,
        "requests": job.requests,
        "retries": job.retries,
        "items": job.items,
        "rejected": job.rejected_items,
        "unverified": job.unverified,
        "expected": job.expected,
        "firstCursor": _cursor(job.first, clean),
        "lastCursor": _cursor(job.last, clean),
        "stopped": _reasons(job.stopped, clean),
    }


def _cursor(position: Any, clean: Clean) -> str | int | None:
    """Cuts the cursor after redaction, because a part of a secret would not be recognized."""
    if position is None or type(position) is int:
        return position
    text = clean(str(position) if isinstance(position, str) else json_text(position))
    return text if len(text) <= MAX_CURSOR_LENGTH else f"{text[:MAX_CURSOR_LENGTH]}…"


def _reasons(stopped: dict[str, int], clean: Clean) -> dict[str, int]:
    """Two reasons may be the same after redaction."""
    reasons = Counter[str]()
    for reason, times in stopped.items():
        reasons[clean(reason)] += times
    return dict(reasons)
