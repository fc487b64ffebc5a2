"""A process that fires schedules on a clock that it is given, and kills itself at a given point.

killed FOLDER DATABASE TIME POINT

POINT is where it ends: `created` (the job is inserted), `recorded` (the slot too), `planned` (the next slot too),
all before the commit; `committed`; or `never`: then it fires all day, an hour of the clock every 50 ms, and ends.
"""

from __future__ import annotations

import os
import signal
import sys
import time
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

from penstock.app import open_from
from penstock.foundation import clock
from penstock.foundation.outbound import Policy
from penstock.services.queue import interface as queue
from penstock.services.scheduler import firing, store
from penstock.settings import Settings

POINTS: dict[str, tuple[Any, str]] = {
    "created": (queue, "create_job"),
    "recorded": (store, "add_run"),
    "planned": (store, "plan_slot"),
    "committed": (firing, "fire"),
}
HOURS = 24


def die_after(call: Callable[..., Any]) -> Callable[..., Any]:
    def then_die(*arguments: Any) -> None:
        call(*arguments)
        os.kill(os.getpid(), signal.SIGKILL)

    return then_die


def main(folder: str, database: str, moment: str, point: str) -> None:
    stack = open_from(Settings(data_dir=folder, database=database or None), Policy())
    now = datetime.fromisoformat(moment)
    if point in POINTS:
        module, name = POINTS[point]
        setattr(module, name, die_after(getattr(module, name)))
    for hour in range(HOURS):
        clock.source = lambda hour=hour: now + timedelta(hours=hour)
        firing.fire_due(stack)
        time.sleep(0.05)


if __name__ == "__main__":
    main(*sys.argv[1:])
