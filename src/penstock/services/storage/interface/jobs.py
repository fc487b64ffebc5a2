"""Events, and jobs of Storage."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from penstock.foundation.callers import Caller
from penstock.foundation.database import Transaction
from penstock.services.storage.models.events import EventQuery, NewEvent
from penstock.services.storage.operations import (
    events,
    jobs,
)


class JobEnd(msgspec.Struct, frozen=True):
    """How a job of Storage ended: without an error, or with this message."""

    error: str | None


def add_events(tx: Transaction, caller: Caller, happened: Sequence[NewEvent]) -> None:
    events.add_events(tx, caller, happened)


class RunEvent(msgspec.Struct, frozen=True):
    type: str
    message: str


def list_run_events(tx: Transaction, caller: Caller, runs: Sequence[str], limit: int) -> list[RunEvent]:
    """Return the newest events of these runs, oldest first: those that the caller may read."""
    found = events.list_events(tx, caller, EventQuery(run_id=runs[0], limit=limit), runs)
    return [RunEvent(event.type, event.message) for event in reversed(found)]


def find_job_end(tx: Transaction, project_id: int, job_id: int) -> JobEnd | None:
    """How a job of Storage ended; None while it has not. Jobs are kept for 90 days."""
    row = jobs.find_job(tx, project_id, job_id)
    if not row:
        return JobEnd(f"How job {job_id} ended is not recorded any more.")
    return JobEnd(jobs.read_error(row)) if row.is_finished else None
