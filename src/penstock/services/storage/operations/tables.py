"""Tables: loading a file into one, and reading the first rows of one.

A load commits its rows in the lake first and what is known of the table second. Repeated after a crash in between, it
finds its rows there and only does the second part.
"""

from __future__ import annotations

import csv
import io
from typing import IO

import msgspec

from penstock.foundation import clock
from penstock.foundation.callers import Caller
from penstock.foundation.database import Transaction
from penstock.foundation.errors import Invalid
from penstock.foundation.lake import BadCsv, Csv, LakeTable, Load, Loaded, load_csv, read_rows
from penstock.foundation.stack import Stack
from penstock.services.storage.errors import InvalidKey, InvalidTable, TableNotFound
from penstock.services.storage.models.buckets import BucketRow
from penstock.services.storage.models.tables import PREVIEW_ROWS, PreviewQuery, TableLoad, TableRow
from penstock.services.storage.names import check_bucket_id, check_table_name, split_table_id, to_columns
from penstock.services.storage.operations.buckets import check_may_write, ensure_bucket, get_bucket
from penstock.services.storage.store import buckets, tables

HEADER_CHARACTERS = 4_000_000
DEFAULT_ROWS = 100


def list_tables(tx: Transaction, caller: Caller, bucket_id: str | None = None) -> list[TableRow]:
    if bucket_id:
        get_bucket(tx, caller, bucket_id)
    found = tables.list_tables(tx, caller.project_id, caller.branch_id, bucket_id)
    return [row for row in found if caller.may_read_bucket(row.bucket_id)]


def get_table(tx: Transaction, caller: Caller, table_id: str) -> tuple[BucketRow, TableRow]:
    bucket_id, name = split_table_id(table_id)
    bucket = get_bucket(tx, caller, bucket_id)
    found = tables.find_table(tx, caller.project_id, caller.branch_id, bucket_id, name)
    if not found:
        raise TableNotFound(bucket_id, name, caller.project_id)
    return bucket, found


def preview_table(
    stack: Stack, bucket: BucketRow, table: TableRow, query: PreviewQuery
) -> tuple[list[str], list[tuple[str, ...]]]:
    """The first rows, and which columns they have."""
    if query.limit > PREVIEW_ROWS:
        raise InvalidTable(f"A preview has at most {PREVIEW_ROWS} rows; {query.limit} were asked for.")
    columns = _chosen_columns(table, query)
    rows = read_rows(stack.lake, LakeTable(bucket.number, table.name), tuple(columns), query.limit or DEFAULT_ROWS)
    return columns, rows


def plan_load(stack: Stack, caller: Caller, load: TableLoad) -> Load:
    """What to do with the file. Raises what can be seen to be wrong without loading: names, header, key, rights."""
    bucket_id, name = split_table_id(load.table_id)
    check_bucket_id(bucket_id)
    check_table_name(name)
    check_may_write(caller, bucket_id)
    header = _read_header(load)
    with stack.database.reading() as tx:
        known = tables.find_table(tx, caller.project_id, caller.branch_id, bucket_id, name)
    return _plan(load, header, known)


def load_table(stack: Stack, caller: Caller, load: TableLoad) -> tuple[TableRow, int]:
    """Load a CSV file; the bucket and the table are made if they are not there. Tells how many rows it brought."""
    bucket_id, name = split_table_id(load.table_id)
    check_table_name(name)
    with stack.database.writing() as tx:
        bucket = ensure_bucket(tx, caller, bucket_id)
    table = LakeTable(bucket.number, name)
    try:
        # What is known of the table is recorded before the next load of it may begin.
        with stack.lake.one_writer(table):
            return _load_and_record(stack, caller, bucket, table, load)
    except Invalid:
        with stack.database.writing() as tx:
            buckets.remove_empty_bucket(tx, bucket)
        raise


def _load_and_record(
    stack: Stack, caller: Caller, bucket: BucketRow, table: LakeTable, load: TableLoad
) -> tuple[TableRow, int]:
    work = plan_load(stack, caller, load)
    loaded = load_csv(stack.lake, table, work)
    with stack.database.writing() as tx:
        # Another load that failed may have taken the bucket away while it was still empty.
        if not buckets.find_bucket(tx, bucket.project_id, bucket.branch_id, bucket.id):
            buckets.add_bucket(tx, bucket)
        return _record(tx, bucket, table.name, work, loaded), loaded.imported_rows


def _chosen_columns(table: TableRow, query: PreviewQuery) -> list[str]:
    asked = query.columns.split(",") if isinstance(query.columns, str) else query.columns
    chosen = [name for name in asked if name]
    unknown = [name for name in chosen if name not in table.columns]
    if unknown:
        raise InvalidTable(f'The table "{table.id}" has no column "{unknown[0]}".')
    return chosen or table.columns


def _read_header(load: TableLoad) -> tuple[str, ...]:
    with load.file.open(encoding="utf-8-sig", newline="") as file:
        names = _first_record(file)
    if not names:
        raise InvalidTable(f'The file for "{load.table_id}" is empty: it needs a header with the names of its columns.')
    return to_columns(names)


def _first_record(file: IO[str]) -> list[str]:
    try:
        for record in csv.reader(io.StringIO(file.read(HEADER_CHARACTERS)), strict=True):
            return record
    except (csv.Error, UnicodeDecodeError) as error:
        raise BadCsv(f"the header cannot be read: {error}") from error
    return []


def _plan(load: TableLoad, header: tuple[str, ...], known: TableRow | None) -> Load:
    key = tuple(known.primary_key) if known else load.primary_key
    strangers = [name for name in key if name not in header]
    if strangers:
        raise InvalidKey(f'The primary key has the column "{strangers[0]}", which the file does not have.')
    source = Csv(path=load.file, columns=header)
    return Load(id=load.id, csv=source, primary_key=key, incremental=load.incremental)


def _record(tx: Transaction, bucket: BucketRow, name: str, work: Load, loaded: Loaded) -> TableRow:
    now = clock.now()
    known = tables.find_table(tx, bucket.project_id, bucket.branch_id, bucket.id, name)
    old = known.columns if known else []
    row = TableRow(
        project_id=bucket.project_id,
        branch_id=bucket.branch_id,
        bucket_id=bucket.id,
        name=name,
        display_name=known.display_name if known else name,
        columns=old + [column for column in work.csv.columns if column not in old],
        primary_key=list(work.primary_key),
        rows_count=loaded.rows_count,
        data_size_bytes=loaded.data_size_bytes,
        created=known.created if known else now,
        imported=now,
    )
    tables.put_table(tx, row)
    buckets.touch_bucket(tx, msgspec.structs.replace(bucket, changed=now))
    return row
