"""How tasks and phases ended, and the status of the flow that they are part of."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from penstock.services.queue.models.statuses import Status

SKIPPED = "skipped"
FAILED = frozenset((Status.ERROR, Status.TERMINATED, Status.CANCELLED))


class Outcome(msgspec.Struct, frozen=True):
    status: str
    is_tolerated: bool = False
    """Whether its failure is only a warning."""

    @property
    def is_failed(self) -> bool:
        return self.status in FAILED


def overall_status(outcomes: Iterable[Outcome]) -> Status:
    """Return the status of the whole: an error, unless every failure is tolerated."""
    status = Status.SUCCESS
    for outcome in outcomes:
        if outcome.is_failed and not outcome.is_tolerated:
            return Status.ERROR
        if outcome.is_failed or outcome.status == Status.WARNING:
            status = Status.WARNING
    return status
