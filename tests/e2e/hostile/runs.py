"""One scenario, run and judged: the configuration that reads its API, and what must hold when the run is over."""

from __future__ import annotations

import re
import signal
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tests.e2e.hostile.scenario import RETRIES, SECRET, Outcome, Scenario
from tests.e2e.hostile.server import HostileApi
from tests.support.extraction import Extraction

PATIENCE = 120
"""Seconds after which a run counts as hanging."""
TABLE = "hostile.items"
MANIFEST = b'{"destination":"in.c-hostile.items","incremental":false}'


def configuration(scenario: Scenario, api: HostileApi) -> dict[str, Any]:
    variant = scenario.variant
    settings = {
        "baseUrl": api.url,
        "pagination": scenario.way.settings(scenario.data, variant.lines),
        "retryConfig": {"maxRetries": RETRIES, "maxWait": 0},
        "http": {"requestTimeout": 10, "headers": {"X-Token": {"attr": "#token"}}},
        "parallelism": scenario.parallelism,
    }
    job = {"endpoint": "items", "dataType": "items"}
    job |= {"responseFormat": "ndjson"} if variant.lines else {"dataField": "items"}
    job |= {"expectedCount": "total"} if variant.is_counted else {}
    config = {"#token": SECRET, "outputBucket": "hostile", "jobs": [_merged(job, variant.job)]}
    config |= {"proof": {"mismatch": "error", "zero": "error"}} if variant.is_counted else {}
    return {"parameters": {"api": _merged(settings, variant.api), "config": config}}


def environment_of(scenario: Scenario) -> dict[str, str]:
    trusts = scenario.variant.trusts
    return {**scenario.variant.environment, **(trusts() if trusts else {})}


def judge(scenario: Scenario, api: HostileApi, run: Extraction) -> None:
    outcome = scenario.variant.outcome(scenario)
    assert SECRET not in run.log + (run.error or "")
    assert api.leaks == []
    if outcome.error:
        _judge_failure(outcome, run)
    else:
        assert run.error is None, f"{scenario.variant.name}: {run.error}"
        _judge_tables(outcome, run)
    assert len(api.requests) <= outcome.most_requests
    if outcome.warning:
        assert any(re.search(outcome.warning, each) for each in run.warnings), run.log
    if outcome.check:
        outcome.check(run, api)


@contextmanager
def no_longer_than(seconds: float) -> Generator[None]:
    """A run that hangs, also one that never gives its loop a chance, fails here."""

    def stop(_number: int, _frame: object) -> None:
        raise AssertionError(f"the run was not over after {seconds:g} seconds")

    earlier = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, earlier)


def files_in(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()} if folder.is_dir() else {}


def _judge_failure(outcome: Outcome, run: Extraction) -> None:
    assert run.error is not None, "the run should have failed"
    assert re.search(outcome.error, run.error), run.error
    assert files_in(run.out / "tables") == {}


def _judge_tables(outcome: Outcome, run: Extraction) -> None:
    if outcome.table:
        assert files_in(run.out / "tables") == {TABLE: outcome.table, f"{TABLE}.manifest": MANIFEST}


def _merged(settings: dict[str, Any], more: Any) -> dict[str, Any]:
    """At every depth."""
    merged = dict(settings)
    for key, value in more.items():
        old = merged.get(key)
        merged[key] = _merged(old, value) if isinstance(old, dict) and isinstance(value, dict) else value
    return merged
