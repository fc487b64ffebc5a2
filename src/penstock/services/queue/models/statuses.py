"""The statuses of a job, and the only place that says which may follow which."""

from __future__ import annotations

from enum import StrEnum


class Status(StrEnum):
    CREATED = "created"
    WAITING = "waiting"
    PROCESSING = "processing"
    TERMINATING = "terminating"
    SUCCESS = "success"
    WARNING = "warning"
    ERROR = "error"
    CANCELLED = "cancelled"
    TERMINATED = "terminated"

    @property
    def is_final(self) -> bool:
        return not FOLLOWING[self]

    @property
    def is_killable(self) -> bool:
        return self in (Status.CREATED, Status.WAITING, Status.PROCESSING)


FOLLOWING: dict[Status, frozenset[Status]] = {
    Status.CREATED: frozenset((Status.WAITING, Status.PROCESSING, Status.TERMINATING, Status.CANCELLED)),
    Status.WAITING: frozenset((Status.CREATED, Status.PROCESSING, Status.TERMINATING, Status.CANCELLED)),
    Status.PROCESSING: frozenset(
        (Status.CREATED, Status.TERMINATING, Status.SUCCESS, Status.WARNING, Status.ERROR, Status.TERMINATED)
    ),
    # A job that ended while it was being terminated has the result of its component.
    Status.TERMINATING: frozenset((Status.CANCELLED, Status.TERMINATED, Status.SUCCESS, Status.WARNING, Status.ERROR)),
    Status.SUCCESS: frozenset(),
    Status.WARNING: frozenset(),
    Status.ERROR: frozenset(),
    Status.CANCELLED: frozenset(),
    Status.TERMINATED: frozenset(),
}

PRECEDING = {status: [before for before in Status if status in FOLLOWING[before]] for status in Status}


class StatusError(Exception):
    """A change of status that is not allowed; `code` is that of the original API."""

    def __init__(self, code: str, current: Status, target: Status) -> None:
        super().__init__(f"{code}: {current} → {target}")
        self.code = code


def check_change(current: Status, target: Status) -> None:
    if current == target:
        raise StatusError("statusTargetEqualsCurrent", current, target)
    if current.is_final:
        raise StatusError("statusTerminal", current, target)
    if target not in FOLLOWING[current]:
        raise StatusError("statusTransitionForbidden", current, target)
