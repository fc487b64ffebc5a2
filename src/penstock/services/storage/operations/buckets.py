"""Buckets: access to them, creation and deletion."""

from __future__ import annotations

from pathlib import Path

import msgspec

from penstock.foundation import clock, ids
from penstock.foundation.callers import Caller
from penstock.foundation.database import Transaction
from penstock.foundation.files import locks
from penstock.foundation.lake import drop_bucket
from penstock.foundation.stack import Stack
from penstock.foundation.stack.catalog_versions import forget_versions
from penstock.services.storage.errors.buckets import (
    BucketExists,
    BucketIsLinked,
    BucketNotEmpty,
    BucketNotFound,
    InvalidBucket,
    LinkedBucket,
)
from penstock.services.storage.errors.tokens import NotYours
from penstock.services.storage.models.buckets import BucketChange, BucketRow, NewBucket
from penstock.services.storage.models.jobs import JobRow
from penstock.services.storage.models.metadata import BUCKET, COLUMN, TABLE, Owner
from penstock.services.storage.names import STAGES, check_bucket_id, is_name
from penstock.services.storage.operations import jobs, metadata
from penstock.services.storage.operations.branches import check_branch
from penstock.services.storage.operations.events import add_event
from penstock.services.storage.operations.permissions import may_read_bucket, may_write_bucket
from penstock.services.storage.operations.tokens import forget_bucket
from penstock.services.storage.store import buckets, tables

BACKEND = "snowflake"
"""The engine that this stack presents itself as."""


def list_buckets(tx: Transaction, caller: Caller) -> list[BucketRow]:
    found = buckets.list_buckets(tx, caller.project_id, caller.storage_branch_id)
    return [_with_source(tx, row) for row in found if may_read_bucket(caller, row.id)]


def list_bucket_ids(tx: Transaction, caller: Caller) -> list[str]:
    """The ids of all buckets of the project, whatever the caller may read: to show the permissions of a token that
    manages buckets."""
    return [row.id for row in buckets.list_buckets(tx, caller.project_id, caller.storage_branch_id)]


def measure_project(tx: Transaction, caller: Caller) -> tuple[int, int]:
    """Rows and bytes of all tables of the project in all branches, without linked buckets."""
    return buckets.measure_project(tx, caller.project_id)


def get_bucket(tx: Transaction, caller: Caller, bucket_id: str) -> BucketRow:
    found = buckets.find_bucket(tx, caller.project_id, caller.storage_branch_id, bucket_id)
    if not found:
        raise BucketNotFound(bucket_id, caller.project_id)
    if not may_read_bucket(caller, bucket_id):
        raise NotYours
    return _with_source(tx, found)


def get_own_bucket(tx: Transaction, caller: Caller, bucket_id: str) -> BucketRow:
    """A bucket to write into: linked buckets are refused."""
    row = get_bucket(tx, caller, bucket_id)
    check_may_write(caller, bucket_id)
    if row.is_linked:
        raise LinkedBucket
    return row


def find_source_bucket(tx: Transaction, row: BucketRow) -> BucketRow:
    """The bucket that holds the tables: the bucket itself, or the source of a linked one."""
    if not row.source_project_id or not row.source_bucket_id:
        return row
    return buckets.find_shared(tx, row.source_project_id, row.source_bucket_id, row.project_id) or row


def owner_of(row: BucketRow) -> Owner:
    """The owner of its metadata."""
    return Owner(row.project_id, row.branch_id, BUCKET, row.id)


def check_may_write(caller: Caller, bucket_id: str) -> None:
    if not may_write_bucket(caller, bucket_id):
        raise NotYours


def create_bucket(tx: Transaction, caller: Caller, new_bucket: NewBucket) -> BucketRow:
    name = f"c-{new_bucket.name}"
    if new_bucket.stage not in STAGES or not new_bucket.name or not is_name(name) or new_bucket.name.startswith("_"):
        raise InvalidBucket(
            f'"{new_bucket.stage}.{name}" is not a valid bucket id. The stage is in or out; the name has at most 94 '
            "letters, digits, `-` and `_`, and does not start with `_`."
        )
    if new_bucket.backend not in ("", BACKEND):
        raise InvalidBucket(f'The backend "{new_bucket.backend}" is not assigned to this project; use "{BACKEND}".')
    row = _blank(tx, caller, new_bucket.stage, name)
    display_name = new_bucket.display_name or new_bucket.name
    row = msgspec.structs.replace(
        row, display_name=display_name, description=new_bucket.description, color=new_bucket.color or None
    )
    add_bucket(tx, caller, row)
    return row


def add_bucket(tx: Transaction, caller: Caller, row: BucketRow) -> None:
    """Add the bucket; raises if its id or display name is taken."""
    _check_display_name(tx, row)
    if buckets.find_bucket(tx, row.project_id, row.branch_id, row.id):
        raise BucketExists(row.display_name)
    buckets.add_bucket(tx, row)
    add_event(tx, caller, "storage.bucketCreated", f"Created bucket {row.id}", object_id=row.id, object_type="bucket")


def ensure_bucket(tx: Transaction, caller: Caller, bucket_id: str) -> BucketRow:
    """The bucket to write into; created if it does not exist."""
    check_may_write(caller, bucket_id)
    found = buckets.find_bucket(tx, caller.project_id, caller.storage_branch_id, bucket_id)
    if found and found.is_linked:
        raise LinkedBucket
    if found:
        return found
    row = _blank(tx, caller, *check_bucket_id(bucket_id))
    buckets.add_bucket(tx, row)
    return row


def change_bucket(tx: Transaction, caller: Caller, bucket_id: str, change: BucketChange) -> BucketRow:
    row = get_bucket(tx, caller, bucket_id)
    check_may_write(caller, bucket_id)
    given = {name: value for name, value in msgspec.structs.asdict(change).items() if value is not None}
    changed = msgspec.structs.replace(row, **given)
    _check_display_name(tx, changed)
    if given:
        buckets.change_bucket(tx, row, **given)
        add_event(
            tx, caller, "storage.bucketUpdated", f"Updated bucket {row.id}", object_id=row.id, object_type="bucket"
        )
    return changed


def plan_deletion(tx: Transaction, caller: Caller, bucket_id: str, *, is_forced: bool) -> JobRow:
    """A job that deletes the bucket. Raises at once if it cannot be deleted."""
    row = get_bucket(tx, caller, bucket_id)
    check_may_write(caller, bucket_id)
    inside = [] if row.is_linked else tables.list_tables(tx, row.project_id, row.branch_id, row.id)
    if inside and not is_forced:
        raise BucketNotEmpty(len(inside))
    if buckets.list_links(tx, row) and not is_forced:
        raise BucketIsLinked(row.id)
    params = {"bucketId": bucket_id, "force": is_forced, "_number": row.number}
    return jobs.create_job(tx, caller, jobs.NewJob(operation="bucketDelete", params=params, lock_key=bucket_id))


def delete_bucket(stack: Stack, caller: Caller, job: JobRow) -> None:
    bucket_id, number = str(job.params["bucketId"]), int(job.params["_number"])
    with locks.exclusive(bucket_lock(stack, number)):
        _delete(stack, caller, job, bucket_id, number)


def bucket_lock(stack: Stack, number: int) -> Path:
    """Loads into the bucket share this lock, its deletion takes it exclusively. The file is outside the bucket and
    outlives it."""
    return stack.folder / "locks" / f"bucket-{number}"


def _delete(stack: Stack, caller: Caller, job: JobRow, bucket_id: str, number: int) -> None:
    with stack.database.writing() as tx:
        row = buckets.find_bucket(tx, job.project_id, caller.storage_branch_id, bucket_id)
        # On a repeated attempt it may be gone already, and there may be a new one with the same name.
        if row and row.number == number:
            _forget(tx, row)
            forget_versions(tx, number)
            add_event(tx, caller, "storage.bucketDeleted", f"Deleted bucket {bucket_id}", object_id=bucket_id)
    drop_bucket(stack.lake, number)


def _forget(tx: Transaction, row: BucketRow) -> None:
    """Remove the records of a bucket, of its tables, and of aliases and links to them."""
    for table in tables.list_tables(tx, row.project_id, row.branch_id, row.id):
        for alias in tables.list_aliases(tx, table):
            tables.remove_table(tx, alias)
        tables.remove_table(tx, table)
    for link in buckets.list_links(tx, row):
        buckets.remove_bucket(tx, link)
    metadata.drop_metadata(tx, owner_of(row))
    for kind in (TABLE, COLUMN):
        metadata.drop_metadata_below(tx, row.project_id, row.branch_id, kind, f"{row.id}.")
    buckets.remove_bucket(tx, row)
    if buckets.is_in_main(tx, row) or not buckets.has_id(tx, row.project_id, row.id):
        # A permission names an id, which is the same in every branch. Remove it with Main's bucket, or with the last
        # one.
        forget_bucket(tx, row.project_id, row.id)


def _blank(tx: Transaction, caller: Caller, stage: str, name: str) -> BucketRow:
    check_branch(tx, caller)
    return BucketRow(
        project_id=caller.project_id,
        branch_id=caller.storage_branch_id,
        id=f"{stage}.{name}",
        number=ids.new_id(tx),
        stage=stage,
        name=name,
        display_name=name.removeprefix("c-"),
        description="",
        created=clock.now(),
    )


def _check_display_name(tx: Transaction, row: BucketRow) -> None:
    if not is_name(row.display_name):
        raise InvalidBucket(
            f'"{row.display_name}" is not a valid display name: use at most 96 letters, digits, `-` and `_`.'
        )
    if buckets.find_same_name(tx, row):
        raise BucketExists(row.display_name)


def _with_source(tx: Transaction, row: BucketRow) -> BucketRow:
    """A linked bucket reports the size of its source."""
    home = find_source_bucket(tx, row)
    if home is row:
        return row
    sizes = {"rows_count": home.rows_count, "data_size_bytes": home.data_size_bytes, "changed": home.changed}
    return msgspec.structs.replace(row, **sizes)
