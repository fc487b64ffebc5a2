"""A process that ends the jobs of a stack, and kills itself at a given point of the first one.

killed FOLDER DATABASE POINT

POINT is where it ends: `charged` (the entry is written, before the commit), `committed`, or `never`.
"""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable
from typing import Any

from penstock.app import open_from
from penstock.foundation.outbound import Policy
from penstock.services.queue.models.results import Result
from penstock.services.queue.models.statuses import Status
from penstock.services.queue.reports.job_events import caller_of
from penstock.services.queue.running import leases
from penstock.services.queue.running.leases import JobOutcome
from penstock.settings import Settings

POINTS = {"charged": "charge_job", "committed": "finish_job"}


def die_after(call: Callable[..., Any]) -> Callable[..., Any]:
    def then_die(*arguments: Any) -> None:
        call(*arguments)
        os.kill(os.getpid(), signal.SIGKILL)

    return then_die


def main(folder: str, database: str, point: str) -> None:
    stack = open_from(Settings(data_dir=folder, database=database or None), Policy())
    if point in POINTS:
        setattr(leases, POINTS[point], die_after(getattr(leases, POINTS[point])))
    outcome = JobOutcome(status=Status.SUCCESS, result=Result(message="Ended."))
    while job := leases.claim_job(stack, "killed"):
        leases.finish_job(stack, caller_of(job), job, outcome)


if __name__ == "__main__":
    main(*sys.argv[1:])
