"""Entries of the ledger and their totals, as stored; balances and durations, as requested and returned.

Amounts are whole micro-credits and durations whole microseconds: their sums are exact on every database.
"""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum
from typing import Annotated

import msgspec

from penstock.foundation.constraints import matching
from penstock.foundation.prices import MICRO
from penstock.services.management import interface as management

SECOND = 1_000_000
"""In microseconds."""
HOUR, MINUTE = 3600 * SECOND, 60 * SECOND
MAX_SECONDS = 366 * 86_400


class Kind(StrEnum):
    """What an entry is for. `reference` of an entry is unique in a project and kind."""

    JOB = "job"
    REPORTED_JOB = "reportedJob"
    """A job of another queue, whose duration was sent to us."""
    QUERY = "query"
    WORKSPACE = "workspace"
    SANDBOX = "sandbox"

    @property
    def is_job(self) -> bool:
        return self in (Kind.JOB, Kind.REPORTED_JOB)


class Used(msgspec.Struct, frozen=True, kw_only=True):
    """What is to be charged."""

    project_id: int
    kind: Kind
    reference: str
    """What used it: the id of a job."""
    duration: int
    component: str = ""
    component_type: str = ""
    configuration: str = ""
    size: str = ""
    """Of the backend; empty is the usual one."""
    bytes: int = 0
    rows: int = 0


class EntryRow(msgspec.Struct, frozen=True, kw_only=True):
    project_id: int
    kind: Kind
    reference: str
    component: str
    configuration: str
    day: str
    """In UTC: `2026-11-17`."""
    created: datetime
    duration: int
    free: int
    """The part of the duration that was within the free minutes of the month."""
    bytes: int
    rows: int
    amount: int
    hour_price: int
    gigabyte_price: int
    """The prices at that time, in micro-credits."""
    owed: int
    """What of the amount is to be paid: all or nothing, as the project paid as it goes at that time."""


class Account(msgspec.Struct, frozen=True, kw_only=True):
    """The totals of a project."""

    features: list[str]
    jobs: int | None
    workspaces: int | None
    owed: int | None
    """What is to be paid of these: what was used while the project paid as it goes."""
    month: str | None
    """None without any entry."""
    free: int | None
    """Of that month."""
    is_charged: bool = False
    """Whether there is an entry with the reference that was asked for."""

    @property
    def is_pay_as_you_go(self) -> bool:
        return management.PAY_AS_YOU_GO in self.features

    @property
    def consumed(self) -> int:
        return (self.jobs or 0) + (self.workspaces or 0)


class Consumed(msgspec.Struct, frozen=True):
    consumed: float


class WorkspaceJobs(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    workspace_type: str = "sandbox-sql"
    warehouse_size: str = "small"
    consumed: float


class FreeMinutes(msgspec.Struct, frozen=True):
    used: float
    remaining: float


class Stats(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    component_jobs: Consumed
    workspace_jobs: WorkspaceJobs
    free_minutes: FreeMinutes
    """Of this month; 0 without `pay-as-you-go`."""


class Balance(msgspec.Struct, frozen=True, kw_only=True):
    consumed: float
    """The price of all that was used."""
    remaining: float
    """What was bought, less what was used while the project paid as it goes."""
    stats: Stats


class Recorded(msgspec.Struct, frozen=True):
    """What a reported duration costs."""

    consumed: float


Seconds = Annotated[float, msgspec.Meta(ge=0, le=MAX_SECONDS)]
Name = Annotated[str, msgspec.Meta(min_length=1, max_length=255)]
Number = (
    Annotated[int, msgspec.Meta(gt=-(10**18), lt=10**18)]
    | Annotated[str, matching(r"^[0-9]{1,18}$(?!\n)", "the number of a project", "42")]
)
"""The id of a project; clients send either."""
Reference = int | Name
Word = Annotated[str, msgspec.Meta(max_length=255)]


class Backend(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    type: Word = ""
    """Size of the backend that the job ran on."""
    container_type: Word = ""
    """Size of the container that the job ran in."""


class JobDuration(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    project_id: Number
    """Id of the project to charge."""
    job_id: Reference
    """Id of the job. A job is charged once."""
    duration_seconds: Seconds
    """How long the job ran, in seconds."""
    component_id: Word = ""
    """Id of the component that ran."""
    job_type: Word = "standard"
    """Kind of the job. Only `standard` jobs are charged."""
    backend: Backend = Backend()
    """What the job ran on."""


class WorkspaceDuration(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    project_id: Number
    """Id of the project to charge."""
    workspace_type: Name
    """Kind of the workspace."""
    warehouse_size: Name = "small"
    """Size of the workspace."""
    duration_seconds: Seconds
    """How long the workspace was used, in seconds."""


class SandboxDuration(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    project_id: Number
    """Id of the project to charge."""
    sandbox_id: Reference
    """Id of the sandbox."""
    sandbox_type: Name
    """Kind of the sandbox."""
    sandbox_size: Name = "small"
    """Size of the sandbox."""
    duration_seconds: Seconds
    """How long the sandbox was used, in seconds."""


def to_credits(micro: int) -> float:
    """A number for clients: it has the six digits after the point that a micro-credit has."""
    return micro / MICRO


def to_duration(seconds: float) -> int:
    return round(seconds * SECOND)
