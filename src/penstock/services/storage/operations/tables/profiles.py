"""Profiles of tables: computed by a job, and kept with it."""

from __future__ import annotations

from penstock.foundation import clock
from penstock.foundation.callers import Caller
from penstock.foundation.database import Transaction
from penstock.foundation.lake import MAX_EXACT_ROWS, ColumnStatistics, measure_columns
from penstock.foundation.stack import Stack
from penstock.services.storage.errors.tables import InvalidTable, ProfileNotFound
from penstock.services.storage.models import to_text
from penstock.services.storage.models.jobs import JobRow
from penstock.services.storage.models.profiles import (
    ColumnFacts,
    ColumnProfile,
    LengthProfile,
    NumberProfile,
    TableFigures,
    TableProfile,
)
from penstock.services.storage.operations import jobs
from penstock.services.storage.operations.tables.losses import detecting_loss
from penstock.services.storage.operations.tables.tables import Located, get_table
from penstock.services.storage.store import jobs as store

OPERATION = "tableProfile"


def plan_profile(tx: Transaction, caller: Caller, table_id: str) -> JobRow:
    """A job that reads the table once; nothing waits for it, and it waits for no load."""
    _get_own(tx, caller, table_id)
    return jobs.create_job(tx, caller, jobs.NewJob(operation=OPERATION, params={}, table_id=table_id))


def compute_profile(stack: Stack, caller: Caller, job: JobRow) -> TableProfile:
    with stack.database.reading() as tx:
        located = _get_own(tx, caller, job.table_id or "")
    row = located.row
    with detecting_loss(stack, located.place, row.id):
        count, found = measure_columns(stack.lake, located.place, row.columns, is_typed=row.types is not None)
    return TableProfile(
        table_id=row.id,
        created_at=to_text(clock.now()),
        profile=TableFigures(row_count=count, column_count=len(row.columns), data_size=row.data_size_bytes),
        columns=[ColumnProfile(name=each.name, profile=_view(each, count)) for each in found],
    )


def get_profile(tx: Transaction, caller: Caller, table_id: str) -> TableProfile:
    """The newest one of this table; one of an earlier table of the same id does not count."""
    row = _get_own(tx, caller, table_id).row
    branch_id = caller.storage_branch_id if caller.has_storage_branches else None
    job = store.find_newest_done(tx, caller.project_id, OPERATION, table_id, branch_id, row.created)
    if not job:
        raise ProfileNotFound(table_id)
    return jobs.read_results(job, TableProfile)


def _get_own(tx: Transaction, caller: Caller, table_id: str) -> Located:
    located = get_table(tx, caller, table_id)
    if located.row.is_alias:
        raise InvalidTable(f'"{table_id}" is an alias; compute the profile of its source table.')
    return located


def _view(statistics: ColumnStatistics, rows: int) -> ColumnFacts:
    numbers = statistics.numbers
    return ColumnFacts(
        null_count=max(0, rows - statistics.values),
        distinct_count=statistics.distinct,
        duplicate_count=statistics.values - statistics.distinct,
        is_estimate=rows > MAX_EXACT_ROWS,
        length=LengthProfile(min=statistics.shortest, max=statistics.longest, avg=statistics.average_length),
        min_value=statistics.least,
        max_value=statistics.greatest,
        numeric_statistics=NumberProfile(min=numbers.min, max=numbers.max, avg=numbers.avg, median=numbers.median)
        if numbers
        else None,
    )
