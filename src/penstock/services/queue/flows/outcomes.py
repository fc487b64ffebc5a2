"""How tasks and phases ended, and what that means for what they are part of."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from penstock.services.queue.models.statuses import Status

SKIPPED = "skipped"
FAILED = frozenset((Status.ERROR, Status.TERMINATED, Status.CANCELLED))


class Ending(msgspec.Struct, frozen=True):
    status: str
    is_tolerated: bool = False
    """Whether its failure is only a warning."""

    @property
    def is_failed(self) -> bool:
        return self.status in FAILED


def judge(endings: Iterable[Ending]) -> Status:
    """How the whole ended: an error, unless every failure is tolerated."""
    status = Status.SUCCESS
    for ending in endings:
        if ending.is_failed and not ending.is_tolerated:
            return Status.ERROR
        if ending.is_failed or ending.status == Status.WARNING:
            status = Status.WARNING
    return status
