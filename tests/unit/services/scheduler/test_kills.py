"""Workers that are killed while they fire: a slot has one job, or none yet."""

from __future__ import annotations

import random
import signal
import subprocess
import sys
from datetime import timedelta
from pathlib import Path

import pytest

from tests.support.patience import PATIENCE
from tests.support.stacks import ServicesOnly
from tests.unit.services.scheduler.killed import HOURS, POINTS
from tests.unit.services.scheduler.schedules import NOON, activate, clock_at, count_jobs, show

pytestmark = pytest.mark.faults

ROOT = Path(__file__).parents[4]
DUE = NOON + timedelta(hours=1)
KILLS = 6


def start(services: ServicesOnly, point: str) -> subprocess.Popen[bytes]:
    place = services.settings.database or ""
    arguments = [str(services.stack.folder), place, DUE.isoformat(), point]
    return subprocess.Popen([sys.executable, "-m", "tests.unit.services.scheduler.killed", *arguments], cwd=ROOT)


@pytest.mark.parametrize("point", POINTS)
def test_a_slot_has_one_job_wherever_its_worker_dies(services_on_each: ServicesOnly, point: str) -> None:
    with clock_at(NOON):
        schedule = activate(services_on_each, "0 13 1 6 *")
    for _ in range(2):
        # After the commit there is nothing to fire any more, so the second one ends by itself.
        assert start(services_on_each, point).wait(PATIENCE) in (-signal.SIGKILL, 0)
        assert count_jobs(services_on_each) == (1 if point == "committed" else 0)
    assert start(services_on_each, "never").wait(PATIENCE) == 0

    [run] = show(services_on_each, schedule)["executions"]
    assert services_on_each.service("queue").get(f"/jobs/{run['jobId']}").status == 200
    assert count_jobs(services_on_each) == 1


def test_workers_that_die_at_random_fire_every_slot_once(services_on_each: ServicesOnly) -> None:
    """Each worker begins its day at noon again, so that its clock jumps back behind those of the others."""
    chance = random.Random(7)
    with clock_at(NOON):
        for _ in range(3):
            activate(services_on_each, "0 * * * *")
    for _ in range(KILLS):
        workers = [start(services_on_each, "never") for _ in range(2)]
        for worker in workers:
            try:
                worker.wait(chance.uniform(0.8, 2.5))
            except subprocess.TimeoutExpired:
                worker.kill()
                worker.wait()
    assert start(services_on_each, "never").wait(PATIENCE) == 0

    jobs = services_on_each.service("queue").get("/search/jobs?limit=500").json
    assert len(jobs) == 3 * HOURS
