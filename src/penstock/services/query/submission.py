"""A query job is stored in the caller's transaction, and started when that is committed."""

from __future__ import annotations

from functools import partial

from penstock.foundation.callers import Caller
from penstock.foundation.database import Transaction
from penstock.foundation.jobs.waiting import Wait
from penstock.foundation.stack import Stack
from penstock.services.billing import interface as billing
from penstock.services.query import operations
from penstock.services.query.execution.executor import executor_of
from penstock.services.query.models.requests import NewQuery
from penstock.services.query.models.rows import JobRow
from penstock.services.storage import interface as storage


def submit(
    tx: Transaction, stack: Stack, caller: Caller, workspace: storage.SqlWorkspace, new_query: NewQuery
) -> tuple[JobRow, Wait]:
    """The caller is in the branch of the workspace. The wait is for `request.waits`: it starts the job."""
    billing.check_credits(tx, stack, caller)
    executor = executor_of(stack)
    starts_now = executor.has_room(caller.project_id, str(new_query.session_id))
    job, rows = operations.add_job(tx, caller, workspace.id, new_query, worker=executor.name, starts_now=starts_now)
    return job, Wait(lambda: True, 0, partial(executor.start, caller, workspace, job, rows))
