"""What other services may call in Query."""

from __future__ import annotations

from penstock.foundation.callers import Caller
from penstock.foundation.database import Transaction
from penstock.foundation.jobs.waiting import Wait
from penstock.foundation.stack import Stack
from penstock.services.query import operations, submission
from penstock.services.query.models.requests import NewQuery
from penstock.services.storage import interface as storage

__all__ = ["NewQuery", "check_query", "submit_query"]


def check_query(new_query: NewQuery) -> None:
    """Raise what is wrong with a request by itself."""
    operations.check_query(new_query)


def submit_query(
    tx: Transaction, stack: Stack, caller: Caller, workspace: storage.SqlWorkspace, new_query: NewQuery
) -> tuple[str, Wait]:
    """The id of the new job, and what to add to `request.waits`, which starts it after the commit. The caller is in the
    branch of the workspace."""
    job, wait = submission.submit(tx, stack, caller, workspace, new_query)
    return str(job.id), wait
