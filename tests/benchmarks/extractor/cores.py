"""Two cores, two roles: the server and this program on one, whatever is measured on the other."""

from __future__ import annotations

import os
import sys
from typing import NamedTuple


class Cores(NamedTuple):
    server: int
    measured: int


def choose_cores() -> Cores | None:
    """None where a process cannot be bound to a core, or where there is only one."""
    if sys.platform != "linux":
        return None
    available = sorted(os.sched_getaffinity(0))
    return Cores(available[0], available[-1]) if len(available) > 1 else None


def bind(core: int) -> None:
    """This process, and those that it starts from now on."""
    if sys.platform == "linux":
        os.sched_setaffinity(0, {core})
