"""What all changes of a table share: a job with the table's lock key, and an event."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from typing import Any

from penstock.foundation.callers import Caller
from penstock.foundation.database import Transaction
from penstock.foundation.files import locks
from penstock.foundation.lake import LakeTable
from penstock.foundation.stack import Stack
from penstock.services.storage.models.buckets import BucketRow
from penstock.services.storage.models.jobs import JobRow
from penstock.services.storage.models.tables import TableRow
from penstock.services.storage.names import split_table_id
from penstock.services.storage.operations import jobs
from penstock.services.storage.operations.buckets import bucket_lock, get_own_bucket
from penstock.services.storage.operations.events import add_event
from penstock.services.storage.operations.tables.losses import detecting_loss
from penstock.services.storage.operations.tables.tables import Located, get_own_table


def plan_change(tx: Transaction, caller: Caller, operation: str, table_id: str, params: dict[str, Any]) -> JobRow:
    new = jobs.NewJob(operation=operation, params=params, lock_key=table_id, table_id=table_id)
    return jobs.create_job(tx, caller, new)


@contextmanager
def locked_table(stack: Stack, caller: Caller, job: JobRow) -> Generator[Located]:
    """The table, read again under its lock: loads of components do not use the lock keys of jobs."""
    place = read_table(stack, caller, job).place
    with using_bucket(stack, place.bucket), stack.lake.one_writer(place):
        located = read_table(stack, caller, job)
        with detecting_loss(stack, located.place, located.row.id):
            yield located


@contextmanager
def locked_table_name(stack: Stack, caller: Caller, job: JobRow) -> Generator[tuple[BucketRow, LakeTable]]:
    """A bucket and the lock of a table name in it, so that no other process creates the table at the same time."""
    bucket_id, name = split_table_id(job.table_id or "")
    with stack.database.reading() as tx:
        number = get_own_bucket(tx, caller, bucket_id).number
    place = LakeTable(number, name)
    with using_bucket(stack, number), stack.lake.one_writer(place):
        with stack.database.reading() as tx:
            bucket = get_own_bucket(tx, caller, bucket_id)
        yield bucket, place


@contextmanager
def using_bucket(stack: Stack, number: int) -> Generator[None]:
    """Prevent the deletion of the bucket meanwhile."""
    with locks.shared(bucket_lock(stack, number)):
        yield


def read_table(stack: Stack, caller: Caller, job: JobRow) -> Located:
    with stack.database.reading() as tx:
        return get_own_table(tx, caller, job.table_id or "")


def publish_change(tx: Transaction, caller: Caller, event: str, row: TableRow, what: str) -> None:
    """The results tell how many rows the table has since then."""
    size = {"totalRowsCount": row.rows_count, "totalDataSizeBytes": row.data_size_bytes}
    add_event(tx, caller, event, f"{what} table {row.id}", object_id=row.id, object_type="table", results=size)
