"""Snapshots: stored copies of tables; and tables created from one, or from an earlier version of a table."""

from __future__ import annotations

from contextlib import AbstractContextManager
from datetime import datetime
from typing import Any

from penstock.foundation import clock, ids
from penstock.foundation.callers import Caller
from penstock.foundation.database import Transaction
from penstock.foundation.files import locks
from penstock.foundation.lake import LakeTable, Loaded, copy_table, drop_bucket, version_at
from penstock.foundation.stack import Stack
from penstock.foundation.strtotime import read_time
from penstock.services.storage.errors.branches import BranchNotFound
from penstock.services.storage.errors.tables import InvalidTable, SnapshotNotFound, TimeTravelInvalid
from penstock.services.storage.models.buckets import BucketRow
from penstock.services.storage.models.jobs import JobRow
from penstock.services.storage.models.queries import TableFromData
from penstock.services.storage.models.snapshots import SnapshotRow
from penstock.services.storage.models.tables import TableRow
from penstock.services.storage.operations import jobs
from penstock.services.storage.operations.branches import check_branch
from penstock.services.storage.operations.buckets import bucket_lock, check_may_write, get_own_bucket
from penstock.services.storage.operations.events import add_event
from penstock.services.storage.operations.permissions import may_read_bucket
from penstock.services.storage.operations.tables.changes import plan_change, using_bucket
from penstock.services.storage.operations.tables.definitions import add_table, check_new_name
from penstock.services.storage.operations.tables.losses import detecting_loss, detecting_snapshot_loss
from penstock.services.storage.operations.tables.size_limits import checking_size
from penstock.services.storage.operations.tables.tables import Located, get_table
from penstock.services.storage.operations.tables.views import Viewer, detail_view
from penstock.services.storage.operations.triggers import publish_load
from penstock.services.storage.store import snapshots, tables
from penstock.services.storage.store.reservations import TablePlace

ROWS = "rows"
"""The name of the only table in a snapshot's schema."""


def plan_snapshot(tx: Transaction, caller: Caller, table_id: str, description: str) -> JobRow:
    located = get_table(tx, caller, table_id)
    check_may_write(caller, located.bucket.id)
    if located.row.is_alias or located.bucket.is_linked:
        raise InvalidTable(f'"{table_id}" is an alias; create a snapshot of its source table.')
    params = {"description": description, "_snapshotId": ids.new_id(tx)}
    return plan_change(tx, caller, "tableSnapshotCreate", table_id, params)


def take_snapshot(stack: Stack, caller: Caller, job: JobRow) -> dict[str, int]:
    snapshot_id = int(job.params["_snapshotId"])
    with stack.database.reading() as tx:
        located = get_table(tx, caller, job.table_id or "")
    store_snapshot(stack, caller, located, snapshot_id, job.params["description"])
    return {"id": snapshot_id}


def store_snapshot(stack: Stack, caller: Caller, located: Located, snapshot_id: int, description: str) -> None:
    """Copy the rows of a table, and record the copy. It may be repeated."""
    with detecting_loss(stack, located.place, located.row.id):
        copied = copy_table(stack.lake, located.place, snapshot_place(snapshot_id))
    row = SnapshotRow(
        id=snapshot_id,
        project_id=located.row.project_id,
        branch_id=located.row.branch_id,
        table_id=located.row.id,
        description=description,
        columns=located.row.columns,
        primary_key=located.row.primary_key,
        types=located.row.types,
        rows_count=copied.rows_count,
        data_size_bytes=copied.data_size_bytes,
        created=clock.now(),
        creator_id=caller.token_id,
        creator_description=caller.description,
    )
    try:
        _record(stack, caller, row)
    except BranchNotFound:  # deleted while the rows were copied
        _drop_rows(stack, snapshot_id)
        raise


def snapshot_place(snapshot_id: int) -> LakeTable:
    return LakeTable(snapshot_id, ROWS)


def _record(stack: Stack, caller: Caller, row: SnapshotRow) -> None:
    with stack.database.writing(caller.project_id) as tx:
        check_branch(tx, caller)
        snapshots.put_snapshot(tx, row)
        what = f"Made a snapshot of table {row.table_id}"
        add_event(tx, caller, "storage.tableSnapshotCreated", what, object_id=row.table_id, object_type="table")


def _drop_rows(stack: Stack, snapshot_id: int) -> None:
    # After the tables that are being created from it.
    with locks.exclusive(bucket_lock(stack, snapshot_id)):
        drop_bucket(stack.lake, snapshot_id)


def list_snapshots(tx: Transaction, caller: Caller, table_id: str, limit: int, offset: int) -> list[SnapshotRow]:
    row = get_table(tx, caller, table_id).row
    return snapshots.list_snapshots(tx, row, limit, offset)


def get_snapshot(tx: Transaction, caller: Caller, snapshot_id: str) -> SnapshotRow:
    """A snapshot of a bucket that the caller may read; the bucket itself may be gone."""
    number = ids.read_id(snapshot_id)
    row = snapshots.find_snapshot(tx, caller.project_id, number) if number is not None else None
    if not row or not may_read_bucket(caller, row.table_id.rpartition(".")[0]):
        raise SnapshotNotFound(snapshot_id)
    return row


def plan_removal(tx: Transaction, caller: Caller, snapshot_id: str) -> JobRow:
    row = get_snapshot(tx, caller, snapshot_id)
    check_may_write(caller, row.table_id.rpartition(".")[0])
    return _plan_removal(tx, caller, row)


def plan_branch_removal(tx: Transaction, caller: Caller, branch_id: int) -> None:
    """Plan the removal of all snapshots of a branch that is being deleted."""
    for row in snapshots.list_branch_snapshots(tx, caller.project_id, branch_id):
        _plan_removal(tx, caller, row)


def _plan_removal(tx: Transaction, caller: Caller, row: SnapshotRow) -> JobRow:
    params = {"snapshotId": row.id}
    return jobs.create_job(
        tx, caller, jobs.NewJob(operation="snapshotDelete", params=params, lock_key=f"snapshot-{row.id}")
    )


def remove_snapshot(stack: Stack, _caller: Caller, job: JobRow) -> None:
    drop_snapshot(stack, job.project_id, int(job.params["snapshotId"]))


def drop_snapshot(stack: Stack, project_id: int, snapshot_id: int) -> None:
    with stack.database.writing(project_id) as tx:
        snapshots.remove_snapshot(tx, project_id, snapshot_id)
    _drop_rows(stack, snapshot_id)


def plan_table(tx: Transaction, viewer: Viewer, bucket_id: str, new_table: TableFromData) -> JobRow:
    """A job that creates a table from a snapshot, or from an earlier version of a table."""
    bucket = get_own_bucket(tx, viewer.caller, bucket_id)
    check_new_name(tx, bucket, new_table.name)
    if new_table.snapshot_id is not None:
        source: dict[str, Any] = {"snapshotId": get_snapshot(tx, viewer.caller, str(new_table.snapshot_id)).id}
    else:
        source = _past(tx, viewer.caller, new_table)
    table_id = f"{bucket.id}.{new_table.name}"
    params = {"name": new_table.name, "source": source, "_url": viewer.url}
    new = jobs.NewJob(operation="tableCreateFromSnapshot", params=params, lock_key=table_id, table_id=table_id)
    return jobs.create_job(tx, viewer.caller, new)


def make_table(stack: Stack, caller: Caller, job: JobRow) -> Any:
    viewer, name = Viewer(caller, job.params["_url"]), str(job.params["name"])
    with stack.database.reading() as tx:
        bucket = get_own_bucket(tx, caller, (job.table_id or "").rpartition(".")[0])
        known = tables.find_table(tx, bucket.project_id, bucket.branch_id, bucket.id, name)
        if known:  # created by an attempt whose end was not recorded
            return detail_view(tx, viewer, known)
        place = _source(stack, tx, caller, job.params["source"])[0]
    with checking_size(stack, TablePlace(bucket.project_id, bucket.branch_id, bucket.id, name)) as check:
        with using_bucket(stack, bucket.number), using_bucket(stack, place.bucket):
            with stack.database.reading() as tx:  # again: it may have been deleted before it was locked
                place, shape, version = _source(stack, tx, caller, job.params["source"])
            if check:  # what does not fit is not copied first
                check(shape.rows_count, shape.data_size_bytes)
            target = LakeTable(bucket.number, name)
            with _noticing_loss(stack, place, shape):
                copied = copy_table(stack.lake, place, target, version=version, check_size=check)
        with stack.database.writing(caller.project_id) as tx:
            row = _new_row(bucket, name, shape, copied)
            add_table(tx, stack.lake, caller, bucket, row)
            publish_load(tx, caller, row)
    with stack.database.reading() as tx:
        return detail_view(tx, viewer, row)


def _new_row(bucket: BucketRow, name: str, shape: TableRow | SnapshotRow, copied: Loaded) -> TableRow:
    now = clock.now()
    return TableRow(
        project_id=bucket.project_id,
        branch_id=bucket.branch_id,
        bucket_id=bucket.id,
        name=name,
        display_name=name,
        columns=shape.columns,
        primary_key=shape.primary_key,
        types=shape.types,
        rows_count=copied.rows_count,
        data_size_bytes=copied.data_size_bytes,
        created=now,
        changed=now,
        imported=now,
    )


def _noticing_loss(stack: Stack, place: LakeTable, source: TableRow | SnapshotRow) -> AbstractContextManager[None]:
    if isinstance(source, SnapshotRow):
        return detecting_snapshot_loss(stack, source)
    return detecting_loss(stack, place, source.id)


def _past(tx: Transaction, caller: Caller, new_table: TableFromData) -> dict[str, Any]:
    located = get_table(tx, caller, new_table.source_table_id)
    if located.row.is_alias:
        raise TimeTravelInvalid(f'"{located.row.id}" is an alias: use its source table.')
    moment = read_time(str(new_table.timestamp))
    if not moment or moment > clock.now():
        raise TimeTravelInvalid(f'"{new_table.timestamp}" is not a time in the past.')
    # Clients send whole seconds: changes within the second count.
    last = moment.replace(microsecond=999_999)
    if last < located.row.created:
        raise TimeTravelInvalid(f'The table "{located.row.id}" did not exist at "{new_table.timestamp}".')
    return {"sourceTableId": located.row.id, "timestamp": last.isoformat()}


def _source(
    stack: Stack, tx: Transaction, caller: Caller, source: dict[str, Any]
) -> tuple[LakeTable, TableRow | SnapshotRow, int | None]:
    if "snapshotId" in source:
        row = get_snapshot(tx, caller, str(source["snapshotId"]))
        return snapshot_place(row.id), row, None
    located = get_table(tx, caller, source["sourceTableId"])
    with detecting_loss(stack, located.place, located.row.id):
        version = version_at(stack.lake, located.place, datetime.fromisoformat(source["timestamp"]))
    if version is None:
        raise TimeTravelInvalid(f'What the table "{located.row.id}" was then is no longer kept.')
    return located.place, located.row, version
