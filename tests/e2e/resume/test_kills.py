"""Runs that are killed again and again, at random: each ends as if nobody had, and asks for next to nothing twice.

PENSTOCK_CRASHES says how many; `make soak` runs a thousand.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.e2e.resume.journals import damage
from tests.e2e.resume.runs import RUNS, DataFolder, assert_one_time_per_job
from tests.e2e.resume.scenario import Scenario
from tests.e2e.resume.server import SiteApi, Trigger, serving

pytestmark = pytest.mark.faults


@pytest.mark.parametrize("seed", range(RUNS))
def test_a_run_that_is_killed_at_random_ends_as_if_nobody_had_killed_it(seed: int, tmp_path: Path):
    scenario = Scenario(seed)
    state, ahead = scenario.state, scenario.at_once > 1
    with serving(scenario.site) as api:
        document = scenario.document(api.url, 1)
        reference = DataFolder.make(tmp_path / "reference", document, state, fetches_ahead=ahead)
        api.begin()
        assert reference.finish() == 0
        asked, api.asked = api.total, []
        document = scenario.document(api.url, scenario.parallelism)
        folder = DataFolder.make(tmp_path / "killed", document, state, fetches_ahead=ahead)
        lost = disturb(folder, api, scenario, asked.total(), reference.seconds)

    if scenario.has_times:
        assert folder.files_without_times() == reference.files_without_times()
    else:
        assert folder.files() == reference.files()
    assert_one_time_per_job(folder.out)
    assert api.asked_again(asked) <= lost
    assert all(each[key] <= asked[key] for each in api.asked for key in asked)


def disturb(folder: DataFolder, api: SiteApi, scenario: Scenario, requests: int, seconds: float) -> int:
    """All kills, and one attempt without; how many responses were lost at most."""
    lost = 0
    for kill in scenario.kills:
        left = max(1, requests - len(+api.total))
        api.begin()
        process = folder.start()
        if kill.moment is None:
            process.kill_after(kill.part * seconds)
        else:
            api.arm(Trigger(kill.moment, 1 + int(kill.part * left), process.kill, kill.delay))
        if process.wait() == 0:
            return lost
        lost += scenario.at_once + (damage(folder.journal, kill.damage) if kill.damage is not None else 0)
        if not folder.is_open:
            folder.attempts, api.asked, lost = 0, [], 0
    api.begin()
    assert folder.finish() == 0
    return lost
