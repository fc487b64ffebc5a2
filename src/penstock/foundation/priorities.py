"""Who gets the processors first when there are too few: requests, before the jobs of workers and their components."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

AUTOGROUP = Path("/proc/self/autogroup")
"""Linux shares processors between sessions first, where it is set up so (`kernel.sched_autogroup_enabled`)."""


def lower_priority(niceness: int) -> None:
    """Of this process, of what it starts, and of its session, which should be its own."""
    os.nice(niceness)
    with suppress(OSError):
        AUTOGROUP.write_text(str(os.nice(0)))
