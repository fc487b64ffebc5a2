"""Tables: access to them, the location of their rows, and their deletion.

A requested table may be an alias or lie in a linked bucket. That is resolved here once; other modules receive the
location of the rows and the filter that applies.
"""

from __future__ import annotations

import msgspec

from penstock.foundation import clock
from penstock.foundation.callers import Caller
from penstock.foundation.database import Transaction
from penstock.foundation.lake import LakeTable, drop_table, read_rows
from penstock.foundation.stack import Stack
from penstock.services.storage.errors.buckets import BucketNotFound
from penstock.services.storage.errors.tables import InvalidTable, TableHasAliases, TableNameTaken, TableNotFound
from penstock.services.storage.models.buckets import BucketRow
from penstock.services.storage.models.jobs import JobRow
from penstock.services.storage.models.metadata import COLUMN, TABLE, Owner
from penstock.services.storage.models.queries import PreviewQuery
from penstock.services.storage.models.tables import TableRow
from penstock.services.storage.names import is_name, split_table_id
from penstock.services.storage.operations import jobs, metadata
from penstock.services.storage.operations.buckets import check_may_write, find_source_bucket, get_bucket
from penstock.services.storage.operations.events import add_event
from penstock.services.storage.operations.permissions import may_read_bucket
from penstock.services.storage.operations.tables.losses import detecting_loss
from penstock.services.storage.operations.tables.queries import read_query
from penstock.services.storage.store import buckets, tables

PREVIEW_ROWS, DEFAULT_ROWS = 1000, 100


class Located(msgspec.Struct, frozen=True):
    """A table as the caller sees it, and the location of its rows."""

    bucket: BucketRow
    row: TableRow
    place: LakeTable


def list_tables(tx: Transaction, caller: Caller, bucket_id: str | None = None) -> list[TableRow]:
    """The tables of a bucket, or of all buckets that the caller may read."""
    if bucket_id:
        return _tables_of(tx, get_bucket(tx, caller, bucket_id))
    found = tables.list_tables(tx, caller.project_id, caller.storage_branch_id)
    own = [resolve(tx, row) for row in found if may_read_bucket(caller, row.bucket_id)]
    linked = buckets.list_linked(tx, caller.project_id, caller.storage_branch_id)
    return own + [row for bucket in linked if may_read_bucket(caller, bucket.id) for row in _tables_of(tx, bucket)]


def get_table(tx: Transaction, caller: Caller, table_id: str) -> Located:
    """The table, if the caller may read it. If its bucket does not exist, the table is not found: clients then create
    both."""
    bucket_id, name = split_table_id(table_id)
    try:
        bucket = get_bucket(tx, caller, bucket_id)
    except BucketNotFound as error:
        raise TableNotFound(bucket_id, name, caller.project_id) from error
    home = find_source_bucket(tx, bucket)
    found = tables.find_table(tx, home.project_id, home.branch_id, home.id, name)
    if not found:
        raise TableNotFound(bucket_id, name, caller.project_id)
    place = _place(tx, home, found)
    return Located(bucket, msgspec.structs.replace(resolve(tx, found), bucket_id=bucket.id), place)


def get_own_table(tx: Transaction, caller: Caller, table_id: str) -> Located:
    """A table to change: neither an alias nor in a linked bucket."""
    located = get_table(tx, caller, table_id)
    check_may_write(caller, located.bucket.id)
    if located.bucket.is_linked or located.row.is_alias:
        raise InvalidTable(f'The table "{table_id}" is an alias or linked, and cannot be changed.')
    return located


def owner_of(row: TableRow) -> Owner:
    """The owner of its metadata."""
    return Owner(row.project_id, row.branch_id, TABLE, row.id)


def preview_table(stack: Stack, located: Located, asked: PreviewQuery) -> tuple[list[str], list[tuple[str, ...]]]:
    """The first rows, and their columns."""
    if asked.limit > PREVIEW_ROWS:
        raise InvalidTable(f"A preview has at most {PREVIEW_ROWS} rows; {asked.limit} were asked for.")
    query = read_query(located.row, asked, DEFAULT_ROWS)
    with detecting_loss(stack, located.place, located.row.id):
        return list(query.columns or ()), read_rows(stack.lake, located.place, query)


def rename_table(tx: Transaction, caller: Caller, table_id: str, display_name: str) -> TableRow:
    located = get_table(tx, caller, table_id)
    check_may_write(caller, located.bucket.id)
    row = msgspec.structs.replace(located.row, display_name=display_name)
    check_display_name(tx, row)
    stored = tables.find_table(tx, row.project_id, row.branch_id, row.bucket_id, row.name)
    if stored:
        tables.put_table(tx, msgspec.structs.replace(stored, display_name=display_name))
    return row


def check_display_name(tx: Transaction, row: TableRow) -> None:
    if not is_name(row.display_name):
        raise InvalidTable(f'"{row.display_name}" is not a valid display name: use letters, digits, `-` and `_`.')
    if tables.has_name(tx, row):
        raise TableNameTaken(row.name, row.display_name)


def plan_drop(tx: Transaction, caller: Caller, table_id: str, *, is_forced: bool) -> JobRow:
    """A job that drops the table. Raises at once if it cannot be dropped."""
    located = get_table(tx, caller, table_id)
    check_may_write(caller, located.bucket.id)
    if located.bucket.is_linked:
        raise InvalidTable(f'The table "{table_id}" belongs to another project.')
    if tables.list_aliases(tx, located.row) and not is_forced:
        raise TableHasAliases(table_id)
    params = {"tableId": table_id, "_created": located.row.created.isoformat()}
    wanted = jobs.NewJob(operation="tableDrop", params=params, lock_key=table_id, table_id=table_id)
    return jobs.create_job(tx, caller, wanted)


def drop_named(stack: Stack, caller: Caller, job: JobRow) -> None:
    """Remove the record first: rows without a record are cleaned up later, but a record without rows would be
    damage."""
    bucket_id, name = split_table_id(str(job.params["tableId"]))
    with stack.database.reading() as tx:
        bucket = buckets.find_bucket(tx, job.project_id, caller.storage_branch_id, bucket_id)
    if not bucket:
        return
    place = LakeTable(bucket.number, name)
    with stack.lake.one_writer(place):
        with stack.database.writing(job.project_id) as tx:
            row = tables.find_table(tx, job.project_id, caller.storage_branch_id, bucket_id, name)
            if row and row.created.isoformat() != job.params["_created"]:
                return  # already dropped, and created again since
            if row:
                _record_drop(tx, caller, bucket, row)
        if not (row and row.is_alias):
            drop_table(stack.lake, place)


def _record_drop(tx: Transaction, caller: Caller, bucket: BucketRow, row: TableRow) -> None:
    forget_table(tx, row)
    buckets.change_bucket(tx, bucket, changed=clock.now())
    add_event(tx, caller, "storage.tableDeleted", f"Deleted table {row.id}", object_id=row.id, object_type="table")


def forget_table(tx: Transaction, row: TableRow) -> None:
    """Remove the records of a table and of its aliases."""
    for each in [row, *tables.list_aliases(tx, row)]:
        metadata.drop_metadata(tx, owner_of(each))
        metadata.drop_metadata_below(tx, each.project_id, each.branch_id, COLUMN, f"{each.id}.")
        tables.remove_table(tx, each)


def _tables_of(tx: Transaction, bucket: BucketRow) -> list[TableRow]:
    home = find_source_bucket(tx, bucket)
    found = tables.list_tables(tx, home.project_id, home.branch_id, home.id)
    return [msgspec.structs.replace(resolve(tx, row), bucket_id=bucket.id) for row in found]


def _place(tx: Transaction, home: BucketRow, row: TableRow) -> LakeTable:
    if not row.source_table_id:
        return LakeTable(home.number, row.name, is_known=True)
    bucket_id, name = split_table_id(row.source_table_id)
    source = buckets.find_bucket(tx, row.project_id, row.branch_id, bucket_id)
    return LakeTable(source.number if source else home.number, name, is_known=True)


def find_resolved(tx: Transaction, project_id: int, branch_id: int, table_id: str) -> TableRow | None:
    """A table by its id; an alias has the columns and times of its source."""
    row = tables.find_table(tx, project_id, branch_id, *split_table_id(table_id))
    return resolve(tx, row) if row else None


def resolve(tx: Transaction, row: TableRow) -> TableRow:
    """Combine an alias with its source."""
    if not row.source_table_id:
        return row
    source = tables.find_table(tx, row.project_id, row.branch_id, *split_table_id(row.source_table_id))
    if not source:
        return row
    columns = [name for name in source.columns if row.alias_columns is None or name in row.alias_columns]
    has_key = set(source.primary_key) <= set(columns)
    types = {name: kind for name, kind in source.types.items() if name in columns} if source.types else None
    return msgspec.structs.replace(
        row,
        columns=columns,
        primary_key=source.primary_key if has_key else [],
        types=types,
        changed=source.changed,
        imported=source.imported,
    )
