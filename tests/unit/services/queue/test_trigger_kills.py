"""Workers that are killed while they check a trigger: its job is started once."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.stacks import ServicesOnly, clean_environment
from tests.unit.services.fill import load_table
from tests.unit.services.notification.deliveries import deliver_events, wait_until
from tests.unit.services.queue.flows.world import World
from tests.unit.services.queue.test_triggers import CSV, ORDERS, add_trigger, list_configs, load

pytestmark = pytest.mark.faults

ROOT = Path(__file__).parents[4]


@pytest.mark.parametrize("point", ["claimed", "started", "recorded"])
def test_a_load_starts_one_job_wherever_the_worker_is_killed(
    services: ServicesOnly, point: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    world = World(services)
    load_table(services, ORDERS, CSV)
    world.configure("report")
    add_trigger(world)
    load(world)
    deliver_events(world.stack)
    command = [sys.executable, "-m", "tests.unit.services.queue.killed_trigger", point]
    variables = {**clean_environment(), **services.settings.to_environment()}
    assert subprocess.run(command, cwd=ROOT, env=variables, check=False).returncode == -signal.SIGKILL
    wait_until(monkeypatch, seconds=16)

    assert list_configs(world) == ["report"]
