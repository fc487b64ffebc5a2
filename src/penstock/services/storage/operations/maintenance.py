"""Maintenance of tables, files, events and jobs, so that they neither grow without limit nor slow down."""

from __future__ import annotations

from datetime import datetime, timedelta

from penstock.foundation import clock
from penstock.foundation.callers import Caller
from penstock.foundation.database import Transaction
from penstock.foundation.errors import AppError
from penstock.foundation.lake import maintain
from penstock.foundation.logging import Log
from penstock.foundation.stack import Stack
from penstock.services.storage.models.jobs import JobRow
from penstock.services.storage.operations.events import remove_old_events
from penstock.services.storage.operations.files.files import remove_expired
from penstock.services.storage.operations.tables.changes import plan_change, read_table
from penstock.services.storage.operations.tables.tables import get_own_table
from penstock.services.storage.operations.workspaces.folders import maintain_folders, remove_expired_workspaces
from penstock.services.storage.store import buckets, jobs

log = Log("storage")

RECENT = timedelta(days=9)
"""Buckets changed within this time are maintained: old versions of their tables are removed after seven days."""


def plan_optimization(tx: Transaction, caller: Caller, table_id: str) -> JobRow:
    get_own_table(tx, caller, table_id)
    return plan_change(tx, caller, "tableOptimize", table_id, {})


def optimize(stack: Stack, caller: Caller, job: JobRow) -> None:
    """Compact a bucket: its tables share a catalog, so all of them benefit."""
    _maintain(stack, read_table(stack, caller, job).place.bucket)


def maintain_recent(stack: Stack) -> None:
    maintain_all(stack, clock.now() - RECENT)


def maintain_all(stack: Stack, since: datetime) -> None:
    """Run all maintenance; of buckets, only those changed since that time."""
    remove_expired(stack)
    remove_old_events(stack)
    remove_expired_workspaces(stack)
    maintain_folders(stack)
    with stack.database.writing() as tx:
        jobs.remove_old_jobs(tx, clock.now())
    with stack.database.reading() as tx:
        changed = buckets.list_changed_numbers(tx, since)
    for number in changed:
        try:
            _maintain(stack, number)
        except AppError as error:
            # A damaged bucket must not prevent the maintenance of the others.
            log.warning("maintenance of a bucket failed", bucket=number, reason=str(error))


def _maintain(stack: Stack, number: int) -> None:
    with stack.database.reading() as tx:
        known = buckets.list_table_names(tx, number)
    maintain(stack.lake, number, tables=known)
