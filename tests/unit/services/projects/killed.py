"""A worker that purges a project, and kills itself at a given point.

killed FOLDER DATABASE POINT

POINT is after what it ends: `tables`, `outside` (files and workspaces too), `rows`, which are removed but not
committed, or `portion`, the first rows that are.
"""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable
from typing import Any

from penstock.app import open_from
from penstock.foundation.jobs.claims import worker_name
from penstock.foundation.outbound import Policy
from penstock.services.storage import purging
from penstock.settings import Settings

POINTS: dict[str, str] = {
    "tables": "drop_bucket",
    "outside": "remove_outside",
    "rows": "remove_portion",
    "portion": "remove_some",
}


def die_after(call: Callable[..., Any]) -> Callable[..., Any]:
    def then_die(*arguments: Any) -> None:
        call(*arguments)
        os.kill(os.getpid(), signal.SIGKILL)

    return then_die


def main(folder: str, database: str, point: str) -> None:
    stack = open_from(Settings(data_dir=folder, database=database or None), Policy())
    setattr(purging, POINTS[point], die_after(getattr(purging, POINTS[point])))
    purging.PurgeWorker(stack, worker_name("killed")).run_one()


if __name__ == "__main__":
    main(*sys.argv[1:])
