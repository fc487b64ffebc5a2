"""Charges the time of a query job, in the transaction in which it ends."""

from __future__ import annotations

from datetime import datetime

from penstock.foundation.database import Transaction
from penstock.foundation.stack import Stack
from penstock.services.billing import interface as billing
from penstock.services.query.models.rows import JobRow


def charge_job(
    tx: Transaction, stack: Stack, job: JobRow, start: datetime | None, end: datetime, rows: int = 0
) -> None:
    """`rows` are those that its statements returned or changed. One that never began is free."""
    if start:
        used = billing.Used(
            project_id=job.project_id,
            kind=billing.Kind.QUERY,
            reference=str(job.id),
            duration=billing.measure_duration(start, end),
            rows=rows,
        )
        billing.charge(tx, stack, used)
