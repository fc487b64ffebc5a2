"""One scenario of each class by the real command, in a process of its own: how it exits, and what it says."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from tests.e2e.hostile.faults import CLASSES
from tests.e2e.hostile.paging import WAYS
from tests.e2e.hostile.runs import configuration, judge
from tests.e2e.hostile.scenario import Scenario
from tests.e2e.hostile.scenarios import SEEDS, make_scenario
from tests.e2e.hostile.server import serving
from tests.support.command import extract


def _worst_of(fault_class: str) -> Scenario:
    """One that must fail, if the class has any; those that need an environment are left to the test's own process."""
    scenarios = [make_scenario(fault_class, way, seed) for way in WAYS for seed in range(SEEDS)]
    usable = [each for each in scenarios if not each.variant.environment and not each.variant.trusts]
    return max(usable, key=lambda each: bool(each.variant.outcome(each).error))


@pytest.mark.faults
@pytest.mark.parametrize("fault_class", CLASSES)
def test_the_command_exits_with_0_and_tables_or_with_1_and_a_sentence(fault_class: str, tmp_path: Path):
    scenario = _worst_of(fault_class)
    with serving(scenario) as api:
        done = extract(configuration(scenario, api), tmp_path)

    assert done.code == (1 if scenario.variant.outcome(scenario).error else 0), done.all_output
    assert bool(done.stderr) == bool(done.code)
    judge(scenario, api, replace(done, error=done.stderr or None))
