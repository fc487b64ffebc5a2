"""Six hundred runs against a hostile API: each ends with the table of its data, byte for byte, or with the error that
its fault deserves."""

from __future__ import annotations

import time
from dataclasses import replace
from pathlib import Path

import pytest

from tests.e2e.hostile.faults import drips
from tests.e2e.hostile.faults.drips import drip_all
from tests.e2e.hostile.runs import PATIENCE, configuration, environment_of, judge, no_longer_than
from tests.e2e.hostile.scenario import ALWAYS, Variant
from tests.e2e.hostile.scenarios import KEYS, Key, make_scenario, to_id
from tests.e2e.hostile.server import serving
from tests.support.extraction import try_extraction


@pytest.mark.faults
@pytest.mark.parametrize("key", KEYS, ids=to_id)
def test_a_run_ends_as_if_nothing_had_happened_or_says_what_did(
    key: Key, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    scenario = make_scenario(*key)
    for name, value in environment_of(scenario).items():
        monkeypatch.setenv(name, value)

    with serving(scenario) as api, no_longer_than(PATIENCE):
        run = try_extraction(configuration(scenario, api), tmp_path / "out")

    judge(scenario, api, run)


@pytest.mark.faults
def test_the_deadline_is_for_the_whole_answer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """Each byte comes in time, all of them together would take a minute and more."""
    monkeypatch.setattr(drips, "EACH", 0.6)
    api = {"http": {"requestTimeout": 1}, "retryConfig": {"maxRetries": 0}}
    scenario = replace(make_scenario("H5", "offset", 0), variant=Variant("dripping", drip_all, ALWAYS, api=api))

    with serving(scenario) as server:
        start = time.monotonic()
        run = try_extraction(configuration(scenario, server), tmp_path / "out")
        seconds = time.monotonic() - start

    assert run.error is not None
    assert "within 1 seconds" in run.error
    assert 1 <= seconds < 50
