"""Folders of jobs, removed when the jobs have ended.

What cannot be removed is moved out of the way into `leftovers/` of the data folder, and the log and `penstock doctor`
say so: no job can leave anything behind that stops a worker.
"""

from __future__ import annotations

import secrets
from contextlib import suppress
from pathlib import Path

from penstock.foundation.logging import Log
from penstock.foundation.removal import LEFTOVERS, remove_tree

log = Log("runtime")


def remove_job_folder(folder: Path) -> None:
    """Never raises."""
    if left := remove_tree(folder):
        _move_aside(folder, left)


def retry_leftovers(data_folder: Path) -> None:
    """Try again, without logging: they were logged when they were moved."""
    with suppress(OSError):
        for folder in list((data_folder / LEFTOVERS).iterdir()):
            remove_tree(folder)


def _move_aside(folder: Path, reason: str) -> None:
    target = folder.parents[1] / LEFTOVERS / f"{folder.name}-{secrets.token_hex(4)}"
    try:
        target.parent.mkdir(exist_ok=True, mode=0o700)
        folder.rename(target)
    except OSError as error:
        log.error("folder of a job not removed", folder=str(folder), reason=reason, not_moved=str(error))
    else:
        log.error("folder of a job not removed; it was moved aside", folder=str(target), reason=reason)
