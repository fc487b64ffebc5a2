"""Charges the time that a job was processed, in the transaction in which it ends.

Every finished job that runs a component and was ever claimed has one entry in the ledger, whichever way it ended. Jobs
that are made of others are free: their children are charged.
"""

from __future__ import annotations

from penstock.foundation.database import Transaction
from penstock.foundation.stack import Stack
from penstock.services.billing import interface as billing
from penstock.services.queue.models.jobs import JobRow, Kind

WRITER = "writer"


def charge_job(tx: Transaction, stack: Stack, job: JobRow) -> None:
    """`job` as it has ended."""
    if used := to_used(job):
        billing.charge(tx, stack, used)


def to_used(job: JobRow) -> billing.Used | None:
    """What a job used; None if it is free."""
    if job.type is not Kind.STANDARD or not job.start_time or not job.end_time:
        return None
    return billing.Used(
        project_id=job.project_id,
        kind=billing.Kind.JOB,
        reference=str(job.id),
        duration=billing.measure_duration(job.start_time, job.end_time),
        component=job.component,
        component_type=job.component_type,
        configuration=job.config or "",
        size=str(job.backend.get("type") or job.backend.get("containerType") or ""),
        bytes=_count_bytes(job),
        rows=job.rows_written,
    )


def _count_bytes(job: JobRow) -> int:
    """Count the bytes: of a writer those that it read from Storage, of others those that they wrote."""
    sizes = job.metrics.get("storage", {})
    return int(sizes.get("inputTablesBytesSum" if job.component_type == WRITER else "outputTablesBytesSum", 0))
