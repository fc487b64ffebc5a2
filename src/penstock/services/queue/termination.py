"""Terminates a job on request."""

from __future__ import annotations

from penstock.foundation.callers import Caller
from penstock.foundation.database import Transaction
from penstock.foundation.stack import Stack
from penstock.services.queue import flows
from penstock.services.queue.errors import NotKillable
from penstock.services.queue.models.jobs import JobRow
from penstock.services.queue.operations.reading import get_job


def terminate_job(tx: Transaction, stack: Stack, caller: Caller, job_id: str) -> JobRow:
    job = get_job(tx, caller, job_id)
    if not job.status.is_killable:
        raise NotKillable(job.id, job.status)
    stopped = flows.stop_job(tx, job)
    if stopped.is_finished:
        flows.notify_parent(tx, stack, stopped)
    return stopped
