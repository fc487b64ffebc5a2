"""What Storage asks of Queue. It is given to it when a stack is built, since Queue is above it."""

from __future__ import annotations

from collections.abc import Callable

import msgspec

from penstock.foundation.database import Transaction


class Queue(msgspec.Struct, frozen=True, kw_only=True):
    list_runs: Callable[[Transaction, int, str], list[str]]
    """The run ids under which a job of a project, named by its id or its run id, and the jobs that it is made of have
    stored their events."""
