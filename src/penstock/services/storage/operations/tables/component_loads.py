"""Load files that components wrote into tables.

Lenient where imports of clients are strict: invalid column names are corrected, see component_sources.py, and a missing
column is filled with empty values.

A load commits its rows in the lake first and the table's record second. If it is repeated after a crash in between, it
finds its rows and only writes the record.
"""

from __future__ import annotations

import msgspec

from penstock.contracts.tables import StoredTable, TableLoad
from penstock.foundation.callers import Caller
from penstock.foundation.errors import Invalid
from penstock.foundation.interruption import Interrupted
from penstock.foundation.lake import CsvSource, LakeTable, Load, Loaded, load_csv
from penstock.foundation.stack import Stack
from penstock.services.storage.errors.buckets import BucketNotFound
from penstock.services.storage.errors.tables import InvalidKey, InvalidTable
from penstock.services.storage.models.buckets import BucketRow
from penstock.services.storage.models.column_types import ColumnType
from penstock.services.storage.models.tables import TableRow
from penstock.services.storage.names import (
    check_bucket_id,
    check_table_name,
    split_table_id,
    to_column_name,
)
from penstock.services.storage.operations import metadata
from penstock.services.storage.operations.branches import check_branch
from penstock.services.storage.operations.buckets import check_may_write, ensure_bucket, owner_of
from penstock.services.storage.operations.tables.changes import publish_change, using_bucket
from penstock.services.storage.operations.tables.component_deletions import delete_before, read_deletions
from penstock.services.storage.operations.tables.component_notes import check_notes, note_bucket, note_table
from penstock.services.storage.operations.tables.component_sources import read_source
from penstock.services.storage.operations.tables.component_types import read_load_types
from penstock.services.storage.operations.tables.component_warnings import find_warnings
from penstock.services.storage.operations.tables.definitions import check_width, lake_column
from penstock.services.storage.operations.tables.losses import detecting_loss
from penstock.services.storage.operations.tables.records import record_load
from penstock.services.storage.operations.tables.size_limits import checking_size
from penstock.services.storage.operations.triggers import publish_load
from penstock.services.storage.store import buckets, tables
from penstock.services.storage.store.reservations import TablePlace


class LoadPlan(msgspec.Struct, frozen=True):
    load: Load
    known: TableRow | None
    """The existing table, if any."""
    types: dict[str, ColumnType] | None
    """The columns of a typed table after the load."""


def plan_load(stack: Stack, caller: Caller, load: TableLoad) -> LoadPlan:
    """Plan the load of a file. Raises what can be found without loading: invalid names, header, key or permissions."""
    bucket_id, name = split_table_id(load.table_id)
    check_bucket_id(bucket_id)
    check_table_name(name)
    check_may_write(caller, bucket_id)
    check_notes(load.notes)
    source = read_source(load)
    with stack.database.reading() as tx:
        known = tables.find_table(tx, caller.project_id, caller.storage_branch_id, bucket_id, name)
    if known:
        read_deletions(stack, caller, load, known)
    return _plan(stack, load, source, known)


def load_table(stack: Stack, caller: Caller, load: TableLoad) -> StoredTable:
    """Load a CSV file; the bucket and the table are created if they do not exist."""
    bucket_id, name = split_table_id(load.table_id)
    check_table_name(name)
    with stack.database.writing(caller.project_id) as tx:
        is_new = not buckets.find_bucket(tx, caller.project_id, caller.storage_branch_id, bucket_id)
        bucket = ensure_bucket(tx, caller, bucket_id)
        if is_new:
            note_bucket(tx, bucket, load.notes)
    try:
        with using_bucket(stack, bucket.number):
            return _load_and_record(stack, caller, bucket, LakeTable(bucket.number, name), load)
    except (Invalid, Interrupted):
        if is_new:  # created by this load; an existing bucket stays, empty or not
            _remove_if_empty(stack, bucket)
        raise


def _remove_if_empty(stack: Stack, bucket: BucketRow) -> None:
    with stack.database.writing(bucket.project_id) as tx:
        buckets.remove_empty_bucket(tx, bucket)
        if not buckets.find_bucket(tx, bucket.project_id, bucket.branch_id, bucket.id):
            metadata.drop_metadata(tx, owner_of(bucket))


def _load_and_record(stack: Stack, caller: Caller, bucket: BucketRow, table: LakeTable, load: TableLoad) -> StoredTable:
    place = TablePlace(bucket.project_id, bucket.branch_id, bucket.id, table.name)
    # Recorded under the lock, before the next load of the table may start.
    with stack.lake.one_writer(table), checking_size(stack, place) as check:
        plan = plan_load(stack, caller, load)
        _ensure_still_there(stack, caller, bucket)
        plan = msgspec.structs.replace(plan, load=msgspec.structs.replace(plan.load, check_size=check))
        loaded = _bring(stack, caller, load, plan, table)
        columns, key = list(plan.load.source.columns), list(plan.load.primary_key)
        with stack.database.writing(caller.project_id) as tx:
            is_full, name = not plan.load.incremental, table.name
            row = record_load(tx, stack.lake, bucket, name, columns, key, loaded, plan.types, sets_order=is_full)
            note_table(tx, row, load.notes, plan.known)
            publish_load(tx, caller, row)
            # Without a run id: the log of the job has its own line, in which secrets are hidden.
            alone = msgspec.structs.replace(caller, run_id=None)
            publish_change(tx, alone, "storage.tableImportDone", row, f"Imported {loaded.imported_rows} rows into")
            return _to_stored(row, loaded.imported_rows, tuple(find_warnings(load, plan.known, row, loaded)))


def _bring(stack: Stack, caller: Caller, load: TableLoad, plan: LoadPlan, table: LakeTable) -> Loaded:
    if not plan.known:
        return load_csv(stack.lake, table, plan.load)
    known = msgspec.structs.replace(table, is_known=True)
    with detecting_loss(stack, known, plan.known.id):
        delete_before(stack, caller, load, plan.known, known)
        return load_csv(stack.lake, known, plan.load)


def _ensure_still_there(stack: Stack, caller: Caller, bucket: BucketRow) -> None:
    """A deleted bucket stays deleted; one that another load removed because that load failed is created again."""
    with stack.database.writing(caller.project_id) as tx:
        found = buckets.find_bucket(tx, bucket.project_id, bucket.branch_id, bucket.id)
        if found and found.number == bucket.number:
            return
        if found or not _is_untouched(bucket):
            raise BucketNotFound(bucket.id, caller.project_id)
        check_branch(tx, caller)
        buckets.add_bucket(tx, bucket)


def _is_untouched(bucket: BucketRow) -> bool:
    """Whether nothing has been stored in it yet."""
    return bucket.changed is None and not bucket.description and bucket.sharing is None


def _plan(stack: Stack, load: TableLoad, source: CsvSource, existing: TableRow | None) -> LoadPlan:
    if existing and existing.is_alias:
        raise InvalidTable(f'"{existing.id}" is an alias; a component must write to its source table.')
    key = tuple(existing.primary_key) if existing else _read_key(load, source)
    unknown_columns = [name for name in key if name not in source.columns]
    if unknown_columns:
        raise InvalidKey(f'The primary key has the column "{unknown_columns[0]}", which the file does not have.')
    types = read_load_types(stack, load, source, existing, list(key))
    names = dict.fromkeys([*(existing.columns if existing else ()), *source.columns])
    check_width(len(names), load.table_id)
    work = Load(
        id=load.id,
        source=source,
        primary_key=key,
        incremental=load.incremental,
        types=tuple(lake_column(name, types.get(name)) for name in names) if types else (),
        null_values=load.null_values,
        deduplication=load.deduplication,
    )
    return LoadPlan(work, existing, types)


def _read_key(load: TableLoad, source: CsvSource) -> tuple[str, ...]:
    """The key under the corrected names of its columns."""
    mended = [name if name in source.columns else to_column_name(name) for name in load.primary_key]
    return tuple(dict.fromkeys(mended))


def _to_stored(row: TableRow, imported_rows: int, warnings: tuple[str, ...]) -> StoredTable:
    return StoredTable(
        id=row.id,
        name=row.name,
        display_name=row.display_name,
        columns=row.columns,
        rows_count=row.rows_count,
        imported_rows=imported_rows,
        warnings=warnings,
    )
