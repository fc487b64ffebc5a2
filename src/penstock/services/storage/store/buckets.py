"""Buckets."""

from __future__ import annotations

import msgspec
from sqlalchemy import BigInteger, Column, Select, Table, Text, delete, exists, func, insert, select, update

from penstock.foundation.database import Moment, Transaction, metadata
from penstock.services.storage.models.buckets import BucketRow
from penstock.services.storage.store.tables import tables

buckets = Table(
    "storage_buckets",
    metadata,
    Column("project_id", BigInteger, primary_key=True),
    Column("branch_id", BigInteger, primary_key=True),
    Column("id", Text, primary_key=True),
    Column("number", BigInteger, nullable=False, unique=True),
    Column("stage", Text, nullable=False),
    Column("name", Text, nullable=False),
    Column("display_name", Text, nullable=False),
    Column("description", Text, nullable=False),
    Column("created", Moment, nullable=False),
    Column("changed", Moment),
)

_DERIVED = ("rows_count", "data_size_bytes")


def add_bucket(tx: Transaction, row: BucketRow) -> None:
    values = {name: value for name, value in msgspec.structs.asdict(row).items() if name not in _DERIVED}
    tx.change(insert(buckets).values(values))


def find_bucket(tx: Transaction, project_id: int, branch_id: int, bucket_id: str) -> BucketRow | None:
    return tx.one(_with_sums(project_id, branch_id).where(buckets.c.id == bucket_id), into=BucketRow)


def list_buckets(tx: Transaction, project_id: int, branch_id: int) -> list[BucketRow]:
    return tx.all(_with_sums(project_id, branch_id).order_by(buckets.c.id), into=BucketRow)


def remove_empty_bucket(tx: Transaction, row: BucketRow) -> None:
    """Take a bucket away, unless it has a table."""
    inside = exists().where(
        tables.c.project_id == row.project_id, tables.c.branch_id == row.branch_id, tables.c.bucket_id == row.id
    )
    tx.change(delete(buckets).where(buckets.c.number == row.number, ~inside))


def touch_bucket(tx: Transaction, row: BucketRow) -> None:
    tx.change(update(buckets).where(buckets.c.number == row.number).values(changed=row.changed))


def _with_sums(project_id: int, branch_id: int) -> Select[tuple[object, ...]]:
    """Size and rows of a bucket are those of its tables; they are not kept twice."""
    inside = (tables.c.project_id == buckets.c.project_id) & (tables.c.branch_id == buckets.c.branch_id)
    inside &= tables.c.bucket_id == buckets.c.id
    rows = select(func.coalesce(func.sum(tables.c.rows_count), 0)).where(inside).scalar_subquery()
    size = select(func.coalesce(func.sum(tables.c.data_size_bytes), 0)).where(inside).scalar_subquery()
    question = select(*buckets.c, rows.label("rows_count"), size.label("data_size_bytes"))
    return question.where(buckets.c.project_id == project_id, buckets.c.branch_id == branch_id)
