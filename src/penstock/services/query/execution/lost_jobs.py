"""Jobs whose server process has ended before them: nobody runs them, so they fail, with a message that says why."""

from __future__ import annotations

from datetime import datetime

from penstock.foundation import clock
from penstock.foundation.database import Transaction
from penstock.foundation.jobs.claims import is_gone
from penstock.foundation.stack import Stack
from penstock.services.query import store
from penstock.services.query.charging import charge_job
from penstock.services.query.errors import ServerRestarted
from penstock.services.query.models.rows import JobRow
from penstock.services.query.models.statuses import JobStatus, StatementStatus

REMOVED_AT_ONCE = 1_000


def is_lost(job: JobRow, now: datetime) -> bool:
    if job.is_finished:
        return False
    return job.lease_until is None or job.lease_until < now or (job.worker is not None and is_gone(job.worker))


def fail_lost_job(tx: Transaction, stack: Stack, job: JobRow) -> None:
    """Fail a job: its first statement that has not ended failed, and the others were not executed."""
    now, message = clock.now(), ServerRestarted().message
    if not store.end_job(tx, job, JobStatus.FAILED, now):
        return
    charge_job(tx, stack, job, job.start_time, now)
    ended = [row for row in store.list_statements(tx, job) if not row.status.is_finished][:1]
    for row in ended:
        store.change_statement(tx, row, status=StatementStatus.FAILED, message=message, completed_time=now)
    store.end_statements(tx, job, now, StatementStatus.NOT_EXECUTED)


def maintain(stack: Stack) -> None:
    """Fail the jobs that are lost, and remove those that ended long ago."""
    now = clock.now()
    with stack.database.reading() as tx:
        lost = [job for job in store.list_unfinished(tx) if is_lost(job, now)]
        old = store.list_old(tx, now, REMOVED_AT_ONCE)
    for job in lost:
        with stack.database.writing(job.project_id) as tx:
            fail_lost_job(tx, stack, job)
    for job in old:
        with stack.database.writing(job.project_id) as tx:
            store.remove_job(tx, job)
