"""A process that checks triggers of a stack, and is killed with -9 at a point: `claimed`, `started` or `recorded`.

python -m tests.unit.services.queue.killed_trigger POINT, with the settings in the environment
"""

from __future__ import annotations

import os
import signal
import sys
from typing import Any

from penstock.app import open_from
from penstock.foundation.database import Transaction
from penstock.foundation.jobs.claims import worker_name
from penstock.foundation.outbound import Policy
from penstock.services.queue.interface import Job
from penstock.services.queue.store.trigger_runs import TriggerRun
from penstock.services.queue.triggers.worker import TriggerWorker
from penstock.services.storage.interface import Trigger
from penstock.settings import read_settings


class KilledWorker(TriggerWorker):
    def __init__(self, *given: Any, point: str) -> None:
        super().__init__(*given)
        self._point = point

    def claim(self) -> TriggerRun | None:
        run = super().claim()
        self._reach("claimed")
        return run

    def perform(self, job: TriggerRun) -> None:
        super().perform(job)
        self._reach("recorded")

    def _create_job(self, tx: Transaction, project_id: int, trigger: Trigger) -> Job:
        job = super()._create_job(tx, project_id, trigger)
        self._reach("started")
        return job

    def _reach(self, point: str) -> None:
        if point == self._point:
            os.kill(os.getpid(), signal.SIGKILL)


if __name__ == "__main__":
    stack = open_from(read_settings(), Policy())
    KilledWorker(stack, worker_name("killed"), point=sys.argv[1]).run_one()
