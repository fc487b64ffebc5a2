"""Reads a job, if the caller may see it."""

from __future__ import annotations

from penstock.foundation import ids
from penstock.foundation.callers import Caller
from penstock.foundation.database import Transaction
from penstock.services.management import interface as management
from penstock.services.queue.errors import JobNotFound
from penstock.services.queue.models.jobs import JobRow
from penstock.services.queue.store import jobs


def get_job(tx: Transaction, caller: Caller, job_id: str) -> JobRow:
    """A job of the caller's project and of a component that they may use."""
    number = ids.read_id(job_id)
    job = jobs.find_job(tx, caller.project_id, number) if number is not None else None
    if not job or not (caller.may_use_component(job.component) or job.token_id == caller.token_id):
        raise JobNotFound(job_id)
    return job


def get_project_name(tx: Transaction, caller: Caller) -> str:
    return management.get_project(tx, caller.project_id).name
