"""Workers that are killed while they end a job: it is charged once, by whoever ends it."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path

import pytest
from sqlalchemy import text

from tests.support.patience import PATIENCE
from tests.support.stacks import ServicesOnly
from tests.unit.services.billing.killed import POINTS
from tests.unit.services.billing.ledger import check_ledger
from tests.unit.services.queue.jobs import add_job

pytestmark = pytest.mark.faults

ROOT = Path(__file__).parents[4]
JOBS = 4


def run(services: ServicesOnly, point: str) -> int:
    arguments = [str(services.stack.folder), services.settings.database or "", point]
    program = [sys.executable, "-m", "tests.unit.services.billing.killed", *arguments]
    return subprocess.run(program, cwd=ROOT, timeout=PATIENCE, check=False).returncode


@pytest.mark.parametrize("point", POINTS)
def test_a_job_is_charged_once_wherever_its_worker_dies(services: ServicesOnly, point: str) -> None:
    for _ in range(JOBS):
        add_job(services)
    for kills in range(1, 3):
        assert run(services, point) == -signal.SIGKILL
        assert check_ledger(services) == (kills if point == "committed" else 0)
        with services.stack.database.writing() as tx:
            tx.change(text("UPDATE queue_jobs SET lease_until = '2000-01-01 00:00:00.000000' WHERE NOT is_finished"))
    assert run(services, "never") == 0

    assert check_ledger(services) == JOBS
