"""Delete rows by a query, in one commit."""

from __future__ import annotations

import msgspec

from penstock.foundation.lake.catalogs import LakeTable
from penstock.foundation.lake.lake import Lake
from penstock.foundation.lake.query import ROWS, Query, where
from penstock.foundation.lake.relations import columns_of, make_relation
from penstock.foundation.lake.sizes import measure
from penstock.foundation.lake.types import Column


class Deleted(msgspec.Struct, frozen=True, kw_only=True):
    """The number of deleted rows, and the size of the table afterwards."""

    deleted_rows: int
    rows_count: int
    data_size_bytes: int


def delete_rows(lake: Lake, table: LakeTable, query: Query, deletion_id: str) -> Deleted:
    """The caller holds the table's lock: one_writer(). Repeated with the same id, it returns the same result."""
    with lake.existing(table) as session:
        columns = columns_of(session, table)
        note = session.find_note(deletion_id)
        deleted = int(note) if note is not None else _delete(lake, table, columns, query, deletion_id)
        sizes = measure(session)
    return Deleted(deleted_rows=deleted, rows_count=sizes.rows, data_size_bytes=sizes.bytes)


def _delete(lake: Lake, table: LakeTable, columns: list[Column], query: Query, deletion_id: str) -> int:
    if query.limit is not None:
        raise ValueError("Which rows a limit leaves is not defined, so a deletion cannot have one.")
    condition = where(query, {column.name: column.type for column in columns})
    with lake.existing(table) as session:
        counted = f"SELECT count(*) FROM {session.address} AS {ROWS} WHERE {condition}"
        deleted = int(session.one(counted)[0])
        with session.commit(deletion_id, deleted):
            if query.is_everything:
                session.execute(f"DROP TABLE {session.address}")
                make_relation(session, columns)
            else:
                session.execute(f"DELETE FROM {session.address} AS {ROWS} WHERE {condition}")
    return deleted
