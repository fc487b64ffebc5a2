"""Tables; their rows are in the lake."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

import msgspec
from sqlalchemy import (
    JSON,
    BigInteger,
    Column,
    ColumnElement,
    Executable,
    Index,
    Table,
    Text,
    bindparam,
    delete,
    func,
    insert,
    select,
    tuple_,
)

from penstock.foundation.database import Timestamp, Transaction, metadata
from penstock.services.storage.models.tables import TableRow
from penstock.services.storage.store.reservations import TablePlace, release

tables = Table(
    "storage_tables",
    metadata,
    Column("project_id", BigInteger, primary_key=True),
    Column("branch_id", BigInteger, primary_key=True),
    Column("bucket_id", Text, primary_key=True),
    Column("name", Text, primary_key=True),
    Column("display_name", Text, nullable=False),
    Column("columns", JSON, nullable=False),
    Column("primary_key", JSON, nullable=False),
    Column("rows_count", BigInteger, nullable=False),
    Column("data_size_bytes", BigInteger, nullable=False),
    Column("created", Timestamp, nullable=False),
    Column("changed", Timestamp, nullable=False),
    Column("imported", Timestamp),
    Column("types", JSON(none_as_null=True)),
    Column("source_table_id", Text),
    Column("alias_columns", JSON(none_as_null=True)),
    Column("alias_filter", JSON(none_as_null=True)),
    Index("storage_tables_by_source", "project_id", "source_table_id"),
)

_PORTION = 500
"""Names in one statement: databases limit the number of parameters."""

_FIND = select(tables).where(
    tables.c.project_id == bindparam("project_id"),
    tables.c.branch_id == bindparam("branch_id"),
    tables.c.bucket_id == bindparam("bucket_id"),
    tables.c.name == bindparam("name"),
)


def put_table(tx: Transaction, row: TableRow) -> None:
    """Insert or replace the table."""
    remove_table(tx, row)
    tx.change(insert(tables).values(msgspec.to_builtins(row, builtin_types=(datetime,))))


def remove_table(tx: Transaction, row: TableRow) -> None:
    """Remove a table with what was reserved for it: its size is known now."""
    release(tx, TablePlace(row.project_id, row.branch_id, row.bucket_id, row.name))
    tx.change(delete(tables).where(*_is_in(row.project_id, row.branch_id, row.bucket_id), tables.c.name == row.name))


def find_table(tx: Transaction, project_id: int, branch_id: int, bucket_id: str, name: str) -> TableRow | None:
    place = {"project_id": project_id, "branch_id": branch_id, "bucket_id": bucket_id}
    found = tx.converted(_FIND, into=TableRow, **place, name=name)
    return found[0] if found else None


def list_tables(tx: Transaction, project_id: int, branch_id: int, bucket_id: str | None = None) -> list[TableRow]:
    query = select(tables).where(*_is_in(project_id, branch_id, bucket_id))
    return _read(tx, query.order_by(tables.c.bucket_id, tables.c.name))


def list_aliases(tx: Transaction, row: TableRow) -> list[TableRow]:
    """The aliases of this table, in its branch."""
    query = select(tables).where(*_is_in(row.project_id, row.branch_id, None), tables.c.source_table_id == row.id)
    return _read(tx, query.order_by(tables.c.bucket_id, tables.c.name))


def list_named(tx: Transaction, project_id: int, branch_id: int, names: Sequence[tuple[str, str]]) -> list[TableRow]:
    """Tables by bucket and name; those that do not exist are left out."""
    found: list[TableRow] = []
    for start in range(0, len(names), _PORTION):
        named = tuple_(tables.c.bucket_id, tables.c.name).in_(names[start : start + _PORTION])
        found += _read(tx, select(tables).where(*_is_in(project_id, branch_id, None), named))
    return sorted(found, key=lambda row: (row.bucket_id, row.name))


def has_name(tx: Transaction, row: TableRow) -> bool:
    """Whether another table of the bucket has this display name."""
    query = select(func.count()).where(
        *_is_in(row.project_id, row.branch_id, row.bucket_id),
        tables.c.name != row.name,
        func.lower(tables.c.display_name) == row.display_name.lower(),
    )
    return bool(tx.value(query))


def _is_in(project_id: int, branch_id: int, bucket_id: str | None) -> list[ColumnElement[bool]]:
    place = [tables.c.project_id == project_id, tables.c.branch_id == branch_id]
    return [*place, tables.c.bucket_id == bucket_id] if bucket_id else place


def _read(tx: Transaction, query: Executable) -> list[TableRow]:
    return tx.converted(query, into=TableRow)
