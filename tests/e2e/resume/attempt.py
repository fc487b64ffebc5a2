"""What is killed: the command with a clock that stands still, so that what depends on the time can be told."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

from penstock.cli import main
from penstock.extractor.requests.journal import sync
from penstock.foundation import clock
from tests.e2e.resume.steps import Steps

OFTEN = 0.01
"""Seconds between two syncs: short runs must have some, too."""


def attempt(moment: int, last: int, listing: str, arguments: list[str]) -> int:
    """At a Unix time. It kills itself before its `last` step, unless that is 0; the steps of a run that ends go to the
    file `listing`, without which nobody counts them."""
    now = datetime.fromtimestamp(moment, UTC)
    clock.source = lambda: now
    if not listing:
        return main(arguments)
    sync.SECONDS = OFTEN
    steps = Steps(last)
    steps.begin()
    code = main(arguments)
    steps.end()
    Path(listing).write_text("\n".join(steps.labels))
    return code
