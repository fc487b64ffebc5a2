"""The owner of metadata in a request: the bucket, table or column, if it exists and the caller has access.

Separate from metadata.py, because buckets and tables import that for their deletion.
"""

from __future__ import annotations

from penstock.foundation.callers import Caller
from penstock.foundation.database import Transaction
from penstock.services.storage.errors.metadata import InvalidMetadata
from penstock.services.storage.errors.tables import ColumnNotFound
from penstock.services.storage.models.metadata import (
    BUCKET,
    COLUMN,
    TABLE,
    MetadataItem,
    MetadataRow,
    NewTableMetadata,
    Owner,
    check_count,
    read_columns_metadata,
)
from penstock.services.storage.operations.buckets import check_may_write, get_bucket
from penstock.services.storage.operations.metadata import (
    check_column_metadata,
    check_metadata,
    list_all_metadata,
    put_column_metadata,
    put_metadata,
)
from penstock.services.storage.operations.tables.tables import get_table

OfColumns = list[tuple[Owner, list[MetadataItem]]]


def find_bucket_owner(tx: Transaction, caller: Caller, bucket_id: str, *, writes: bool = False) -> Owner:
    get_bucket(tx, caller, bucket_id)
    if writes:
        check_may_write(caller, bucket_id)
    return _owner(caller, BUCKET, bucket_id)


def find_table_owner(tx: Transaction, caller: Caller, table_id: str, *, writes: bool = False) -> Owner:
    located = get_table(tx, caller, table_id)
    if writes:
        check_may_write(caller, located.bucket.id)
    return _owner(caller, TABLE, table_id)


def find_column_owner(tx: Transaction, caller: Caller, column_id: str, *, writes: bool = False) -> Owner:
    table_id, _, column = column_id.rpartition(".")
    located = get_table(tx, caller, table_id)
    if column not in located.row.columns:
        raise ColumnNotFound(column, table_id)
    if writes:
        check_may_write(caller, located.bucket.id)
    return _owner(caller, COLUMN, column_id)


def put_table_metadata(tx: Transaction, caller: Caller, table_id: str, metadata: NewTableMetadata) -> None:
    """Add metadata of a table and its columns together."""
    owner, columns = _read_given(tx, caller, table_id, metadata)
    put_metadata(tx, owner, metadata.provider, metadata.metadata)
    put_column_metadata(tx, metadata.provider, columns)


def check_table_metadata(tx: Transaction, caller: Caller, table_id: str, metadata: NewTableMetadata) -> None:
    """Raise the errors that adding it would raise now."""
    owner, columns = _read_given(tx, caller, table_id, metadata)
    check_metadata(tx, owner, metadata.provider, metadata.metadata)
    check_column_metadata(tx, metadata.provider, columns)


def _read_given(tx: Transaction, caller: Caller, table_id: str, metadata: NewTableMetadata) -> tuple[Owner, OfColumns]:
    """The table, and the items of its columns."""
    owner = find_table_owner(tx, caller, table_id, writes=True)
    given = read_columns_metadata(metadata.columns_metadata)
    check_count(len(metadata.metadata) + sum(map(len, given.values())))
    known = set(get_table(tx, caller, table_id).row.columns)
    if unknown_columns := [column for column in given if column not in known]:
        raise InvalidMetadata(f'The table "{table_id}" has no column "{unknown_columns[0]}".')
    return owner, [(_owner(caller, COLUMN, f"{table_id}.{column}"), items) for column, items in given.items()]


def list_columns_metadata(tx: Transaction, caller: Caller, table_id: str) -> dict[str, list[MetadataRow]]:
    prefix = f"{table_id}."
    found = list_all_metadata(tx, caller.project_id, caller.storage_branch_id, COLUMN, prefix)
    return {column_id.removeprefix(prefix): rows for column_id, rows in found.items()}


def _owner(caller: Caller, kind: str, object_id: str) -> Owner:
    return Owner(caller.project_id, caller.storage_branch_id, kind, object_id)
