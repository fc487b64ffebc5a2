"""Files that components wrote into tables.

What an API calls its fields its users cannot change. So here names that cannot be are mended, and a column that is
missing is empty; the import that clients ask for is strict instead.

A load commits its rows in the lake first and what is known of the table second. Repeated after a crash in between, it
finds its rows there and only does the second part.
"""

from __future__ import annotations

import csv
import io
from typing import IO

from penstock.foundation.callers import Caller
from penstock.foundation.errors import Invalid
from penstock.foundation.lake import BadCsv, CsvSource, LakeTable, Load, load_csv
from penstock.foundation.stack import Stack
from penstock.services.storage.errors.buckets import BucketNotFound
from penstock.services.storage.errors.tables import InvalidKey, InvalidTable
from penstock.services.storage.models.buckets import BucketRow
from penstock.services.storage.models.tables import TableLoad, TableRow
from penstock.services.storage.names import check_bucket_id, check_table_name, split_table_id, to_columns
from penstock.services.storage.operations.buckets import check_may_write, ensure_bucket
from penstock.services.storage.operations.tables.changes import using_bucket
from penstock.services.storage.operations.tables.definitions import lake_columns
from penstock.services.storage.operations.tables.records import record_load
from penstock.services.storage.store import buckets, tables

HEADER_CHARACTERS = 4_000_000


def plan_load(stack: Stack, caller: Caller, load: TableLoad) -> Load:
    """What to do with the file. Raises what can be seen to be wrong without loading: names, header, key, rights."""
    bucket_id, name = split_table_id(load.table_id)
    check_bucket_id(bucket_id)
    check_table_name(name)
    check_may_write(caller, bucket_id)
    header = _read_header(load)
    with stack.database.reading() as tx:
        known = tables.find_table(tx, caller.project_id, caller.main_branch_id, bucket_id, name)
    return _plan(load, header, known)


def load_table(stack: Stack, caller: Caller, load: TableLoad) -> tuple[TableRow, int]:
    """Load a CSV file; the bucket and the table are made if they are not there. Tells how many rows it brought."""
    bucket_id, name = split_table_id(load.table_id)
    check_table_name(name)
    with stack.database.writing() as tx:
        is_new = not buckets.find_bucket(tx, caller.project_id, caller.main_branch_id, bucket_id)
        bucket = ensure_bucket(tx, caller, bucket_id)
    try:
        with using_bucket(stack, bucket.number):
            return _load_and_record(stack, caller, bucket, LakeTable(bucket.number, name), load)
    except Invalid:
        if is_new:  # the load's own; one that somebody made stays, empty or not
            with stack.database.writing() as tx:
                buckets.remove_empty_bucket(tx, bucket)
        raise


def _load_and_record(
    stack: Stack, caller: Caller, bucket: BucketRow, table: LakeTable, load: TableLoad
) -> tuple[TableRow, int]:
    # What is known of the table is recorded before the next load of it may begin.
    with stack.lake.one_writer(table):
        work = plan_load(stack, caller, load)
        _ensure_still_there(stack, caller, bucket)
        loaded = load_csv(stack.lake, table, work)
        with stack.database.writing() as tx:
            columns, key = list(work.source.columns), list(work.primary_key)
            return record_load(tx, bucket, table.name, columns, key, loaded), loaded.imported_rows


def _ensure_still_there(stack: Stack, caller: Caller, bucket: BucketRow) -> None:
    """A bucket that was deleted stays so; one that another load took away, because it had failed, comes back."""
    with stack.database.writing() as tx:
        found = buckets.find_bucket(tx, bucket.project_id, bucket.branch_id, bucket.id)
        if found and found.number == bucket.number:
            return
        if found or not _is_untouched(bucket):
            raise BucketNotFound(bucket.id, caller.project_id)
        buckets.add_bucket(tx, bucket)


def _is_untouched(bucket: BucketRow) -> bool:
    """Whether nobody has had anything in it yet."""
    return bucket.changed is None and not bucket.description and bucket.sharing is None


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
    if known and known.is_alias:
        raise InvalidTable(f'"{known.id}" is an alias; a component writes into the table that it shows.')
    key = tuple(known.primary_key) if known else load.primary_key
    strangers = [name for name in key if name not in header]
    if strangers:
        raise InvalidKey(f'The primary key has the column "{strangers[0]}", which the file does not have.')
    source = CsvSource(paths=(load.file,), columns=header, has_header=True)
    types = tuple(lake_columns(known)) if known and known.types is not None else ()
    return Load(id=load.id, source=source, primary_key=key, incremental=load.incremental, types=types)
