"""The workers of a running stack stay up, and no folders of jobs are left behind."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from penstock.cli.doctor.check import Check, note, ok, wrong
from penstock.foundation.removal import LEFTOVERS
from penstock.server.restarts import read_failing
from penstock.server.running import read_running
from penstock.settings import Settings


def examine(settings: Settings) -> Iterator[Check]:
    if read_running(settings.folder):
        yield check_workers(settings.folder)
    yield from check_leftovers(settings.folder)


def check_workers(folder: Path) -> Check:
    failing = read_failing(folder)
    if not failing:
        return ok("workers", "they stay up")
    first = failing[0]
    more = f", and {len(failing) - 1} more like it" if len(failing) > 1 else ""
    text = f"{first.worker} ended {first.ends} times in a row right after its start{more}: {first.reason}"
    return wrong("workers", text, f"See {folder / 'logs' / first.worker}.log; nothing runs until it is fixed.")


def check_leftovers(folder: Path) -> Iterator[Check]:
    """Folders of jobs that could not be removed."""
    aside = folder / LEFTOVERS
    try:
        found = sorted(path.name for path in aside.iterdir())
    except OSError:
        return
    if found:
        text = f"{len(found)} folders of jobs could not be removed, such as {aside / found[0]}"
        yield note("leftovers", text, f"Find what holds them (mount, lsattr -R), then: sudo rm -rf {aside}")
